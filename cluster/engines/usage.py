"""Which resources a content stream names: what pruning keeps.

A name that stands in the content in any place counts as used, so nothing needed is lost;
pictures and forms count only when they are drawn, because they are where other pages' content hides.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cluster.engines.source import Document, Stream, TooLarge
from cluster.engines.syntax import Ref, Unreadable, plain_name, write

_CATEGORIES = (b"/Font", b"/XObject", b"/ExtGState", b"/ColorSpace", b"/Pattern", b"/Shading", b"/Properties")
_DEFAULTS = {b"/DefaultGray", b"/DefaultRGB", b"/DefaultCMYK"}
_NAMED = re.compile(rb"/[^\x00\t\n\x0c\r ()<>\[\]{}/%]*+")
_DRAWN = re.compile(rb"(/[^\x00\t\n\x0c\r ()<>\[\]{}/%]*+)[\x00\t\n\x0c\r ]*+Do(?![a-zA-Z])")
#: A name and its operator may stand on both sides of a block's end.
_OVERLAP = 300
_FEW = 8
_REMEMBERED = 500
_HEIRS = {b"/XObject", b"/Pattern", b"/Font"}


class _Opened(NamedTuple):
    """A /Resources dictionary by category; light: not worth pruning."""

    rest: dict[bytes, Any]
    groups: dict[bytes, dict[bytes, Any]]
    light: bool


class Names:
    """The names that content mentions, and those it draws with Do."""

    __slots__ = ("drawn", "named")

    def __init__(self) -> None:
        self.named: set[bytes] = set()
        self.drawn: set[bytes] = set()

    def add(self, content: bytes) -> None:
        found = set(_NAMED.findall(content))
        self.named |= found
        drawn = set(_DRAWN.findall(content)) if b"Do" in content else set()
        self.drawn |= drawn
        for names, each in ((self.named, found), (self.drawn, drawn)):
            names.update([plain_name(name) for name in each if b"#" in name])


class Usage:
    """Prunes /Resources dictionaries of one document; what does not depend on the part is remembered."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._light: dict[int, bool] = {}
        self._known: dict[int, _Opened] = {}

    def pruned(self, resources: Any, contents: Iterable[Any]) -> dict[bytes, Any]:
        """`resources` with only what the streams of `contents` name."""
        held = self._opened(resources)
        if held.light:
            return {**held.rest, **held.groups}
        names = Names()
        self._scan(names, contents)
        self._add_heirs(names, held.groups)
        kept = dict(held.rest)
        for key, group in held.groups.items():
            used = names.drawn if key == b"/XObject" else names.named | _DEFAULTS
            if chosen := {name: group[name] for name in sorted(used & group.keys())}:
                kept[key] = chosen
        return kept

    def _opened(self, resources: Any) -> "_Opened":
        known = self._known.get(resources) if type(resources) is Ref else None
        if known is None:
            document = self.document
            held = document.dictionary(resources)
            groups = {key: document.dictionary(held[key]) for key in _CATEGORIES if key in held}
            rest = {key: value for key, value in held.items() if key not in groups}
            known = _Opened(rest, groups, self._all_light(groups))
            if type(resources) is Ref:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[resources] = known
        return known

    def _scan(self, names: Names, contents: Iterable[Any]) -> None:
        for each in contents:
            stream = self.document.get(each)
            if type(stream) is Stream:
                for block in _blocks(self.document, stream):
                    names.add(block)

    def _add_heirs(self, names: Names, groups: dict[bytes, dict[bytes, Any]]) -> None:
        """A form, pattern or Type 3 font without /Resources draws with those of the page."""
        seen: set[bytes] = set()
        reached = True
        while reached:
            reached = False
            for key in _HEIRS & groups.keys():
                used = names.drawn if key == b"/XObject" else names.named
                for name in used & groups[key].keys():
                    if key + name not in seen:
                        seen.add(key + name)
                        reached = True
                        self._scan(names, self._heirs(groups[key][name]))

    def _heirs(self, value: Any) -> list[Any]:
        found = self.document.get(value)
        entries = self.document.dictionary(found)
        if b"/Resources" in entries:
            return []
        if type(found) is Stream:
            return [found] if entries.get(b"/Subtype") != b"/Image" else []
        return list(self.document.dictionary(entries.get(b"/CharProcs", b"null")).values())

    def _all_light(self, groups: dict[bytes, dict[bytes, Any]]) -> bool:
        if sum(map(len, groups.values())) > _FEW:
            return False
        return all(self.light(value) for group in groups.values() for value in group.values())

    def light(self, value: Any) -> bool:
        """Whether keeping `value` unused costs and tells nothing: a plain dictionary of plain values."""
        if type(value) is not Ref:
            return type(value) is dict and not any(type(each) in (dict, Ref) for each in value.values())
        known = self._light.get(value)
        if known is None:
            known = self._light[value] = self.light(self.document.get(value))
        return known


def _blocks(document: Document, stream: Stream) -> Iterator[bytes]:
    tail = b""
    try:
        for block in document.decoded(stream):
            yield tail + block
            tail = block[-_OVERLAP:]
    except Unreadable:
        yield decode_any(document, stream)


def decode_any(document: Document, stream: Stream) -> bytes:
    """The stream through qpdf, which knows every filter; what cannot be decoded is empty."""
    from cluster.engines.pdf import import_pikepdf

    pikepdf = import_pikepdf()
    with pikepdf.new() as pdf:
        copy = pdf.make_stream(document.read(stream))
        for key in (b"/Filter", b"/DecodeParms"):
            if key in stream.entries:
                copy[key.decode()] = pikepdf.Object.parse(_written(document, stream.entries[key]))
        try:
            return bytes(copy.read_bytes())
        except UnicodeDecodeError:
            return b""  # pikepdf trips over its own words when they quote the stream
        except (pikepdf.PdfError, RuntimeError) as error:
            if "memory limit" in str(error):
                raise TooLarge from error
            return b""


def _written(document: Document, value: Any) -> bytes:
    found = document.get(value)
    if type(found) is dict:
        return write({key: document.get(each) for key, each in found.items() if type(document.get(each)) is bytes})
    if type(found) is list:
        return b"[" + b" ".join([_written(document, each) for each in found]) + b"]"
    return write(found) if type(found) is bytes else b"null"
