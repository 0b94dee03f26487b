"""A document edited: every act in its turn, and what came of them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.edit.adding import Adding
from cluster.engines.edit.copies import clean_copies
from cluster.engines.edit.fill import fill
from cluster.engines.edit.find import Hit, find, search_for
from cluster.engines.edit.follow import read_page
from cluster.engines.edit.fonts import Fonts
from cluster.engines.edit.lines import find_line, words_in
from cluster.engines.edit.redact import Place, Removed, boxes_in, redact
from cluster.engines.edit.retext import Retext, TooLong, Unwritable
from cluster.engines.edit.scene import Box, Scene
from cluster.engines.edit.shapes import Boxes, Outline, bounds, corners, landed
from cluster.engines.edit.strike import silence_tags
from cluster.engines.edit.writing import write_page
from cluster.engines.fonts.embed import Fonts as Faces
from cluster.engines.forms.flatten import flatten
from cluster.engines.marks.place import standing, view_of
from cluster.engines.pdf.matrix import inverse, times
from cluster.engines.pdf.nodes import get
from cluster.engines.pdf.open import plain_copy
from cluster.files import Desk
from cluster.problem import InputProblem

if TYPE_CHECKING:
    import pikepdf

_ADDED = ("text", "picture", "shape", "ink", "mark", "note")


@dataclass
class Done:
    """What came of the acts, by their kinds; pages count from 1.

    left: the page of each hit that could not be replaced. borrowed: letters that came from another face.
    xfa: an XFA form went. places: the pages on which something was removed. burned: things added as content.
    """

    changed: int = 0
    replaced: int = 0
    left: list[int] = field(default_factory=list)
    borrowed: list[str] = field(default_factory=list)
    filled: int = 0
    xfa: bool = False
    places: list[int] = field(default_factory=list)
    removed: Removed = field(default_factory=Removed)
    cleaned: int = 0
    annotations: int = 0
    burned: int = 0
    flattened: int = 0


def edit_document(
    desk: Desk,
    pdf: "pikepdf.Pdf",
    acts: Sequence[Any],
    picture: Callable[[str], Path],
    *,
    clean: bool,
    flat: bool,
) -> Done:
    """Do every act to `pdf`; `picture` is the file behind an upload's key.

    `clean`: removed words also go from bookmarks and document information. `flat`: fields become content in the end.
    """
    editing = _Editing(desk, pdf, acts, picture, clean)
    editing.all(flat)
    return editing.done


class _Editing:
    """The acts of one document."""

    def __init__(
        self, desk: Desk, pdf: "pikepdf.Pdf", acts: Sequence[Any], picture: Callable[[str], Path], clean: bool
    ) -> None:
        self.desk, self.pdf, self.pages = desk, pdf, len(pdf.pages)
        self.acts, self.picture, self.clean, self.done = acts, picture, clean, Done()
        self.fonts, self.faces = Fonts(), Faces(pdf)
        self.retext = Retext(self.faces)
        self.scenes: dict[int, Scene] = {}
        self.copied: Path | None = None
        for act in self.acts:
            for number in (getattr(act, "page", 1), *(hit.page for hit in getattr(act, "hits", None) or ())):
                if number > self.pages:
                    raise InputProblem("page_range_invalid", text=str(number), pages=self.pages)

    def of(self, *kinds: str) -> list[Any]:
        """The acts of these kinds, in their order."""
        return [act for act in self.acts if act.kind in kinds]

    def all(self, flat: bool) -> None:
        steps = (self.change, self.replace, self.fill, self.remove, self.add)
        for done, step in enumerate(steps):
            self.desk.progress(done, len(steps))
            step()
        if flat:
            flattened = flatten(self.pdf)
            self.done.flattened = flattened.fields
            self.done.xfa |= flattened.xfa
        self.faces.embed()

    # text

    def change(self) -> None:
        acts = self.of("change")
        for act in acts:
            outline = self.outline(act.page, act.box, act.angle)
            if why := self.changed(act.page, outline, act.was, act.text, reflow=act.reflow):
                raise InputProblem(why, page=act.page, text=act.was[:40])
        self.written()
        self.done.changed = len(acts)

    def replace(self) -> None:
        for act in self.of("replace"):
            for hit in self.chosen(act, search_for([act.find], [], case=act.case, word=act.word)):
                texts = [act.text] + [""] * (len(hit.boxes) - 1)
                found = [
                    self.changed(hit.page, corners(box), was, new, reflow=act.reflow)
                    for box, was, new in zip(hit.boxes, hit.words, texts, strict=True)
                ]
                self.done.replaced += not any(found)
                self.done.left += [hit.page] if any(found) else []
            self.written()
        self.done.borrowed = list(self.retext.borrowed)

    def changed(self, page: int, outline: Outline, was: str, text: str, *, reflow: bool) -> str:
        """Change what the outline shows; why it cannot be done, or nothing."""
        scene = self.scenes.get(page) or read_page(self.pdf.pages[page - 1], self.fonts)
        self.scenes[page] = scene
        found = find_line(scene, outline, was)
        try:
            for run in found.runs:
                self.retext.change(run, text, reflow=reflow)
        except Unwritable:
            return "text_unknown"
        except TooLong:
            return "text_too_long"
        return found.why

    def written(self) -> None:
        """Changed pages get what their scenes became."""
        for number, scene in self.scenes.items():
            page = self.pdf.pages[number - 1]
            write_page(self.pdf, page, scene)
            silence_tags(self.pdf, page, self.retext.tags)
        self.scenes, self.copied = {}, None
        self.retext.tags = set()

    def outline(self, number: int, box: Sequence[float], angle: float) -> Outline:
        """A box as seen, turned around its middle, in the page's units."""
        view = view_of(self.pdf.pages[number - 1])
        x, y, w, h = box
        matrix = standing((x + w / 2, view.height - y - h / 2), w, h, angle)
        return landed(times(matrix, view.matrix), corners((0, 0, w, h)))

    def chosen(self, act: Any, searches: Any) -> list[Hit]:
        """What is found, or of that what the page editor's hits name."""
        hits = list(find(self.copy(), searches))
        if act.hits is None:
            return hits
        named = _by_page((hit.page, boxes_in(self.pdf.pages[hit.page - 1], hit.boxes)) for hit in act.hits)
        return [hit for hit in hits if _stands(hit.boxes[0], named[hit.page])]

    def copy(self) -> Path:
        """The document as it is now, for other libraries."""
        if self.copied is None:
            self.copied = plain_copy(self.pdf, self.desk.scratch("searched.pdf"))
        return self.copied

    # fields, removing, adding

    def fill(self) -> None:
        values = {act.field: act.value for act in self.of("fill")}
        if not values:
            return
        self.done.xfa = get(self.pdf.Root, "/AcroForm", "/XFA") is not None
        self.done.filled = fill(self.pdf, values)
        self.copied = None

    def remove(self) -> None:
        places: dict[int, list[Place]] = {}
        words: list[str] = []
        for act in self.of("redact"):
            places.setdefault(act.page, []).extend(Place(box, act.look, act.label) for box in act.boxes)
        for act in self.of("hide"):
            words += act.terms
            for page, boxes in self.hidden(act, words):
                places.setdefault(page, []).extend(Place(box, act.look, act.label) for box in boxes)
        if not places:
            return
        self.done.places = sorted(places)
        self.done.removed = redact(self.pdf, places, self.fonts, self.faces)
        if self.clean:
            self.done.cleaned = clean_copies(self.pdf, [*words, *self.done.removed.words])

    def hidden(self, act: Any, words: list[str]) -> list[tuple[int, list[Box]]]:
        """Pages and boxes as seen of what is to be hidden; its words are added to `words`.

        The page editor's boxes are guessed from widths of letters: what is found where they lie says what goes, and
        only where nothing is found they do.
        """
        found, places = self.chosen(act, search_for(act.terms, act.presets, case=act.case, word=act.word)), []
        for hit in found:
            words.append(hit.text)
            places.append((hit.page, [self.seen(hit.page, box) for box in hit.boxes]))
        known = _by_page((hit.page, hit.boxes[:1]) for hit in found)
        for named in act.hits or ():
            boxes = boxes_in(self.pdf.pages[named.page - 1], named.boxes)
            if not any(_stands(box, known[named.page]) for box in boxes):
                places.append((named.page, list(named.boxes)))
        return places

    def seen(self, number: int, box: Box) -> Box:
        """A box of the page's units as one as seen: x, y from the upper left, width, height."""
        view = view_of(self.pdf.pages[number - 1])
        back = inverse(view.matrix)
        x0, y0, x1, y1 = bounds(landed(back, corners(box))) if back else box
        return x0, view.height - y1, x1 - x0, y1 - y0

    def add(self) -> None:
        adding = Adding(self.pdf, self.faces, self.picture, self.words)
        for act in self.of(*_ADDED):
            adding.add(act)
        self.done.annotations, self.done.burned = adding.annotations, adding.burned

    def words(self, number: int, act: Any) -> str:
        """The words below the boxes of an act."""
        if number not in self.scenes:
            self.scenes = {number: read_page(self.pdf.pages[number - 1], self.fonts)}
        lines = [words_in(self.scenes[number], self.outline(number, box, act.angle)) for box in act.boxes]
        return "\n".join(line for line in lines if line)


def _by_page(places: Iterable[tuple[int, Iterable[Box]]]) -> defaultdict[int, Boxes]:
    """Boxes by page: of thousands only those near a place are asked."""
    found = defaultdict[int, list[Box]](list)
    for page, boxes in places:
        found[page] += boxes
    return defaultdict(lambda: Boxes(()), {page: Boxes(boxes) for page, boxes in found.items()})


def _stands(one: Box, others: Boxes) -> bool:
    """Whether a box lies on another: they share more than a third of the smaller one."""
    return any(_same(one, other) for other in others.near(one))


def _same(one: Box, other: Box) -> bool:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return wide * high * 3 > min(areas)
