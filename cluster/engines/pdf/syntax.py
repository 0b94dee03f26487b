"""PDF syntax as plain values: read objects from bytes and write them back, losing nothing.

A dictionary is a dict with names as keys (`b"/Type"`), an array a list, a reference a Ref;
everything else (numbers, names, strings, true, null) stays the bytes of its token.
"""

import re
from collections.abc import Iterable
from typing import Any

#: Deeper nesting is hostile, or at least not worth a deep stack.
DEPTH = 200


class Unreadable(Exception):
    """The bytes are not what a strict reader takes: qpdf should rewrite the file first."""


class Ref(int):
    """A reference to the object of this number."""

    __slots__ = ()


_SPACE = rb"[\x00\t\n\x0c\r ]"
_REGULAR = rb"[^\x00\t\n\x0c\r ()<>\[\]{}/%]"
# Brackets in strings may pair up, three deep here; what goes deeper is left to qpdf.
_INSIDE = rb"[^()\\]|\\[\x00-\xff]"
_STRING = rb"\((?:" + _INSIDE + rb"|\((?:" + _INSIDE + rb"|\((?:" + _INSIDE + rb")*+\))*+\))*+\)"
_R = rb"R(?!" + _REGULAR + rb")"
_KEY, _WORD = rb"/" + _REGULAR + rb"*+", rb"[-+.0-9a-zA-Z]" + _REGULAR + rb"*+"
# Possessive quantifiers: a token never gives characters back, which halves the time. What often stands together is
# one match: a name with the name, number or reference after it, an array of numbers or of references.
# It halves the time again.
_TOKEN = re.compile(
    _SPACE
    + rb"*+(?:(" + _KEY + rb")(?:" + _SPACE + rb"*+(?:(\d{1,9}+)" + _SPACE + rb"++0{1,5}+" + _SPACE + rb"++" + _R
    + rb"|(?!\d++" + _SPACE + rb"++\d++" + _SPACE + rb"++" + _R + rb")(" + _KEY + rb"|" + _WORD + rb")))?+"
    # The empty group marks a generation above 0: which of two objects is meant is a question for qpdf.
    + rb"|(\d{1,9}+)" + _SPACE + rb"++(?:0{1,5}+|\d{1,5}+())" + _SPACE + rb"++" + _R
    + rb"|\[[\t\n\r ]*+((?:[-+.0-9]++[\t\n\r ]*+)++)\]"
    + rb"|\[[\t\n\r ]*+((?:\d{1,9}+[\t\n\r ]++0{1,5}+[\t\n\r ]++" + _R + rb"[\t\n\r ]*+)++)\]"
    + rb"|(" + _WORD + rb"|" + _STRING + rb"|<[0-9a-fA-F\x00\t\n\x0c\r ]*+>)"
    + rb"|(<<)|(\[)|(>>)|(\])|(%[^\r\n]*+)|(\Z|[(<>])|([\x00-\xff]))"
)  # fmt: skip
_NAME, _KEY_REF, _KEY_WORD, _REF, _LATER, _NUMBERS, _REFS, _PLAIN = range(1, 9)
_DICT, _ARRAY, _END_DICT, _END_ARRAY, _COMMENT, _CUT = range(9, 15)
_ESCAPE = re.compile(rb"#([0-9a-fA-F]{2})")


class Short(Unreadable):
    """The bytes end before the value does: read more of the file."""


def parse(data: bytes, position: int = 0) -> tuple[Any, int]:
    """The value at `position` and where it ends; Short when the bytes end before it does."""
    stack: list[list[Any]] = []
    kinds: list[int] = []
    for match in _TOKEN.finditer(data, position):
        kind: int = match.lastindex  # type: ignore[assignment]
        if kind <= _KEY_WORD:
            value: Any = _name(match[_NAME])
            if not stack:
                return value, match.end(_NAME)
            if kind != _NAME:
                stack[-1].append(value)
                value = Ref(match[_KEY_REF]) if kind == _KEY_REF else _name(match[_KEY_WORD])
        elif kind <= _PLAIN:
            value = match[kind] if kind == _PLAIN else _known(match, kind)
        elif kind <= _ARRAY:
            _open(stack, kinds, kind)
            continue
        elif kind <= _END_ARRAY:
            value = _closed(stack, kinds, kind)
        elif kind == _COMMENT:
            continue
        else:
            # A lone bracket may be the first half of a longer token.
            raise Short if kind == _CUT else Unreadable(f"token at {match.end()}")
        if not stack:
            return value, match.end()
        stack[-1].append(value)
    raise Short


def _known(match: re.Match[bytes], kind: int) -> Any:
    if kind == _LATER:
        raise Unreadable("generation")
    if kind == _REFS:
        return [Ref(each) for each in match[_REFS].split()[::3]]
    return Ref(match[_REF]) if kind == _REF else match[_NUMBERS].split()


