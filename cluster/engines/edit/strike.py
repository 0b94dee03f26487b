"""What lies beneath boxes taken out of a page's content: letters, lines and areas, pixels, shadings, and what was said
of them aloud. Nothing is drawn over it here."""

from dataclasses import dataclass, field
from typing import Any

import pikepdf

from cluster.engines.edit.follow import named, read_cell
from cluster.engines.edit.fonts import Fonts
from cluster.engines.edit.forget import Gone
from cluster.engines.edit.meshes import without
from cluster.engines.edit.paths import around, cut, reach
from cluster.engines.edit.patterns import cells, lone, matrix_of
from cluster.engines.edit.pixels import blanked, from_inline
from cluster.engines.edit.scene import Box, Drawn, Glyph, Ink, Path, Scene, Show
from cluster.engines.edit.shapes import Boxes, Outline, body, bounds, corners, landed, overlap, room, spared, within
from cluster.engines.edit.writing import copied, gone, is_edited, shown, write_form
from cluster.engines.pdf.matrix import Matrix, inverse
from cluster.engines.pdf.nodes import get, is_dictionary

_UNIT: Outline = corners((0.0, 0.0, 1.0, 1.0))
_SPOKEN = ("/ActualText", "/Alt", "/E")


class Unreadable(Exception):
    """A picture whose pixels cannot be taken out alone."""


@dataclass
class Struck:
    """What went: words as they stood on their lines, how many letters, paths, pictures; `tags`: numbers of marks."""

    gone: Gone
    words: list[str] = field(default_factory=list)
    letters: int = 0
    paths: int = 0
    pictures: int = 0
    tags: set[int] = field(default_factory=set)


def strike(pdf: "pikepdf.Pdf", scene: Scene, boxes: Boxes, images: dict[Any, Any], gone: Gone, fonts: Fonts) -> Struck:
    """Edit the scene and the forms in it. `images`: blanked pictures by picture and place, made once.

    `gone` takes the letters that went.

    Raises Unreadable, too_large_when_opened.
    """
    struck = Struck(gone)
    _strike(pdf, scene, boxes, images, struck, fonts)
    return struck


def _strike(
    pdf: "pikepdf.Pdf", scene: Scene, boxes: Boxes, images: dict[Any, Any], struck: Struck, fonts: Fonts
) -> None:
    for use in _uses(scene):
        _Striking(pdf, scene, boxes, images, struck, fonts).behind(use)
    for each in scene.whole():
        _Striking(pdf, each, boxes, images, struck, fonts).all()
    for form in copied(scene):
        struck.gone.strike(form)


@dataclass
class _Use:
    """A tiling pattern in its place: the inks that chose it, the text that it paints, and the boxes around areas."""

    inks: dict[int, Ink] = field(default_factory=dict)
    shows: list[Show] = field(default_factory=list)
    areas: list[Box] = field(default_factory=list)


def _uses(scene: Scene) -> list[_Use]:
    """Those that letters are painted with."""
    found: dict[Any, _Use] = {}
    for each in scene.whole():
        everything: list[Show | Path] = [*each.shows, *each.paths]
        for painted, ink in ((one, ink) for one in everything for ink in one.inks if not is_dictionary(ink.pattern)):
            use = found.setdefault((ink.pattern.objgen, ink.scene.matrix), _Use())
            use.inks[id(ink)] = ink
            if isinstance(painted, Show):
                use.shows.append(painted)
            else:
                use.areas.append(reach(painted))
    return [use for use in found.values() if use.shows]


