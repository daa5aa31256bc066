"""Learning by hand: the arithmetic of the lessons, and a quiz that knows which slip gives a wrong answer.

    vector_product.py   a vector times a matrix, cell by cell
    attention_steps.py  attention on a few tokens, step by step
    ffn_width.py        where the width of an FFN comes from
    formula.py          one expression: its value, its symbols, its numbers
    models.py           the sizes of catalogue models that questions ask about, and of made-up ones
    mistakes.py         the slips of thought, each as the formula that it puts in place of the right one
    questions/          the kinds of question, each with its right and wrong values as formulas
    drawing.py          a seed → the numbers of a question
    paper.py            a seed → a whole paper
    units.py, numerals.py, signs.py, expression.py, reader.py
                        what a person typed → the values it may stand for
    judge.py            right, or what is behind it
    solution.py         what is shown after an answer: the diagnosis, a step to redo, the lines of the solution
    result_sheet.py     a paper's answers as CSV, and a class's folded together

Whole numbers and fractions throughout; e and square roots, in softmax and scaling, to 50 digits.
"""
