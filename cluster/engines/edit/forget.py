"""Removed letters go from the fonts too: outlines, widths, names and meanings of what nothing shows any more.

A subset's glyphs, its widths and its ToUnicode say which letters a document had: a name that stood once can be put
together again. A font is cut to what is still shown anywhere in the document, comments included. Each program is
drawn by MuPDF before and after: what stays must look the same, what went must not look as it did; else the program
stays as it was and the receipt tells its name.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf

from cluster.engines.edit.fonts import Fonts
from cluster.engines.edit.sheets import is_cut
from cluster.engines.fonts.cut import Shown, cut
from cluster.engines.fonts.programs import FONT_FILES, Program, forget_sets, programs
from cluster.engines.fonts.tounicode import to_unicode
from cluster.engines.pdf.burden import unpacked
from cluster.engines.pdf.drawn import Heard, Key, TooMuch, Walk
from cluster.engines.pdf.matrix import Matrix
from cluster.engines.pdf.nodes import get, is_dictionary, items
from cluster.problem import LimitProblem

_KINDS = ("/Type0", "/Type1", "/MMType1", "/TrueType", "/Type3")
_LOOKS = ("/N", "/D", "/R")
#: What an emptied form or pattern keeps, to be one.
_BARE = ("/Type", "/Subtype", "/BBox", "/PatternType", "/PaintType", "/TilingType", "/XStep", "/YStep", "/Length")


@dataclass
class Forgotten:
    """How many fonts were cut, and the names of those that may still tell of removed letters."""

    cut: int = 0
    left: list[str] = field(default_factory=list)


class Gone:
    """Codes that were removed, by the font that showed them."""

    def __init__(self) -> None:
        self.codes: dict[Key, set[bytes]] = {}
        self.whole: set[Key] = set()
        #: Pictures, forms, patterns and meshes of which something was removed where they were drawn.
        self.struck: dict[Key, Any] = {}

    def take(self, font: Any, codes: Iterable[bytes]) -> None:
        """Letters that went."""
        if is_dictionary(font) and font.is_indirect:
            self.codes.setdefault(font.objgen, set()).update(codes)

    def strike(self, node: Any) -> None:
        """A picture, form, pattern or mesh that is not drawn any more as it was, at least not there."""
        if isinstance(node, pikepdf.Stream) and node.is_indirect:
            self.struck[node.objgen] = node

    def take_annotation(self, annotation: Any) -> None:
        """Whatever its appearances showed."""
        for key in _LOOKS:
            for form in _forms(get(annotation, "/AP", key)):
                fonts = get(form.get("/Resources"), "/Font")
                self.whole |= {font.objgen for font in (fonts.as_dict().values() if is_dictionary(fonts) else ())}


def forget(pdf: "pikepdf.Pdf", gone: Gone, fonts: Fonts) -> Forgotten:
    """Cut the fonts of what is gone, and empty what nothing draws any more. Raises too_large_when_opened."""
    if not gone.codes and not gone.whole and not gone.struck:
        return Forgotten()
    heard = _Hearing()
    try:
        for number, page in enumerate(pdf.pages):
            heard.page(number, page)
    except TooMuch as error:
        raise LimitProblem("too_large_when_opened") from error
    for key in gone.struck.keys() - heard.met:
        _empty(gone.struck[key])
    return _Forgetting(pdf, fonts, heard, gone).all()


def _empty(node: Any) -> None:
    """Leave nothing of a picture, form, pattern or mesh: names in resources, tags and who knows what lead to it."""
    if "/ShadingType" in node:
        node.write(b"")
        return
    picture = node.get("/Subtype") == "/Image"
    for key in set(node.keys()) - set(_BARE):
        del node[key]
    if picture:
        node["/Subtype"], node["/BBox"] = pikepdf.Name.Form, pikepdf.Array([0, 0, 0, 0])
    node.write(b"")


class _Hearing(Walk):
    """Notes the strings that are shown, by font, and the pictures, forms, patterns and meshes that are drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.strings: dict[Key, set[bytes]] = {}
        self.met: set[Key] = set()

    def form(self, form: Any, matrix: Matrix, resources: Any, depth: int) -> int:
        if isinstance(form, pikepdf.Stream):
            self.met.add(form.objgen)
        return super().form(form, matrix, resources, depth)

    def place(self, image: Any, matrix: Matrix) -> None:
        self.met.add(image.objgen)
        super().place(image, matrix)

    def shade(self, shading: Any) -> int:
        if isinstance(shading, pikepdf.Stream):
            self.met.add(shading.objgen)
        return super().shade(shading)

    def heard(self, font: Any) -> Heard:
        return self.strings.setdefault(font.objgen, set()).add


