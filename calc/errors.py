"""What can be wrong with an input: each fault with the field it is in and the remedy.

A fault is raised as a code with its details, so that the command line can say it in English and the app in the
reader's language. The English sentence stands here, once; the app adds the other languages.
"""

from __future__ import annotations

import json

MESSAGES = {
    "empty": "The config is empty: paste the whole text of a config.json.",
    "too_large": "The config is {size_mb} MB; a config.json holds a few KB (at most {limit_mb} MB is read). "
    "Is it a tokenizer or a weights file?",
    "not_text": "The file is not UTF-8 text (byte {position}): choose the config.json, not a weights file.",
    "not_json": "Not valid JSON at line {line}, column {column}, near {near}: check the quotes, commas and brackets there.",
    "too_deep": "The JSON is nested too deeply to be a config.json: paste only the model's own config.",
    "number_too_long": "A number in the config has thousands of digits: shorten it.",
    "not_an_object": "The JSON is of type {found}, not an object: a config.json starts with {{ and ends with }}.",
    "repeated_key": "{field} stands twice with different values ({first} and {second}): delete one of the two.",
    "two_names": "{field} and {other} are two names of one thing but differ ({first} and {second}): delete one of the two.",
    "no_model_type": 'model_type is missing: add for example "model_type": "llama".',
    "no_model_type_but_architecture": 'model_type is missing: architectures says {architecture}, so add "model_type": "{suggestion}".',
    "model_type_not_text": 'model_type is {value}: write a name in quotes, for example "model_type": "llama".',
    "unknown_model_type": "model_type {value} is not one of the {known} types that can be counted; the page on how it is counted "
    "and `python -m calc types` list them. What its weights really hold can be read instead: on the page Real file, or by "
    "`python -m calc count --checkpoint`.",
    "unknown_model_type_similar": "model_type {value} is not one of the {known} types that can be counted. Did you mean {similar}? "
    "The page on how it is counted and `python -m calc types` list them. What its weights really hold can be read instead: on the "
    "page Real file, or by `python -m calc count --checkpoint`.",
    "missing": "{field} is missing and {config_class} has no default for it: add it.",
    "null": "{field} is null, but {config_class} needs a number: write one, or delete the line to use the default.",
    "null_flag": "{field} is null, but {config_class} needs true or false: write one, or delete the line to use the default.",
    "not_a_number": "{field} is {value}, which is no number: write a whole number.",
    "not_an_integer": "{field} is {value}: write a whole number, without quotes or a decimal point.",
    "not_positive": "{field} is {value}: it must be at least 1.",
    "negative": "{field} is {value}: it must be 0 or more.",
    "not_among": "{field} is {value}: known here are {among}.",
    "not_a_list": "{field} is {value}: write a list of {kind} values in square brackets.",
    "lists_differ": "{field} has {items} entries and {other} has {others}: both need one for each axis.",
    "not_one_a_layer": "{field} has {items} entries, but the model has {layers} layers: give one entry for each layer.",
    "too_big": "{field} is {value}; more than {largest} is taken for a slip: check the number of digits.",
    "not_a_flag": "{field} is {value}: write true or false, without quotes.",
    "heads_do_not_divide": "hidden_size {hidden_size} is not a multiple of num_attention_heads {heads}, so head_dim cannot be "
    "hidden_size ÷ num_attention_heads: change one of the two, or give head_dim.",
    "heads_must_divide": "{hidden_field} {hidden_size} is not a multiple of {heads_field} {heads}, and this model has no "
    "head_dim of its own: change one of the two.",
    "kv_heads_do_not_divide": "num_attention_heads {heads} is not a multiple of num_key_value_heads {kv_heads}, so the query "
    "heads cannot share them evenly: change one of the two.",
    "mixing_not_described": "How the tokens of a {value} model meet is not described here, so neither its KV cache nor the FLOPs "
    "of its attention can be told: count its parameters, or choose another model.",
    "context_over_limit": "{field} is {value}, but the model takes {limit} tokens at most: ask for fewer.",
    "unknown_model": "{value} is neither a model of the catalogue nor a file. Catalogue: {known}.",
    "unknown_model_similar": "{value} is neither a model of the catalogue nor a file. Did you mean {similar}?",
    "unknown_gpu": "{field} is {value}, which is not in the list of GPUs. There are: {known}.",
    "unknown_gpu_similar": "{field} is {value}, which is not in the list of GPUs. Did you mean {similar}?",
    "gpu_without_peak": "How much {format} the {value} multiplies in a second is not published: choose another GPU or format.",
    "needs_gpu": "{field} says nothing without a GPU: name one too, for example --gpu H100.",
    "not_a_quantity": "{field} is {value}, which is no number: write one, for example {example}.",
    "not_whole": "{field} is {value}: write a whole number, for example {example}.",
    "not_above_zero": "{field} is {value}: it must be above 0.",
    "not_a_share": "{field} is {value}: write a share above 0 and at most 1, for example 0.4 for 40%.",
    "unknown_format": "{field} is {value}, which is no format known here. There are: {known}.",
    "unknown_format_similar": "{field} is {value}, which is no format known here. Did you mean {similar}?",
    "gguf_not_described": "How llama.cpp converts {value} is not described here, so its .gguf file cannot be sized: choose a "
    "format of .safetensors files. Described are: {known}.",
    "gguf_no_fallback": "llama-quantize makes no such file of this model: the rows of {tensor} are {length} long, no multiple of the "
    "{block} that {kind} needs, and no other type stands in. Choose another format.",
    "heads_do_not_share_out": "{field} is {value}, but {heads} query heads and {kv_heads} key-value heads cannot be shared out evenly "
    "to so many GPUs: choose one of {among}.",
    "unreadable_file": "{path} cannot be read ({reason}): check the path.",
    "unwritable_file": "{path} cannot be written ({reason}): check the path, or write to another place.",
    "too_many_models": "{models} models are named, but at most {limit} are compared at once: leave some out.",
    "too_many_sheets": "More than {limit} result sheets: fold at most {limit} at once.",
    "no_such_question": "{field} is {value}: the paper has questions 1 to {questions}.",
    "header_truncated": "{file} is {size_bytes} bytes and ends inside its header: download it again.",
    "header_too_large": "{file} announces a header of {length} bytes, at most {limit_mb} MB are read: it is damaged, or no "
    "weights file.",
    "header_not_json": "The header of {file} is not the JSON a .safetensors file starts with: download it again, or choose "
    "another file.",
    "header_repeated_tensor": "{file} lists {tensor} twice: the file is damaged, save or download it again.",
    "too_many_tensors": "{file} lists {tensors} tensors, at most {limit} are read: it is damaged, or no model's weights.",
    "tensor_malformed": "{file}: the entry of {tensor} is not a type, lengths and a place: save or download the file again.",
    "tensor_unknown_dtype": "{file}: {tensor} is of type {dtype}, which the format does not have. Known: {known}.",
    "tensor_size_differs": "{file}: {tensor} needs {expected} bytes by its type and shape, but {size_bytes} are set aside "
    "for it: save or download the file again.",
    "tensor_outside_file": "{file}: {tensor} lies at bytes {begin} to {end}, but there are {data_bytes}: the file is cut "
    "short, download it again.",
    "tensors_overlap": "{file}: {tensor} lies on top of another tensor: save or download the file again.",
    "tensors_leave_a_gap": "{file}: {gap_bytes} bytes before {tensor} belong to no tensor: save or download the file again.",
    "index_too_large": "{file} is over {limit_mb} MB: choose the index beside the weights, model.safetensors.index.json.",
    "index_malformed": "{file} has no weight_map from tensors to files: choose the index beside the weights, "
    "model.safetensors.index.json.",
    "index_outside_folder": "{file} names {shard}, which is no .safetensors file in its own folder: correct the index.",
    "index_missing_shard": "{file} names {shard}, which is not there: put it beside the index.",
    "index_missing_tensor": "The index places {tensor} in {shard}, which does not hold it: index and files are not of one model.",
    "tensor_in_two_files": "{tensor} stands in {first} and in {second}: keep the files of one model only.",
    "not_gguf": "{file} does not start with GGUF: choose a .gguf file.",
    "gguf_version": "{file} is of GGUF version {version}; versions {known} are read: convert it with a current llama.cpp.",
    "gguf_malformed": "The header of {file} makes no sense at byte {position}: download the file again.",
    "gguf_unknown_type": "{file}: {tensor} is of type {kind}, which the installed gguf package does not know: convert it "
    "with a current llama.cpp.",
    "gguf_part_missing": "{file} is missing: put all parts of the model into one folder.",
    "packing_unclear": "{tensor} ({dtype}, {shape}) is packed, and neither its neighbours nor the config say how many bits a "
    "weight takes: put the model's config.json with its quantization_config beside the file.",
    "no_checkpoint": "{where} holds no .safetensors or .gguf file: choose a model that has one, or the file itself.",
    "several_checkpoints": "{where} holds several models: {files}. Name one of these files.",
    "upload_cut_in_header": "{file} has {size_bytes} bytes and ends inside its header: upload more of its beginning.",
    "upload_twice": "{file} is uploaded twice: remove one of the two.",
    "several_uploads": "These are files of several models: {files}. Upload the files of one.",
    "no_upload_of_weights": "No .safetensors or .gguf file is among the uploads: add the model's, or the beginning of each.",
    "no_such_checkpoint": "{value} is no file, folder or model of the Hub: give a path, an id such as org/name, or the "
    "model's address.",
    "not_a_hub_model": "{value} is no address of a model on the Hub: copy it from the model's page, or write its id as org/name.",
    "hub_needs_token": "{model} is private, gated or does not exist: check the id, accept its licence on the Hub and set "
    "HF_TOKEN, or choose an open copy.",
    "hub_forbidden": "{model} is gated: accept its licence on the Hub and set HF_TOKEN to a token of that account, or choose "
    "an open copy.",
    "hub_forbidden_mirror": "{model} is gated: accept its licence on the Hub and set HF_TOKEN to a token of that account, or "
    "use the open copy {mirror}.",
    "hub_not_found": "{endpoint} has no model {model}: check the id and the revision.",
    "hub_no_such_file": "{model} has no file {file}: check the name and the revision.",
    "hub_no_config": "{model} has no config.json. What its weights really hold can be read instead: on the page Real file, "
    "or by `python -m calc count --checkpoint {model}`.",
    "hub_too_many_requests": "{endpoint} has had too many requests: wait a few minutes, or set HF_TOKEN.",
    "hub_failing": "{endpoint} answers with fault {status}: try again later.",
    "hub_unreachable": "{endpoint} cannot be reached ({reason}): check the connection, or set HF_ENDPOINT to a mirror.",
    "hub_too_slow": "{endpoint} did not answer within {seconds} s: try again later, or set HF_ENDPOINT to a mirror.",
    "hub_cut_short": "{endpoint} broke off in the middle of {file}: try again.",
    "hub_offline": "{model} is not among the models kept on this machine, and HF_HUB_OFFLINE forbids asking the Hub: unset "
    "it, or choose a file.",
    "hub_search_refused": "{endpoint} refuses to search for names (fault {status}): check HF_TOKEN, or unset it.",
    "hub_search_offline": "HF_HUB_OFFLINE forbids asking the Hub for names: unset it, or write the id of a model kept on this "
    "machine, org/name.",
    "hub_answer_malformed": "{endpoint} answers in no form the Hub has: check HF_ENDPOINT.",
    "tokenizer_package_missing": "This needs a package that is not installed: run pip install {package}.",
    "unknown_tokenizer": "{value} is no tokenizer that is carried here. There are: {known}.",
    "unknown_tokenizer_similar": "{value} is no tokenizer that is carried here. Did you mean {similar}?",
    "word_too_long": "The word is {symbols} symbols long; the merges of at most {limit} are shown: choose a shorter one.",
    "text_too_large": "{file} is {size_mb} MB; at most {limit_mb} MB are counted: divide it.",
    "text_not_utf8": "{file} is not UTF-8 text (byte {position}): save it as UTF-8, or choose a text file.",
    "text_without_breaks": "{file} has more than {limit} characters without a space or line end behind a letter: break it into "
    "lines.",
    "row_not_json": "{file}, line {line}, is not JSON: every line of a JSONL file is one JSON value.",
    "row_without_field": "{file}, line {line}, has no text in the field {field}: choose another field.",
    "csv_malformed": "{file}, line {line}, is not CSV ({reason}): check the quotes there.",
    "csv_without_column": "{file} has no column {field}. There are: {known}.",
    "tokenizer_file_too_large": "{file} is {size_mb} MB; a tokenizer holds at most {limit_mb} MB: choose the tokenizer.json.",
    "tokenizer_unreadable": "{file} is no tokenizer ({reason}): choose the model's tokenizer.json or tokenizer.model.",
    "tokenizer_ranks_only": "{file} is a list of ranks without the regular expression that cuts a text first: choose the model's "
    "tokenizer.json.",
    "tokenizer_too_slow": "{file} was given up after {seconds} s: its regular expressions take too long for this, or the text is "
    "too long for it.",
    "tokenizer_failed": "{file} brought its library down: it is damaged, or asks for too much memory.",
    "tokenizer_cannot_cut": "{file} cannot cut this text ({reason}).",
    "no_such_token": "There is no token {token}: the vocabulary has {size} entries, numbered from 0.",
    "no_tokens": "There is nothing to read: give one token at least, and two to train on.",
    "no_such_part": "{field} is {value}: the model has {count}, numbered from 0.",
    "no_layer_left": "All {count} layers are switched off: leave one on.",
    "no_model_to_run": "The weights of {value} are not carried here, only those of {known}: give the folder of a small model.",
    "no_config_to_run": "The model's config.json is missing: put it beside the weights.",
    "no_weights_to_run": "No .safetensors file is there: put the model's beside its config.json; other formats are not run here.",
    "no_tokenizer_to_run": "The model's tokenizer.json is missing, so that a text cannot be cut: put it beside the weights.",
    "not_run_type": "{field} is {value}, whose arithmetic is not carried out here: choose a model of type {known}.",
    "not_run_quantized": "The weights are quantized ({field}), and only floating-point weights are run here: choose the model's "
    "unquantized files.",
    "head_dim_odd": "{field} is {value}, but positions turn pairs of numbers: it must be even.",
    "weights_too_large": "The files have {size_mb} MB; models of at most {limit_mb} MB are run here: choose a smaller one.",
    "tensor_missing": "{tensor}, which the config asks for, is in none of the files: add the missing file, or correct the config.",
    "tensor_unexpected": "The files hold {tensor}, which a model of this config does not have: choose the config.json that belongs "
    "to these weights.",
    "tensor_other_shape": "{tensor} has the shape {shape}, but the config makes it {expected}: choose the config.json that belongs "
    "to these weights.",
    "tensor_not_float": "{tensor} is of type {dtype}; run here are {known}: choose the model's unquantized files.",
    "tensor_not_finite": "{tensor} holds numbers that are not finite: the file is damaged, or its training went wrong.",
}


