"""Copy objects of a document into a sink, each once, following references, leaving other pages behind."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from cluster.engines.pages.packing import LEAST, is_packed, is_weak, packed
from cluster.engines.pdf.moulds import Letter, Mould
from cluster.engines.pdf.reader import Cast, Document, Stream
from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.syntax import Ref, number, template
from cluster.engines.pdf.usage import Usage, tells_letters

#: Objects that would pull other pages in; who needs one claims it and writes it himself.
_BARRED = frozenset(b"/Page /Pages /Catalog /StructElem /StructTreeRoot /Bead /Thread /Outlines /ObjStm /XRef".split())
#: Of a document of which all pages come along only these stay behind.
_REPLACED = frozenset(b"/Page /Pages /Catalog /StructTreeRoot /Outlines /ObjStm /XRef".split())
STRUCTURE_KEYS = (b"/StructParent", b"/StructParents")
#: Shapes remembered between parts, about 20 MB, and bytes of streams packed for them.
_REMEMBERED, _HELD = 20_000, 32 << 20
#: Streams that refer to streams are written at once up to here, then wait like everything else.
_DEEPEST = 20
NULL = b"null"


@dataclass(slots=True)
class Shape:
    """An object as bytes with a gap for each reference, ready to be written into any part."""

    text: bytes
    #: What stands in the gaps: objects of the source, and bytes as they are.
    refs: tuple[Any, ...]
    stream: Stream | None = None
    keys: tuple[int, ...] = ()
    #: The stream's bytes where they are not those of the source.
    packed: bytes | None = None


class Shapes:
    """The shapes of a document's objects, made once for all parts. None: must not be copied.

    `complete`: all pages come along, and with them what hangs on none; `thin`: resources are cut to what is drawn, and
    streams that were packed badly are packed anew: a whole document is put beside others as it is, in half the time;
    `edit` changes values, `shift` structure keys (None takes them away).
    """

    def __init__(
        self,
        document: Document,
        usage: Usage,
        *,
        complete: bool = False,
        thin: bool = True,
        edit: Callable[[Any], Any] | None = None,
        shift: int | None = 0,
    ) -> None:
        self.document, self.usage, self.edit, self.shift = document, usage, edit, shift
        self.complete, self.thin = complete, thin
        self._known: dict[int, Shape | None] = {}
        self._letters: dict[Mould, Letter | None] = {}
        self._held = 0
        self._barring = True
        #: Whether any shape was a font that tells of letters.
        self.fonts = False

    def release(self) -> None:
        """From now on what belongs to pages, fields or tags is copied like all else: those wanted otherwise are."""
        self._barring = False
        self._known = {numbered: shape for numbered, shape in self._known.items() if shape}

    def get(self, numbered: int) -> Shape | None:
        if numbered not in self._known:
            if len(self._known) >= _REMEMBERED or self._held > _HELD:
                self._known.clear()
                self._held = 0
            shape = self._known[numbered] = self._of(self.document.found(numbered))
            self._held += len(shape.packed) if shape and shape.packed else 0
        return self._known[numbered]

    def _of(self, found: Any) -> Shape | None:
        """The shape of an object: like those of others with other numbers, where it stays as it is."""
        if type(found) is not Cast:
            return self._make(found)
        mould, told, offset, length = found
        if mould not in self._letters:
            self.fonts = self.fonts or tells_letters(mould.keys)
            self._letters[mould] = mould.letter(mould.open()) if self._stays(found.value()) else None
        letter = self._letters[mould]
        if letter is None or (self.thin and offset and length > LEAST and is_weak(self.document, offset)):
            return self._make(found.value())
        return Shape(letter.text, letter.filled(told), Stream({}, offset, length) if offset else None)

    def _stays(self, value: Any) -> bool:
        """Whether an object, and others with the same keys and kinds of values, are written as they are."""
        if self.edit:
            return False
        if type(value) is dict:
            return not barred(value) and b"/CharProcs" not in value
        entries = value.entries
        changing = (*STRUCTURE_KEYS, b"/Resources", b"/PieceInfo") if self.thin else STRUCTURE_KEYS
        packed_well = not self.thin or is_packed(entries) is not False
        return packed_well and not any(key in entries for key in changing)

    def _make(self, found: Any) -> Shape | None:
        refs: list[int] = []
        if type(found) is Stream:
            data = packed(self.document, found) if self.thin else None
            entries = self._stream_entries(found, data)
            keys = tuple(number(entries[key], -1) for key in STRUCTURE_KEYS if key in entries)
            entries = shifted(entries, self.shift) if keys else entries
            return Shape(template(entries, refs), tuple(refs), found, keys, data)
        if type(found) is dict:
            if barred(found) if self._barring else found.get(b"/Type") in _REPLACED:
                return None
            self.fonts = self.fonts or tells_letters(found.keys())
            if b"/CharProcs" in found and b"/Resources" in found and self.thin:
                found = self._type3(found)
        found = self.edit(found) if self.edit else found
        return Shape(template(found, refs), tuple(refs))

    def _stream_entries(self, stream: Stream, data: bytes | None) -> dict[bytes, Any]:
        entries = {**stream.entries, b"/Length": b"%d" % (stream.length if data is None else len(data))}
        if data is not None:
            entries.pop(b"/DecodeParms", None)
            entries[b"/Filter"] = b"/FlateDecode"
        if not self.thin:
            return entries
        if b"/Resources" in entries:
            entries[b"/Resources"] = self.usage.pruned(entries[b"/Resources"], [stream])
        entries.pop(b"/PieceInfo", None)
        return entries

    def _type3(self, font: dict[bytes, Any]) -> dict[bytes, Any]:
        drawings = list(self.document.dictionary(font[b"/CharProcs"]).values())
        return {**font, b"/Resources": self.usage.pruned(font[b"/Resources"], drawings)}


def barred(found: dict[bytes, Any]) -> bool:
    """Whether a dictionary belongs to a page, a form field or the tag tree.

    Keys alone do not tell: glyphs and resources may be called /S, /P or /FT too, but their values are references.
    """
    if found.get(b"/Type") in _BARRED or type(found.get(b"/FT")) is bytes:
        return True
    if b"/Rect" in found and type(found.get(b"/Subtype")) is bytes:
        return True
    if type(found.get(b"/T")) is bytes and (b"/Kids" in found or b"/Parent" in found):
        return True
    return type(found.get(b"/S")) is bytes and type(found.get(b"/P")) is Ref


def shifted(entries: dict[bytes, Any], shift: int | None) -> dict[bytes, Any]:
    """`entries` with structure keys moved by `shift`, or without them where it is None."""
    keys = [key for key in STRUCTURE_KEYS if key in entries] if shift != 0 else []
    if not keys:
        return entries
    kept = {key: value for key, value in entries.items() if key not in keys}
    return kept if shift is None else kept | {key: b"%d" % (number(entries[key], 0) + shift) for key in keys}


class Copier:
    """One sink's view of a document: source number -> what stands for it here."""

    def __init__(self, document: Document, shapes: Shapes, pages: dict[int, int], sink: Sink) -> None:
        self.document, self.shapes, self.sink = document, shapes, sink
        self.pages = pages
        self.names: dict[int, bytes] = {}
        self.claimed: dict[int, int] = {}
        self.keys: set[int] = set()
        self._waiting: list[int] = []
        self._unwritten: dict[int, int] = {}
        self._depth = 0

    def claim(self, numbered: int) -> int:
        """The number under which the caller itself writes what stands for this object."""
        if numbered not in self.claimed:
            made = self._unwritten.pop(numbered, 0) or self.sink.reserve()
            self.claimed[numbered] = made
            self.names[numbered] = b"%d 0 R" % made
        return self.claimed[numbered]

    def stand_in(self, numbered: int, made: int) -> None:
        """From now on `made` stands for this object, which was claimed before."""
        self.claimed[numbered] = made
        self.names[numbered] = b"%d 0 R" % made

    def lead(self, numbered: int, name: bytes) -> None:
        """What refers to this object leads to `name` instead."""
        self.names[numbered] = name

    def own(self, made: int) -> Ref:
        """An object of the result as a value of the source: a number that the source does not have."""
        foreign = Ref(-made)
        self.names[foreign] = b"%d 0 R" % made
        return foreign

    def refer(self, numbered: int) -> bytes:
        """The reference to this object here; a page that is not here is null."""
        name = self.names.get(numbered)
        if name is None:
            name = self.names[numbered] = NULL if numbered in self.pages else self._met(numbered)
        return name

    def _met(self, numbered: int) -> bytes:
        made = self.sink.reserve()
        # Only a stream that is written before it is referred to can turn out to be another's twin.
        if self.sink.twins and self._depth < _DEEPEST:
            shape = self.shapes.get(numbered)
            if shape and shape.stream:
                self.names[numbered] = b"%d 0 R" % made
                return b"%d 0 R" % self._copy(shape, made)
        self._unwritten[numbered] = made
        self._waiting.append(numbered)
        return b"%d 0 R" % made

    def text(self, value: Any) -> bytes:
        """`value` of the source, as bytes for this sink."""
        refs: list[int] = []
        value = self.shapes.edit(value) if self.shapes.edit else value
        return self.filled(template(value, refs), refs)

    def filled(self, text: bytes, refs: Iterable[Any]) -> bytes:
        """`text` with its gaps closed: by what stands for objects here, and by bytes as they are."""
        return text % tuple([each if type(each) is bytes else self._gap(each) for each in refs])

    def _gap(self, held: Any) -> bytes:
        if type(held) is list:
            return b"[" + b" ".join([self.refer(each) for each in held]) + b"]"
        return self.names.get(held) or self.refer(held)

    def put(self, made: int, value: Any) -> None:
        """Write `value` of the source as object `made`."""
        self.sink.put(made, self.text(value))

    def drain(self) -> None:
        """Copy everything referred to so far; what must not be copied waits to be claimed."""
        while self._waiting:
            numbered = self._waiting.pop()
            if numbered in self._unwritten and (shape := self.shapes.get(numbered)):
                self._copy(shape, self._unwritten.pop(numbered))

    def finish(self) -> None:
        """What nobody claimed comes along with a complete document, and is null elsewhere."""
        self.drain()
        if self.shapes.complete:
            self.shapes.release()
            self._waiting = list(self._unwritten)
            self.drain()
        for made in self._unwritten.values():
            self.sink.put(made, NULL)
        self._unwritten.clear()

    def _copy(self, shape: Shape, made: int) -> int:
        """Write it; the number to refer to."""
        self._depth += 1
        body = self.filled(shape.text, shape.refs)
        self._depth -= 1
        if shape.keys:
            self.keys.update(shape.keys)
        stream = shape.stream
        if stream is None:
            self.sink.put(made, body)
            return made
        if shape.packed is not None:
            return self.sink.put_stream(made, body, shape.packed)
        return self.sink.copy_stream(made, body, self.document, stream)