@dataclass
class _Forgetting:
    pdf: "pikepdf.Pdf"
    fonts: Fonts
    heard: _Hearing
    gone: Gone
    done: Forgotten = field(default_factory=Forgotten)
    known: dict[Key, set[bytes]] = field(default_factory=dict)

    def all(self) -> Forgotten:
        typed = set(_typed(self.pdf))
        found = programs(self.pdf)
        for program, fonts in _grouped(found, [font for font in document_fonts(self.pdf) if font.objgen not in typed]):
            if any(self.lost(font) or font.objgen in self.gone.whole for font in fonts):
                self.forget(program, fonts)
        return self.done

    def used(self, font: Any) -> set[bytes]:
        """Codes that are shown yet."""
        if font.objgen not in self.known:
            strings = self.heard.strings.get(font.objgen, ())
            self.known[font.objgen] = {code.data for each in strings for code in self.fonts.of(font).codes(each)}
        return self.known[font.objgen]

    def lost(self, font: Any) -> set[bytes]:
        """Codes that nothing shows any more."""
        held = self.gone.codes.get(font.objgen)
        return held - self.used(font) if held else set()

    def forget(self, program: Program | None, fonts: list[Any]) -> None:
        """One program, or one font that has none."""
        name = self.fonts.of(fonts[0]).name
        followed = not self.heard.drawn.unread and not (
            program and any(each.objgen in self.heard.drawn.whole for each in program.descriptors)
        )
        if not followed or any(not self.fonts.of(font).readable for font in fonts):
            self.done.left.append(name)
            return
        shown = self.shown(fonts)
        if program and not self.cut(program, fonts, list(shown.values())):
            self.done.left.append(name)
        else:
            self.done.cut += 1
        for font in fonts:
            self.quiet(font)
        for each in shown.values():
            _narrow(self.pdf, each)

    def shown(self, fonts: list[Any]) -> dict[Key, Shown]:
        """The fonts that have the descriptors, and what they show: codes or CIDs."""
        found: dict[Key, Shown] = {}
        for font in fonts:
            below, text = drawn_by(font), self.fonts.of(font)
            held = found.setdefault((below if below.is_indirect else font).objgen, Shown(below, set()))
            held.codes.update(text.number(code) for code in self.used(font))
        return found

    def cut(self, program: Program, fonts: list[Any], shown: list[Shown]) -> bool:
        if not any(each.codes for each in shown):
            for each in program.descriptors:
                del each[program.key]
                forget_sets(each)
            return True
        made = cut(program.stream, program.key, shown, program.name)
        letters = [(font, self.used(font), self.lost(font)) for font in fonts]
        if made is None or not is_cut(letters, made):
            return is_cut(letters, None)  # fonts of hidden words draw nothing anyway
        made.embed(program.stream, program.descriptors)
        return True

    def quiet(self, font: Any) -> None:
        """Meanings, and the drawings and names of a simple font."""
        used, text = self.used(font), self.fonts.of(font)
        if isinstance(font.get("/ToUnicode"), pikepdf.Stream):
            font["/ToUnicode"] = self.pdf.make_stream(to_unicode(text.meanings(used)))
        encoding = font.get("/Encoding")
        if is_dictionary(encoding) and "/Differences" in encoding:
            kept = _differences(encoding, {code[0] for code in used})
            font["/Encoding"] = pikepdf.Dictionary({**dict(encoding.items()), "/Differences": pikepdf.Array(kept)})
            drawings = font.get("/CharProcs")
            if is_dictionary(drawings):
                names = {str(each) for each in kept if isinstance(each, pikepdf.Name)}
                font["/CharProcs"] = pikepdf.Dictionary({key: value for key, value in drawings.items() if key in names})
                _prune(font)