class ConfigError(Exception):
    """An input that cannot be counted, as a code of `MESSAGES`, the field it concerns, and the details to fill in.

    >>> str(ConfigError("not_positive", field="hidden_size", value="0"))
    'hidden_size is 0: it must be at least 1.'
    """

    def __init__(self, code: str, field: str | None = None, **details: object) -> None:
        self.code = code
        self.field = field
        self._named = details
        self.details = details if field is None else {"field": field, **details}
        super().__init__(MESSAGES[code].format(**self.details))

    def __reduce__(self) -> tuple:
        """A fault is kept as a value in caches, which copy it."""
        return _raised_again, (self.code, self.field, self._named)


def _raised_again(code: str, field: str | None, details: dict[str, object]) -> ConfigError:
    return ConfigError(code, field, **details)


def unreadable(path: object, error: OSError | ValueError) -> ConfigError:
    """The fault of a file that cannot be opened or read: unreadable_file."""
    return ConfigError("unreadable_file", path=quoted(str(path)), reason=getattr(error, "strerror", None) or str(error))


def quoted(value: object, longest: int = 60) -> str:
    """A value as the config would write it, ASCII and at most `longest` characters, fit for a one-line message.

    >>> quoted("40\\n96"), quoted(None), quoted("x" * 100, longest=8)
    ('"40\\\\n96"', 'null', '"xxxxxx…')
    """
    try:
        written = json.dumps(value)
    except (ValueError, RecursionError):
        written = type(value).__name__
    return written if len(written) <= longest else written[: longest - 1] + "…"