@dataclass
class _Striking:
    pdf: "pikepdf.Pdf"
    scene: Scene
    boxes: Boxes
    images: dict[Any, Any]
    struck: Struck
    fonts: Fonts
    silent: set[int] = field(default_factory=set)

    def all(self) -> None:
        for show in self.scene.shows:
            self.show(show)
        for path in self.scene.paths:
            told = self.scene.data[slice(*path.span)]
            if path.span not in self.scene.edits and (new := cut(path, self.boxes, told)) is not None:
                self.scene.edits[path.span] = new
                self.struck.paths += path.operator != b"n"
                self.silent |= set(path.spoken)
                for ink in path.inks:
                    self.repaint(ink, reach(path))
        for picture in self.scene.pictures:
            self.picture(picture)
        self.struck.tags |= silence(self.scene, self.silent)

    def behind(self, use: _Use) -> None:
        """A pattern without what is seen of its cells behind letters in the places, and nowhere else."""
        ink, *_ = use.inks.values()
        rooms = [(bounds(room(glyph, show.font)), glyph, show) for show in use.shows for glyph in show.glyphs]
        painted = [box for box, _, _ in rooms if self.boxes.near(box)]
        if not painted:
            return
        around_all = bounds([corner for box in painted for corner in corners(box)])
        hidden = [box for each in self.boxes.all if (box := within(each, around_all))]
        stays = [within(box, show.clip) for box, glyph, show in rooms if not (show.hidden or self.hits(glyph, show))]
        kept = spared([box for box in (*stays, *use.areas) if box], self.boxes.all)
        matrix, alone = lone(ink.pattern, ink.scene.matrix, hidden, kept)
        if alone and (made := self.cell(ink.pattern, matrix, Boxes(alone, self.boxes.frame))) is not None:
            for each in use.inks.values():
                self.replace(each, made)

    def repaint(self, ink: Ink, painted: Box) -> None:
        """The pattern without what its mesh, or its cells in an area, show in the places."""
        if is_dictionary(ink.pattern):
            mesh = self.mesh(ink.pattern.get("/Shading"), matrix_of(ink.pattern, ink.scene.matrix))
            if mesh is not None:
                self.replace(ink, pikepdf.Dictionary({**dict(ink.pattern.items()), "/Shading": mesh}))
            return
        for matrix in cells(ink.pattern, ink.scene.matrix, painted, self.boxes):
            if (made := self.cell(ink.pattern, matrix, self.boxes)) is not None:
                self.replace(ink, made)

    def cell(self, pattern: Any, matrix: Matrix, boxes: Boxes) -> Any:
        """The pattern without what its cell at `matrix` shows in the boxes; None where that is nothing."""
        inner = read_cell(pattern, matrix, self.fonts)
        _strike(self.pdf, inner, boxes, self.images, self.struck, self.fonts)
        if not is_edited(inner):
            return None
        self.struck.gone.strike(pattern)
        return write_form(self.pdf, pattern, inner)

    def replace(self, ink: Ink, pattern: Any) -> None:
        """Another pattern where the ink was chosen."""
        ink.pattern = pattern
        ink.name = ink.name or ink.scene.name("/Pattern", ink.pattern, "P")
        ink.scene.added["/Pattern", ink.name] = ink.pattern
        ink.scene.edits[ink.span] = b"%b %b %b" % (ink.told, ink.name.encode(), ink.operator)

    def mesh(self, shading: Any, matrix: Matrix) -> Any:
        """The shading without what lies in the places; None where that is nothing."""
        try:
            made = without(self.pdf, shading, matrix, self.boxes)
        except (ValueError, TypeError) as error:
            raise Unreadable from error
        if made is not None:
            self.struck.gone.strike(shading)
        return made

    def show(self, show: Show) -> None:
        if show.inks and show.glyphs:
            painted = bounds([corner for glyph in show.glyphs for corner in room(glyph, show.font)])
            for ink in show.inks if self.boxes.near(painted) else ():
                if is_dictionary(ink.pattern):
                    self.repaint(ink, painted)
        taken = {at: each for at, each in enumerate(show.parts) if isinstance(each, Glyph) and self.hits(each, show)}
        if not taken:
            return
        for at, glyph in taken.items():
            show.parts[at] = gone(show, glyph)
        if show.moved or not self.struck.words:
            self.struck.words.append("")
        self.struck.words[-1] += "".join(glyph.code.text for glyph in taken.values())
        self.struck.letters += len(taken)
        self.struck.gone.take(show.font.object, (glyph.code.data for glyph in taken.values()))
        self.scene.edits[show.span] = shown(show)
        self.silent |= set(show.spoken)

    def hits(self, glyph: Glyph, show: Show) -> bool:
        """Whether a box touches the letter's body."""
        outline = body(glyph, show.font)
        return any(overlap(outline, corners(box)) for box in self.boxes.near(bounds(outline)))

    def picture(self, drawn: Drawn) -> None:
        if drawn.image is None and drawn.inline is None:
            self.shade(drawn)
            return
        outline = landed(drawn.matrix, _UNIT)
        near = [box for box in self.boxes.near(bounds(outline)) if overlap(outline, corners(box))]
        if not near:
            return
        self.struck.pictures += 1
        self.struck.gone.strike(drawn.image)
        self.silent |= set(drawn.spoken)
        back = inverse(drawn.matrix)
        if back is None or any(_holds(box, bounds(outline)) for box in near):
            self.scene.edits[drawn.span] = b""
            return
        made = self.blank(drawn, [landed(back, corners(box)) for box in near])
        name = self.scene.name("/XObject", made, "Im").encode()
        # Waves of a JPEG's neighbours are no contents of the place, but are seen.
        clip = (around(near, drawn.matrix) or b"") if made.get("/Filter") == "/DCTDecode" else b""
        self.scene.edits[drawn.span] = b"q %b%b Do Q" % (clip, name) if clip else name + b" Do"

    def shade(self, drawn: Drawn) -> None:
        told = self.scene.data[slice(*drawn.span)]
        shading = named(self.scene.resources, "/Shading", told.removesuffix(b"sh").strip())
        mesh = self.mesh(shading, drawn.matrix)
        if mesh is not None:
            told = self.scene.name("/Shading", mesh, "Sh").encode() + b" sh"
        clip = around(self.boxes.all, drawn.matrix)
        if clip is not None or mesh is not None:
            self.scene.edits[drawn.span] = b"q " + (clip or b"") + told + b" Q"

    def blank(self, drawn: Drawn, places: list[Outline]) -> Any:
        image, data = drawn.image, self.scene.data
        if drawn.inline:
            told = [data[token.start : token.end] for token in drawn.inline.operands]
            image = from_inline(self.pdf, told[:-1], told[-1], self.scene.resources) if told else None
        key = (image.objgen, tuple(places)) if image is not None and drawn.image is not None else None
        if key is not None and key in self.images:
            return self.images[key]
        try:
            made = None if image is None else blanked(self.pdf, image, places)
        except (pikepdf.PdfError, ValueError, TypeError, RuntimeError, IndexError, KeyError) as error:
            raise Unreadable from error
        if made is None:
            raise Unreadable
        if key is not None:
            self.images[key] = made
        return made