def _name(token: bytes) -> bytes:
    return plain_name(token) if b"#" in token and token[:1] == b"/" else token


def _open(stack: list[list[Any]], kinds: list[int], kind: int) -> None:
    if len(stack) > DEPTH:
        raise Unreadable("nesting")
    stack.append([])
    kinds.append(kind)


def _closed(stack: list[list[Any]], kinds: list[int], kind: int) -> Any:
    if not kinds or kinds.pop() != kind - 2:
        raise Unreadable("brackets")
    items = stack.pop()
    if kind == _END_ARRAY:
        return items
    keys = items[::2]
    try:
        b"".join(keys)
        return dict(zip(keys, items[1::2], strict=True))
    except (TypeError, ValueError) as error:
        raise Unreadable("dictionary") from error


def plain_name(name: bytes) -> bytes:
    """The one spelling of a name: only what must be escaped is; bytes of other scripts stand as content has them."""

    def kept(match: re.Match[bytes]) -> bytes:
        byte = bytes.fromhex(match[1].decode())
        return byte if byte > b" " and byte not in b"\x7f#()<>[]{}/%" else match[0].upper()

    return _ESCAPE.sub(kept, name)


def template(value: Any, refs: list[int]) -> bytes:
    """`value` as bytes with a `%b` for every reference; their numbers are appended to `refs`."""
    kind = type(value)
    if kind is bytes:
        return value.replace(b"%", b"%%") if b"%" in value else value  # type: ignore[no-any-return]
    if kind is Ref:
        refs.append(value)
        return b"%b"
    if kind is dict:
        parts = []
        for key, each in value.items():
            parts.append(key.replace(b"%", b"%%") if b"%" in key else key)
            # Most values are plain tokens or references: told here, they cost no call.
            if type(each) is Ref:
                refs.append(each)
                parts.append(b"%b")
            else:
                parts.append(each if type(each) is bytes and b"%" not in each else template(each, refs))
        return b"<<" + b" ".join(parts) + b">>"
    if value and type(value[0]) is bytes is type(value[-1]):
        try:
            # Most arrays are of plain tokens.
            return b"[" + b" ".join(value).replace(b"%", b"%%") + b"]"
        except TypeError:
            pass
    told = [each if type(each) is bytes and b"%" not in each else template(each, refs) for each in value]
    return b"[" + b" ".join(told) + b"]"


def write(value: Any) -> bytes:
    """`value` as bytes, references by their own numbers."""
    refs: list[int] = []
    text = template(value, refs)
    return text % tuple([b"%d 0 R" % ref for ref in refs])


def number(value: Any, default: int | None = None) -> int:
    """A whole number token; Unreadable without `default` when it is none."""
    try:
        return int(value)
    except (TypeError, ValueError):
        if default is None:
            raise Unreadable("number") from None
        return default


_TOLD = re.compile(rb"[\\()\r]")
_LITERAL = re.compile(rb"\\(?:([0-7]{1,3})|(\r\n|[\x00-\xff]))|\r\n?")
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"", b"\r\n": b""}


def string(token: Any) -> bytes:
    """The bytes that a string token stands for; other tokens as they are."""
    if not isinstance(token, bytes):
        return b""
    if token[:1] == b"<":
        digits = bytes(byte for byte in token if byte in b"0123456789abcdefABCDEF").decode()
        return bytes.fromhex(digits + "0" * (len(digits) % 2))
    if token[:1] != b"(":
        return token
    body = token[1:-1]
    return _LITERAL.sub(_unescape, body) if b"\\" in body or b"\r" in body else body


def _unescape(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes([int(match[1], 8) & 255])
    return _LETTERS.get(match[2], match[2]) if match[2] else b"\n"


def text(token: Any) -> str:
    """A text string as people read it."""
    raw = string(token)
    if raw[:2] in (b"\xfe\xff", b"\xff\xfe"):
        return raw.decode("utf-16", "replace")
    if raw[:3] == b"\xef\xbb\xbf":
        return raw[3:].decode("utf-8", "replace")
    return raw.decode("latin-1")


def text_token(value: bytes) -> bytes:
    """A string token that stands for these bytes."""
    return b"<" + value.hex().encode() + b">"


def literal(value: bytes) -> bytes:
    """The same, in brackets: half as long."""
    return b"(" + _TOLD.sub(lambda match: b"\\" + (match[0] if match[0] != b"\r" else b"r"), value) + b")"


def references(value: Any) -> Iterable[int]:
    """Numbers of the objects that `value` refers to directly."""
    refs: list[int] = []
    template(value, refs)
    return refs
