"""Carry objects of an open PDF into a PdfWriter: what is reached is written once, under new numbers.

qpdf reads, repairs and decrypts; its canonical text of an object is then changed by one
regular expression. That is ten times faster than copying object by object through its API
and holds one object at a time, however large the file.
"""

import re
from decimal import Decimal
from typing import Any

import pikepdf

from cluster.engines.pdf.writer import PdfWriter

Key = tuple[int, int]

_STRING = rb"\((?:[^\\)]++|\\.)*+\)|<[0-9a-fA-F]*>"
_NAME = rb"/[^\s/<>\[\](){}%]+"
_TOKEN = re.compile(rb"(\d+) (\d+) R|" + _STRING + rb"|/(StructParents?) (\d+)", re.DOTALL)
#: qpdf writes keys in alphabetical order: /D, then at most /Next, then /S.
_TARGETED = re.compile(
    rb"/(?P<key>Dest|D) (?P<name>" + _STRING + rb"|" + _NAME + rb")"
    rb"(?P<rest> (?:/Next (\d+) (\d+) R )?/S /GoTo(?=[ />]))?"
    rb"|" + _STRING,
    re.DOTALL,
)
NULL = b"null"
#: pikepdf hands these out as Python's own, even where they are objects of the file.
_PLAIN = (int, Decimal, bool, type(None))
#: Streams that refer to streams are written at once up to here, then wait like everything else.
_DEEPEST = 20


class Transcript:
    """One source's objects under new numbers.

    `numbers` may be filled beforehand: to lead references somewhere else, or to nothing (None).
    `renamed` are named destinations (strings and names apart); `tags` is what is added to
    /StructParents, None takes them away.
    """

    def __init__(self, writer: PdfWriter, pdf: pikepdf.Pdf) -> None:

        self.writer = writer
        self.pdf = pdf
        self.numbers: dict[Key, int | None] = {}
        self.renamed: dict[bytes, bytes] = {}
        self.tags: int | None = None
        #: references as the source writes them -> as the result does
        self._known: dict[bytes, bytes] = {}
        self._words: dict[tuple[bytes, bytes], tuple[bytes, bytes, bytes]] = {}
        self._waiting: list[tuple[Any, int]] = []
        self._depth = 0
        self._stream = pikepdf.Stream
        self._parse = pikepdf.Object.parse

    def text(self, node: Any) -> bytes:
        """`node` as it stands in the result: a reference when it is indirect."""
        if isinstance(node, _PLAIN):
            return _plain(node)
        return self._reference(node.objgen) if node.is_indirect else self.body(node)

    def body(self, node: Any) -> bytes:
        """The text of `node` itself, with new references; not for streams."""
        if isinstance(node, _PLAIN):
            return _plain(node)
        text: bytes = node.unparse(resolved=True)
        if self.renamed and (b"/D " in text or b"/Dest " in text):
            text = _TARGETED.sub(self._retarget, text)
        if b"(" in text or b"/StructParent" in text:
            return _TOKEN.sub(self._token, text)
        return self._plainly(text) if b" R" in text else text

    def drain(self) -> None:
        """Write everything that was reached."""
        while self._waiting:
            self.write(*self._waiting.pop())

    def write(self, node: Any, number: int) -> int:
        """Write one object under `number` and return its number; what it refers to waits for `drain`."""
        if not isinstance(node, self._stream):
            self.writer.put(number, self.body(node))
            return number
        data = node.read_raw_bytes()
        entries = node.stream_dict
        if "/Length" in entries:
            del entries["/Length"]
        self._depth += 1
        text = self.body(entries)[2:-2].strip()
        self._depth -= 1
        return self.writer.stream(number, text, data)

    def reached(self, node: Any) -> bool:
        """Whether `node` is part of the result."""
        return self.numbers.get(node.objgen) is not None

    def _reference(self, key: Key) -> bytes:
        if key not in self.numbers:
            self._meet(key)
        number = self.numbers[key]
        return NULL if number is None else b"%d 0 R" % number

    def _meet(self, key: Key) -> None:
        node: Any = self.pdf.get_object(key)
        if node is None:
            self.numbers[key] = None
            return
        number = self.numbers[key] = self.writer.reserve()
        # Only a stream that is written before it is referred to can turn out to be another's twin.
        if isinstance(node, self._stream) and self._depth < _DEEPEST:
            self.numbers[key] = self.write(node, number)
        else:
            self._waiting.append((node, number))

    def _plainly(self, text: bytes) -> bytes:
        """As `_token` does, for text without strings: there a word R can only end a reference. Half the time."""
        words, at = text.split(b" "), 0
        for _ in range(words.count(b"R")):
            at = words.index(b"R", at + 1)
            key = words[at - 2], words[at - 1]
            known = self._words.get(key)
            if known is None:
                new = self._reference((int(key[0]), int(key[1]))).split(b" ")
                known = self._words[key] = (new[0], b"0", b"R") if len(new) == 3 else (NULL, b"", b"")
            words[at - 2 : at + 1] = known
        return b" ".join(words)

    def _token(self, found: re.Match[bytes]) -> bytes:
        token = found[0]
        return self._known.get(token) or self._replaced(token, *found.groups())

    def _replaced(
        self, token: bytes, number: bytes | None, generation: bytes, tag: bytes | None, index: bytes
    ) -> bytes:
        if number is not None:
            self._known[token] = new = self._reference((int(number), int(generation)))
            return new
        if tag is None:
            return token
        return b"" if self.tags is None else b"/%b %d" % (tag, int(index) + self.tags)

    def _retarget(self, found: re.Match[bytes]) -> bytes:
        if not found["key"] or (found["key"] == b"D" and found["rest"] is None):
            return found[0]
        new = self.renamed.get(self._name(found["name"]))
        if new is None:
            return found[0]
        shown = new if new.startswith(b"/") else b"<%b>" % new[1:].hex().encode()
        return b"/%b %b%b" % (found["key"], shown, found["rest"] or b"")

    def _name(self, token: bytes) -> bytes:
        return token if token.startswith(b"/") else b"(" + bytes(self._parse(token))


def _plain(value: bool | int | Decimal | None) -> bytes:
    if value is None or isinstance(value, bool):
        return {None: NULL, True: b"true", False: b"false"}[value]
    return str(value).encode() if isinstance(value, int) else format(value, "f").encode()
