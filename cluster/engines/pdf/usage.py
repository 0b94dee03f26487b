"""Which resources content names: what pruning keeps.

A name that stands in the content in any place counts as used, so nothing needed is lost;
pictures and forms count only when they are drawn, because they are where other pages' content hides.
Nothing is pruned where any of the content cannot be decoded: readers differ in what they make of it.

Two patterns over the joined streams, not a tokenizer: a name and the `Do` after it can be apart by white space,
comments and the end of a stream only, so they find all that a tokenizer would; words in strings or inline
pictures that look the same keep a resource too many, and nothing that cannot be parsed takes one away.
"""

import re
from collections.abc import Iterable, Iterator, Set
from typing import Any, NamedTuple

from cluster.engines.pdf.reader import STREAM_LIMIT, Broken, Document, Stream, TooLarge
from cluster.engines.pdf.syntax import Ref, Unreadable, plain_name, write

_CATEGORIES = (b"/Font", b"/XObject", b"/ExtGState", b"/ColorSpace", b"/Pattern", b"/Shading", b"/Properties")
_DEFAULTS = {b"/DefaultGray", b"/DefaultRGB", b"/DefaultCMYK"}
_NAME = rb"/[^\x00\t\n\x0c\r ()<>\[\]{}/%]*+"
_NAMED = re.compile(_NAME)
_GAP = rb"(?:[\x00\t\n\x0c\r ]++|%[^\r\n]*+)*+"
_DRAWN = re.compile(rb"(" + _NAME + rb")" + _GAP + rb"Do(?![a-zA-Z])")
#: A name at the end of a block, or of a stream, whose operator may begin the next.
_OPEN = re.compile(_NAME + _GAP + rb"D?\Z")
#: More white space and comments than this between the two are not looked over.
_OVERLAP = 4096
_FEW = 8
_REMEMBERED = 500
_HEIRS = {b"/XObject", b"/Pattern", b"/Font"}
#: A font has one of them that tells of letters.
_TELLING = frozenset((b"/FontDescriptor", b"/CharProcs", b"/ToUnicode", b"/DescendantFonts"))


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
        #: Whether a font that tells of letters stands in resources themselves, where it is no object.
        self.fonts = False

    def pruned(self, resources: Any, contents: Iterable[Any]) -> dict[bytes, Any]:
        """`resources` with only what the streams of `contents` name; all of them when one cannot be decoded."""
        held = self._opened(resources)
        if held.light:
            return {**held.rest, **held.groups}
        names = Names()
        try:
            self._scan(names, contents)
            self._add_heirs(names, held.groups)
        except Broken:
            return {**held.rest, **held.groups}
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
            rest = {key: held[key] for key in (b"/ProcSet",) if key in held}
            known = _Opened(rest, groups, self._all_light(groups))
            fonts = groups.get(b"/Font", {}).values()
            self.fonts = self.fonts or any(type(font) is dict and tells_letters(font.keys()) for font in fonts)
            if type(resources) is Ref:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[resources] = known
        return known

    def _scan(self, names: Names, contents: Iterable[Any]) -> None:
        """Read the streams as one, as readers do: a name may stand at the end of one and its operator in the next."""
        tail = b""
        for each in contents:
            stream = self.document.get(each)
            if type(stream) is Stream:
                for block in _blocks(self.document, stream):
                    names.add(joined := tail + block)
                    tail = _open_end(joined)
                tail += b"\n"

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
        """Whether keeping `value` unused costs and tells nothing: a plain dictionary of names and numbers."""
        if type(value) is not Ref:
            return type(value) is dict and not any(_tells(each) for each in value.values())
        known = self._light.get(value)
        if known is None:
            known = self._light[value] = self.light(self.document.get(value))
        return known


def tells_letters(keys: Set[bytes]) -> bool:
    """Whether a dictionary with these keys is a font that tells of letters."""
    return not keys.isdisjoint(_TELLING)


def _tells(value: Any) -> bool:
    """Whether it leads on, or holds words: a layer's name, what a property list says."""
    if type(value) is list:
        return any(_tells(each) for each in value)
    return type(value) is not bytes or value.startswith((b"(", b"<"))


def _open_end(content: bytes) -> bytes:
    found = _OPEN.search(content, max(0, len(content) - _OVERLAP))
    return found[0] if found else b""


def _blocks(document: Document, stream: Stream) -> Iterator[bytes]:
    try:
        yield from document.decoded(stream)
    except Broken:
        raise
    except Unreadable:
        yield decode_any(document, stream)


def decode_any(document: Document, stream: Stream) -> bytes:
    """The stream through qpdf, which knows every filter. Raises Broken, TooLarge."""
    from cluster.engines.pdf.libraries import import_pikepdf

    if stream.length > STREAM_LIMIT:
        raise TooLarge
    pikepdf = import_pikepdf()
    with pikepdf.new() as pdf:
        copy = pdf.make_stream(document.read(stream))
        try:
            for key in (b"/Filter", b"/DecodeParms"):
                if key in stream.entries:
                    copy[key.decode()] = pikepdf.Object.parse(_written(document, stream.entries[key]))
            data = bytes(copy.read_bytes())
        except (pikepdf.PdfError, RuntimeError, ValueError) as error:
            if "memory limit" in str(error):
                raise TooLarge from error
            raise Broken from error
        if pdf.get_warnings():
            raise Broken
        return data


def _written(document: Document, value: Any) -> bytes:
    found = document.get(value)
    if type(found) is dict:
        return write({key: document.get(each) for key, each in found.items() if type(document.get(each)) is bytes})
    if type(found) is list:
        return b"[" + b" ".join([_written(document, each) for each in found]) + b"]"
    return write(found) if type(found) is bytes else b"null"
