"""A document edited: every act in its turn, and what came of them for the receipt."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
from cluster.engines.forms.signed import signatures
from cluster.engines.marks.place import standing, view_of
from cluster.engines.pdf.counts import Counts, count
from cluster.engines.pdf.matrix import inverse, times
from cluster.engines.pdf.nodes import get
from cluster.engines.pdf.open import open_pdf, plain_copy, save_pdf
from cluster.kinds import PDF
from cluster.pages import format_pages
from cluster.problem import InputProblem
from cluster.tool import Work

if TYPE_CHECKING:
    import pikepdf

_ADDED = ("text", "picture", "shape", "ink", "mark", "note")


@dataclass(frozen=True)
class Edited:
    """What the document held before and after, and how many signatures it had, which hold no longer."""

    before: Counts
    after: Counts
    signed: int


def edit_document(work: Work[Any]) -> Edited:
    """One output: the source with every act done; the receipt tells what each kind of act did."""
    with work.about(work.source), open_pdf(work, work.source, drawn=True) as pdf:
        work.allow(len(pdf.pages))
        had, signed = count(pdf), signatures(pdf)
        _Editing(work, pdf).all()
        after, output = count(pdf), work.output(PDF)
        output.pages = len(pdf.pages)
        save_pdf(work, pdf, output.path)
        return Edited(had, after, signed)


class _Editing:
    """The acts of one document."""

    def __init__(self, work: Work[Any], pdf: "pikepdf.Pdf") -> None:
        self.work, self.pdf, self.pages = work, pdf, len(pdf.pages)
        self.acts = [act for act in work.options.acts if act.source in (None, work.source.index)]
        self.fonts, self.faces = Fonts(), Faces(pdf)
        self.retext = Retext(self.faces)
        self.removed = Removed()
        self.scenes: dict[int, Scene] = {}
        self.copied: Path | None = None
        for act in self.acts:
            for number in (getattr(act, "page", 1), *(hit.page for hit in getattr(act, "hits", None) or ())):
                if number > self.pages:
                    raise InputProblem("page_range_invalid", text=str(number), pages=self.pages)

    def of(self, *kinds: str) -> list[Any]:
        """The acts of these kinds, in their order."""
        return [act for act in self.acts if act.kind in kinds]

    def all(self) -> None:
        if not self.acts and not self.work.options.flatten:
            raise InputProblem("nothing_to_do", file=self.work.source.name)
        steps = (self.change, self.replace, self.fill, self.remove, self.add)
        for done, step in enumerate(steps):
            self.work.progress(done, len(steps))
            step()
        if self.work.options.flatten:
            flat = flatten(self.pdf)
            self.tell("changed", "fields_flattened", flat.fields)
            if flat.xfa:
                self.work.note("lost", "xfa_lost")
        self.faces.embed()

    def tell(self, kind: Any, what: str, count: int, **facts: Any) -> None:
        """A line of the receipt, where there is something to tell."""
        if count:
            self.work.note(kind, what, count=count, **facts)

    # text

    def change(self) -> None:
        acts = self.of("change")
        for act in acts:
            outline = self.outline(act.page, act.box, act.angle)
            if why := self.changed(act.page, outline, act.was, act.text, reflow=act.reflow):
                raise InputProblem(why, page=act.page, text=act.was[:40])
        self.written()
        self.tell("changed", "lines_changed", len(acts))

    def replace(self) -> None:
        done, left = 0, list[int]()
        for act in self.of("replace"):
            for hit in self.chosen(act, search_for([act.find], [], case=act.case, word=act.word)):
                texts = [act.text] + [""] * (len(hit.boxes) - 1)
                found = [
                    self.changed(hit.page, corners(box), was, new, reflow=act.reflow)
                    for box, was, new in zip(hit.boxes, hit.words, texts, strict=True)
                ]
                done += not any(found)
                left += [hit.page] if any(found) else []
            self.written()
        self.tell("changed", "words_replaced", done)
        self.tell("lost", "hits_left", len(left), detail=format_pages(sorted(set(left))))
        borrowed = list(self.retext.borrowed)
        self.tell("changed", "letters_borrowed", len(borrowed), detail=" ".join(borrowed[:60]))

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
            self.copied = plain_copy(self.pdf, self.work.scratch("searched.pdf"))
        return self.copied

    # fields, removing, adding

    def fill(self) -> None:
        values = {act.field: act.value for act in self.of("fill")}
        if not values:
            return
        if get(self.pdf.Root, "/AcroForm", "/XFA") is not None:
            self.work.note("lost", "xfa_lost")
        self.tell("changed", "fields_filled", fill(self.pdf, values))
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
        removed = redact(self.pdf, places, self.fonts, self.faces)
        self.tell("changed", "places_removed", removed.places, detail=format_pages(sorted(places)))
        self.tell("changed", "annotations_removed", removed.annotations - removed.fields)
        self.tell("changed", "fields_removed", removed.fields)
        self.tell("changed", "fonts_cut", removed.forgotten.cut)
        left = removed.forgotten.left
        self.tell("lost", "glyphs_left", len(left), detail=", ".join(left[:20]))
        if self.work.options.clean_copies:
            self.tell("changed", "copies_cleaned", clean_copies(self.pdf, [*words, *removed.words]))

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
        self.tell("changed", "annotations_added", adding.annotations)
        self.tell("changed", "things_burned", adding.burned)

    def picture(self, key: str) -> Path:
        if key not in self.work.extras:
            raise InputProblem("file_unknown", file=key)
        return self.work.extras[key]

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
