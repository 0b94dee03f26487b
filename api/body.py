"""What callers send, checked: bodies, queries and the options of tools, all wrong fields at once."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from api.problems import MOST_FIELDS, FieldRefusal, Refusal
from cluster.catalogue import adapter_of
from cluster.numbers import whole
from cluster.tool import Tool

#: Bytes of a JSON body.
MAX_BODY = 256 << 10
#: Levels of nesting that options can need, with room to spare.
MAX_DEPTH = 32
#: Characters of a wrong field's name that are told.
MOST_NAME = 100
M = TypeVar("M", bound=BaseModel)

#: pydantic's error type -> our words, filled from its context.
_WORDS: dict[str, tuple[str, str]] = {
    "missing": ("不能为空", "it is required"),
    "unexpected_keyword_argument": ("没有这个选项", "there is no such option"),
    "extra_forbidden": ("没有这个选项", "there is no such option"),
    "literal_error": ("可选值为 {expected}", "use one of {expected}"),
    "enum": ("可选值为 {expected}", "use one of {expected}"),
    "union_tag_invalid": ("可选值为 {expected_tags}", "use one of {expected_tags}"),
    "union_tag_not_found": ("缺少 {discriminator}", "{discriminator} is missing"),
    "int_parsing": ("应为整数", "use a whole number"),
    "int_type": ("应为整数", "use a whole number"),
    "int_from_float": ("应为整数", "use a whole number"),
    "float_parsing": ("应为数字", "use a number"),
    "float_type": ("应为数字", "use a number"),
    "bool_parsing": ("应为 true 或 false", "use true or false"),
    "bool_type": ("应为 true 或 false", "use true or false"),
    "string_type": ("应为文字", "use text"),
    "string_too_long": ("最多 {max_length} 个字符", "use at most {max_length} characters"),
    "string_too_short": ("至少 {min_length} 个字符", "use at least {min_length} characters"),
    "string_pattern_mismatch": ("格式不正确", "the format is not right"),
    "greater_than_equal": ("不能小于 {ge}", "use {ge} or more"),
    "greater_than": ("必须大于 {gt}", "use more than {gt}"),
    "less_than_equal": ("不能大于 {le}", "use {le} or less"),
    "less_than": ("必须小于 {lt}", "use less than {lt}"),
    "too_long": ("最多 {max_length} 项", "use at most {max_length} items"),
    "too_short": ("至少 {min_length} 项", "use at least {min_length} items"),
    "password_characters": (
        "含有密码中不能用的字符，请换一个",
        "it has characters that a password cannot have; choose another",
    ),
    "password_too_long": ("密码过长，最多 127 字节（约 42 个汉字）", "it is too long: use at most 127 bytes"),
    "passwords_equal": ("不能与打开密码相同，请换一个", "it must differ from the password to open"),
    "protects_nothing": (
        "请设置打开密码，或取消至少一项允许的操作",
        "set a password to open, or take away at least one thing that readers may do",
    ),
    "must_be_ticked": ("请勾选确认您有权解除保护", "tick it to say that you may unlock the file"),
    "finite_number": ("应为有限的数字", "use a finite number"),
}


class Given(BaseModel):
    """A query or a body: camelCase on the wire."""

    model_config = ConfigDict(alias_generator=to_camel, frozen=True, hide_input_in_errors=True, populate_by_name=False)


class Nothing(Given):
    """A call without parameters."""


class ToolQuery(Given):
    tool_id: int | None = None
    path: Annotated[str | None, Field(max_length=100)] = None


class UploadQuery(Given):
    """`prefix`: renew the credentials of an earlier upload of one's own."""

    files: Annotated[int, Field(ge=1, le=200)] = 1
    bytes: Annotated[int | None, Field(ge=1)] = None
    prefix: Annotated[str | None, Field(max_length=200)] = None


class FileGiven(Given):
    key: Annotated[str, Field(min_length=1, max_length=1200)]
    name: Annotated[str, Field(min_length=1, max_length=1000)]
    password: Annotated[str | None, Field(max_length=1000, repr=False)] = None


class TaskBody(Given):
    tool_id: int
    files: Annotated[list[FileGiven], Field(min_length=1, max_length=200)]
    options: dict[str, Any] = {}


class EstimateBody(Given):
    tool_id: int
    file: FileGiven


class TasksQuery(Given):
    """`order`: ASC 1, DES 2, by creation. `status`: one number, or several with commas."""

    status: Annotated[str | None, Field(pattern=r"^[0-9]{1,3}(,[0-9]{1,3}){0,9}$")] = None
    tool_id: int | None = None
    task_id: Annotated[str | None, Field(max_length=100)] = None
    order: Literal["1", "2"] = "2"
    page: Annotated[int, Field(ge=1, le=100_000)] = 1
    size: Annotated[int, Field(ge=1, le=100)] = 20


