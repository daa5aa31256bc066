"""A vector times a matrix, cell by cell, and what a library says where the two do not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Number = int | Fraction
Row = Sequence[Number]

NUMPY_VERSION = "2.4.6"
"""Whose words `numpy_error` gives."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of the result: the vector against one column, from top to bottom."""

    column: int
    factors: tuple[tuple[Number, Number], ...]
    value: Number

    @property
    def worked(self) -> str:
        """`1·0 + 2·2 + 3·4 = 16`."""
        products = " + ".join(f"{_bracketed(left)}·{_bracketed(right)}" for left, right in self.factors)
        return f"{products} = {_minus(self.value)}"


@dataclass(frozen=True, slots=True)
class Product:
    """A vector times a matrix, with what it costs.

    cells             the result, cell by cell
    parameters        rows · columns
    multiplications   one a parameter
    additions         rows − 1 a cell; the first product may be taken as added to 0
    flops             2 · rows · columns, which is how cells are counted everywhere
    """

    cells: tuple[Cell, ...]
    parameters: int
    multiplications: int
    additions: int
    flops: int

    @property
    def values(self) -> tuple[Number, ...]:
        """The result."""
        return tuple(cell.value for cell in self.cells)


class DoesNotFit(Exception):
    """A vector whose length is not the number of rows of the matrix.

    >>> str(DoesNotFit(2, 3, 2))
    'the vector has 2 numbers, the matrix 3 rows'
    """

    def __init__(self, numbers: int, rows: int, columns: int) -> None:
        self.numbers, self.rows, self.columns = numbers, rows, columns
        super().__init__(f"the vector has {numbers} numbers, the matrix {rows} rows")

    @property
    def numpy_error(self) -> str:
        """What numpy says to `x @ W`, word for word."""
        return (
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) "
            f"(size {self.rows} is different from {self.numbers})"
        )


def vector_product(vector: Row, matrix: Sequence[Row]) -> Product:
    """x · W: as many numbers as the matrix has columns.

    Raises DoesNotFit; ValueError for rows of different lengths.

    >>> product = vector_product([1, 2, 3], [[0, 1], [2, 3], [4, 5]])
    >>> product.values, product.cells[0].worked, product.parameters, product.flops
    ((16, 22), '1·0 + 2·2 + 3·4 = 16', 6, 12)
    """
    columns = len(matrix[0]) if matrix else 0
    if any(len(row) != columns for row in matrix):
        raise ValueError("the rows of a matrix are equally long")
    if len(vector) != len(matrix):
        raise DoesNotFit(len(vector), len(matrix), columns)
    cells = []
    for column in range(columns):
        factors = tuple((number, row[column]) for number, row in zip(vector, matrix, strict=True))
        cells.append(Cell(column, factors, sum(left * right for left, right in factors)))
    size = len(matrix) * columns
    return Product(tuple(cells), size, size, size - columns, 2 * size)


def _minus(value: Number) -> str:
    return str(value).replace("-", "−")


def _bracketed(value: Number) -> str:
    return f"({_minus(value)})" if value < 0 else str(value)
