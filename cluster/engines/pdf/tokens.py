"""The words of a content stream: operators with their operands, by byte span; an inline picture is one of them.

Tolerant, as readers are, and honest: what could not be read comes as an operation without an operator.
"""

import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from cluster.engines.pdf.inline import data_end, entries

Kind = Literal["number", "name", "string", "hex", "mark", "word", "operator", "picture", "data", "stray"]

_SPACE = rb"\x00\t\n\x0c\r "
_REGULAR = rb"[^\x00\t\n\x0c\r /<>\[\](){}%]"
_GAP = rb"(?:[" + _SPACE + rb"]++|%[^\r\n]*+)*+"
#: A string with up to two levels of brackets inside; deeper ones are followed bracket by bracket.
_STRING = rb"\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.)*+\))*+\))*+\)"

#: One word, after white space and comments.
_WORD = re.compile(
    _GAP + rb"(?:"
    rb"(?P<number>[+-]*+[0-9.][0-9.+-]*+(?!" + _REGULAR + rb"))"
    rb"|(?P<operator>" + _REGULAR + rb"++)"
    rb"|(?P<name>/" + _REGULAR + rb"*+)"
    rb"|(?P<string>" + _STRING + rb")"
    rb"|(?P<hex><[0-9A-Fa-f" + _SPACE + rb"]*+>)"
    rb"|(?P<mark><<|>>|[\[\]])"
    rb"|(?P<open>\()"
    rb"|(?P<stray>.))",
    re.DOTALL,
)
_BRACKET = re.compile(rb"\\.|[()]", re.DOTALL)
_CONSTANTS = (b"true", b"false", b"null")
_SPACES = (b"\x00", b"\t", b"\n", b"\x0c", b"\r", b" ")
_MOST_WORDS = 600
_LOOKED_AHEAD, _WINDOW = 40, 2048
_CLOSED_BY = {b"]": b"[", b">>": b"<<"}

OPERATORS = frozenset(
    b"b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q "
    b"re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \"".split()
)


class Token(NamedTuple):
    """A word and where it stands: `data[start:end]`. Arrays and dictionaries are their words between marks."""

    kind: Kind
    start: int
    end: int


class Operation(NamedTuple):
    """An operator after its operands, `data[start:end]` from the first operand to the end of the operator.

    operator: b"" for what could not be read: unknown operators (but between BX and EX), words without an operator,
    what is not closed. An inline picture is one operation, BI, up to the end of its EI: its operands are the words
    of its dictionary and, last, its samples ("data").
    """

    operator: bytes
    operands: list[Token]
    start: int
    end: int


def tokens(data: bytes) -> Iterator[Token]:
    """Every word; an inline picture, from BI to EI, is one.

    Never raises: what belongs to no word is "stray", and so is all from a string or picture without an end on.
    """
    return (Token(*each) for each in spans(data))


def spans(data: bytes) -> Iterator[tuple[Kind, int, int]]:
    """As tokens(), in half the time: plain tuples."""
    at = 0
    while found := _WORD.match(data, at):
        kind: Any = found.lastgroup
        start, at = found.span(kind)
        if kind == "operator":
            if data[start:at] == b"BI":
                kind, at = _picture_word(data, at)
            elif at - start > 3 and data[start:at] in _CONSTANTS:
                kind = "word"
        elif kind == "open":
            kind, at = _deep_string(data, at)
        yield kind, start, at


def skipped(data: bytes, start: int) -> int:
    """Where what begins with the BI or the bracket at `start` ends; the end of the data when it has none."""
    if data[start : start + 1] == b"(":
        return _deep_string(data, start + 1)[1]
    return _picture_word(data, start + 2)[1]


def _picture_word(data: bytes, at: int) -> tuple[Kind, int]:
    words = _dictionary(data, at)
    if words is None:
        return "stray", at
    spans = _samples(data, words)
    return ("picture", spans[2]) if spans else ("stray", len(data))


def _dictionary(data: bytes, at: int) -> list[Token] | None:
    """The words between BI and ID, and ID itself; None where that is not what stands there."""
    words: list[Token] = []
    while len(words) < _MOST_WORDS and (found := _WORD.match(data, at)):
        kind = found.lastgroup
        at = found.end()
        words.append(Token(kind, found.start(kind), at))  # type: ignore[arg-type]
        if kind == "operator" and found[kind] == b"ID":
            return words
        if kind in ("open", "stray") or (kind == "operator" and found[kind] not in _CONSTANTS):
            return None
    return None


def _samples(data: bytes, words: list[Token]) -> tuple[int, int, int] | None:
    """Where samples begin and end and where their EI ends."""
    start = words[-1].end + (data[words[-1].end : words[-1].end + 1] in _SPACES)
    has = entries([data[word.start : word.end] for word in words[:-1]])
    end = data_end(data, start, has, lambda at: _reads_on(data, at))
    return (start, *end) if end else None


def _reads_on(data: bytes, at: int) -> bool:
    """Whether content goes on here: some words of which the first operator is known, or the end."""
    end = min(len(data), at + _WINDOW)  # a string without an end is not followed anew from every EI
    for _ in range(_LOOKED_AHEAD):
        found = _WORD.match(data, at, end)
        if found is None:
            return True
        if found.lastgroup == "operator" and found["operator"] not in _CONSTANTS:
            return found["operator"] in OPERATORS
        if found.lastgroup in ("open", "stray"):
            return False
        at = found.end()
    return False


def _deep_string(data: bytes, at: int) -> tuple[Kind, int]:
    depth = 1
    for found in _BRACKET.finditer(data, at):
        depth += {b"(": 1, b")": -1}.get(found[0], 0)
        if not depth:
            return "string", found.end()
    return "stray", len(data)


def operations(data: bytes) -> Iterator[Operation]:
    """Every operation of a content stream, in order; a page's streams are joined by a line feed before."""
    held: list[Token] = []
    lenient = 0
    for kind, start, end in spans(data):
        if kind == "operator":
            word = data[start:end]
            lenient += (word == b"BX") - (word == b"EX")
            known = (word in OPERATORS or lenient > 0) and _balanced(data, held)
            yield Operation(word if known else b"", held, held[0].start if held else start, end)
            held = []
        elif kind in ("picture", "stray"):
            if held:
                yield _unread(held)
                held = []
            token = Token(kind, start, end)
            yield _picture(data, token) if kind == "picture" else _unread([token])
        else:
            held.append(Token(kind, start, end))
    if held:
        yield _unread(held)


def _unread(held: list[Token]) -> Operation:
    return Operation(b"", held, held[0].start, held[-1].end)


def _picture(data: bytes, token: Token) -> Operation:
    words = _dictionary(data, token.start + 2) or []
    start, end, _ = _samples(data, words) or (token.end, token.end, token.end)
    return Operation(b"BI", [*words[:-1], Token("data", start, end)], token.start, token.end)


def _balanced(data: bytes, held: list[Token]) -> bool:
    """Whether every array and dictionary is closed by its own mark."""
    open_: list[bytes] = []
    for token in held:
        if token.kind == "mark":
            mark = data[token.start : token.end]
            if mark not in _CLOSED_BY:
                open_.append(mark)
            elif not open_ or open_.pop() != _CLOSED_BY[mark]:
                return False
    return not open_