class TaskQuery(Given):
    task_id: Annotated[str, Field(min_length=1, max_length=100)]


class RetryQuery(TaskQuery):
    level: Annotated[str, Field(min_length=1, max_length=40)]


class DownloadQuery(TaskQuery):
    index: Annotated[int | None, Field(ge=0)] = None


class ZipQuery(TaskQuery):
    until: int
    language: Literal["zh", "en"]
    mark: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class RightsQuery(Given):
    tool_id: int | None = None


def parse(model: type[M], raw: Any) -> M:
    """A body as `model`, whose numbers are JSON's. Raises FieldRefusal with the wrong fields."""
    try:
        return model.model_validate(raw, strict=True)
    except ValidationError as error:
        raise FieldRefusal("field_invalid", *_wrong(error)) from None


def parse_query(model: type[M], raw: Mapping[str, str]) -> M:
    """The same for a query, whose numbers are digits."""
    fields = model.model_fields.values()
    numbers = {each.alias for each in fields if int in (each.annotation, *get_args(each.annotation))}
    return parse(model, {name: _number(text) if name in numbers else text for name, text in raw.items()})


def _number(text: str) -> int | str:
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    try:
        return int(f"{sign}{whole(digits)}")
    except ValueError:
        return text


def read_json(text: bytes) -> Any:
    """The JSON object in a body. Raises Refusal."""
    if len(text) > MAX_BODY:
        raise Refusal("body_too_large")
    try:
        found = _DECODE(text.decode(json.detect_encoding(text), "surrogatepass"))
    except (ValueError, RecursionError):
        raise Refusal("body_invalid") from None
    if not isinstance(found, dict) or _depth(found) > MAX_DEPTH:
        raise Refusal("body_invalid")
    return found


def options_of(tool: Tool[Any], raw: Mapping[str, Any]) -> dict[str, Any]:
    """`raw` checked against the tool's own option type, as JSON with every default filled in.

    Raises FieldRefusal `option_invalid` with the wrong fields.
    """
    adapter = adapter_of(tool.id)
    try:
        found = dict(adapter.dump_python(adapter.validate_json(json.dumps(raw), strict=True), mode="json"))
    except ValidationError as error:
        raise FieldRefusal("option_invalid", *_wrong(error)) from None
    except UnicodeEncodeError:
        raise Refusal("body_invalid") from None
    if wrong := _taken_for_numbers(raw, found):
        raise FieldRefusal("option_invalid", [(name, _words("int_type", {})) for name in wrong])
    return found


def _taken_for_numbers(raw: Any, found: Any, at: str = "") -> list[str]:
    """Fields in which `true` became 1: pydantic finds it among a Literal's numbers."""
    if isinstance(raw, Mapping) and isinstance(found, Mapping):
        pairs = [(name, raw[name], found[name]) for name in raw if name in found]
    elif isinstance(raw, list) and isinstance(found, list):
        pairs = [(str(index), one, other) for index, (one, other) in enumerate(zip(raw, found, strict=False))]
    else:
        return [at] if isinstance(raw, bool) and not isinstance(found, bool) else []
    return [each for name, one, other in pairs for each in _taken_for_numbers(one, other, f"{at}.{name}".lstrip("."))]


def _wrong(error: ValidationError) -> tuple[Sequence[tuple[str, tuple[str, str]]], int]:
    """The first wrong fields with their words, and how many more there are."""
    # The input itself is left out: it may be a password.
    first = error.errors(include_input=False, include_url=False)[:MOST_FIELDS]
    told = [(_place(each["loc"]), _words(each["type"], each.get("ctx", {}))) for each in first]
    return told, error.error_count() - len(first)


def _place(path: tuple[int | str, ...]) -> str:
    # A stranger's own word may stand in it.
    return ".".join(map(str, path))[:MOST_NAME] or "options"


def _words(kind: str, context: Mapping[str, Any]) -> tuple[str, str]:
    zh, en = _WORDS.get(kind, ("值不符合要求", "the value does not fit"))
    return zh.format(**context), en.format(**context)


def _no_constant(name: str) -> Any:
    raise ValueError(name)


#: Made once: `json.loads` makes one for each text that is not read in the usual way.
_DECODE = json.JSONDecoder(parse_constant=_no_constant).decode


def _depth(value: Any) -> int:
    level, deepest = [value], 0
    while level:
        deepest += 1
        level = [
            child
            for each in level
            for child in (each.values() if isinstance(each, dict) else each)
            if isinstance(child, dict | list)
        ]
    return deepest