def _prune(font: Any) -> None:
    """Leave a drawn font the resources that its drawings name, wherever in them the name stands."""
    drawings, held = [unpacked(each) for each in font["/CharProcs"].as_dict().values()], font.get("/Resources")
    if not is_dictionary(held):
        return
    groups = {key: each for key, each in held.items() if is_dictionary(each)}
    below = [each for group in groups.values() for each in group.as_dict().values()]
    heirs = any(isinstance(each, pikepdf.Stream) and "/Resources" not in each and "/BBox" in each for each in below)
    drawn = b"\n".join(each or b"#" for each in drawings)
    if heirs or b"#" in drawn:  # what draws with the font's own, cannot be read, or spells names otherwise
        return
    kept = {
        key: pikepdf.Dictionary({name: each for name, each in group.items() if name[1:].encode() in drawn})
        for key, group in groups.items()
    }
    # A new one: pages and other fonts may share the old.
    font["/Resources"] = pikepdf.Dictionary(dict(held.items()) | kept)


def document_fonts(pdf: "pikepdf.Pdf") -> Iterator[Any]:
    """The fonts that content can name."""
    for each in pdf.objects:
        if is_dictionary(each) and each.get("/Subtype") in _KINDS and ("/BaseFont" in each or "/CharProcs" in each):
            yield each


def _grouped(found: dict[Key, Program], fonts: list[Any]) -> Iterator[tuple[Program | None, list[Any]]]:
    """Fonts that share a program, and each that has none."""
    groups: dict[Key, list[Any]] = {}
    for font in fonts:
        descriptor = get(drawn_by(font), "/FontDescriptor")
        streams = [held.objgen for key in FONT_FILES if isinstance(held := get(descriptor, key), pikepdf.Stream)]
        groups.setdefault(next((each for each in streams if each in found), font.objgen), []).append(font)
    yield from ((found.get(key), group) for key, group in groups.items())


def drawn_by(font: Any) -> Any:
    """The font that has the descriptor."""
    below = items(get(font, "/DescendantFonts"))
    return below[0] if below and is_dictionary(below[0]) else font


def _typed(pdf: "pikepdf.Pdf") -> Iterator[Key]:
    """Fonts that fields are typed with: whole ones say nothing of what stood there."""
    held = get(pdf.Root, "/AcroForm", "/DR", "/Font")
    for font in held.as_dict().values() if is_dictionary(held) else ():
        if is_dictionary(font) and str(font.get("/BaseFont", ""))[7:8] != "+":
            yield font.objgen


def _forms(look: Any) -> list[Any]:
    return (
        [look]
        if isinstance(look, pikepdf.Stream)
        else [
            each
            for each in (look.as_dict().values() if is_dictionary(look) else ())
            if isinstance(each, pikepdf.Stream)
        ]
    )


def _differences(encoding: Any, used: set[int]) -> list[Any]:
    kept, code = list[Any](), 0
    for each in items(encoding["/Differences"]):
        if isinstance(each, pikepdf.Name):
            kept += [code, each] if code in used else []
            code += 1
        else:
            code = int(each)
    return kept


def _narrow(pdf: "pikepdf.Pdf", shown: Shown) -> None:
    """Widths and numbers of what is shown alone."""
    font, codes = shown
    if isinstance(font.get("/Widths"), pikepdf.Array):
        first = int(font.get("/FirstChar", 0))
        widths = enumerate(font["/Widths"], first)
        font["/Widths"] = pikepdf.Array([width if code in codes else 0 for code, width in widths])
    for key, each in (("/W", 1), ("/W2", 3)):
        if isinstance(font.get(key), pikepdf.Array):
            font[key] = pikepdf.Array(_kept_widths(list(font[key]), each, codes))
    table = font.get("/CIDToGIDMap")
    if isinstance(table, pikepdf.Stream):
        held = table.read_bytes()
        pairs = (held[2 * cid : 2 * cid + 2] if cid in codes else b"\0\0" for cid in range(max(codes, default=0) + 1))
        font["/CIDToGIDMap"] = pdf.make_stream(b"".join(pairs))
    if is_dictionary(font.get("/FontDescriptor")):
        forget_sets(font["/FontDescriptor"])


def _kept_widths(told: list[Any], size: int, cids: set[int]) -> list[Any]:
    """A composite font's widths (`size` numbers for each) of these CIDs."""
    kept, at = list[Any](), 0
    while at + 1 < len(told):
        first, second = int(told[at]), told[at + 1]
        if isinstance(second, pikepdf.Array):
            held = {first + n // size: list(second)[n : n + size] for n in range(0, len(second), size)}
            at += 2
        else:
            values = told[at + 2 : at + 2 + size]
            held = {cid: values for cid in cids if first <= cid <= int(second)}
            at += 2 + size
        for cid in sorted(held.keys() & cids):
            kept += [cid, pikepdf.Array(held[cid])]
    return kept