def silence(scene: Scene, spans: set[int]) -> set[int]:
    """Marked spans tell no words that stand for what they showed; returns their numbers in the structure."""
    tags = set[int]()
    for at in spans:
        spoken = scene.marks[at]
        held = spoken.properties
        if not is_dictionary(held):
            continue
        if isinstance(held.get("/MCID"), int):
            tags.add(int(held["/MCID"]))
        if not spoken.inline:
            for key in _SPOKEN:  # in its place: the resources that name it stay
                if key in held:
                    del held[key]
        elif any(key in held for key in _SPOKEN):
            kept = pikepdf.Dictionary({key: value for key, value in held.items() if key not in _SPOKEN})
            tag = scene.data[spoken.begin.operands[0].start : spoken.begin.operands[0].end]
            scene.edits[spoken.begin.start, spoken.begin.end] = tag + b" " + kept.unparse() + b" BDC"
    return tags


def _holds(box: Box, inner: Box) -> bool:
    return box[0] <= inner[0] and box[1] <= inner[1] and inner[2] <= box[2] and inner[3] <= box[3]


def silence_tags(pdf: "pikepdf.Pdf", page: "pikepdf.Page", numbers: set[int]) -> None:
    """The structure's words for content of the page with these numbers, and for all above it."""
    parents = _numbered(pdf, get(page.obj, "/StructParents"))
    for number in numbers:
        node: Any = parents[number] if isinstance(parents, pikepdf.Array) and 0 <= number < len(parents) else None
        for _ in range(100):
            if not is_dictionary(node) or node.get("/Type") == "/StructTreeRoot":
                break
            for key in (*_SPOKEN, "/T"):
                if key in node:
                    del node[key]
            node = node.get("/P")


def _numbered(pdf: "pikepdf.Pdf", key: Any) -> Any:
    """What the parent tree has for a number."""
    if not isinstance(key, int):
        return None
    tree = get(pdf.Root, "/StructTreeRoot", "/ParentTree")
    if not is_dictionary(tree):
        return None
    try:
        return pikepdf.NumberTree(tree).get(key)
    except (pikepdf.PdfError, ValueError, TypeError, RuntimeError, LookupError):
        return None
