"""A document edited: every act in its turn, and what came of them for the receipt."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cluster.engines.edit.redact import Place, Removed, redact
from cluster.engines.edit.scene import Fonts
from cluster.engines.fonts.embed import Fonts as Faces
from cluster.engines.forms.signed import signatures
from cluster.engines.pdf.counts import count, note_counts
from cluster.engines.pdf.open import open_pdf, save_pdf
from cluster.kinds import PDF
from cluster.problem import InputProblem
from cluster.tool import Work

if TYPE_CHECKING:
    import pikepdf


def edit_document(work: Work[Any]) -> None:
    """One output: the source with every act done."""
    with open_pdf(work, work.source, drawn=True) as pdf:
        work.allow(len(pdf.pages))
        had = count(pdf)
        signed = signatures(pdf)
        _Editing(work, pdf).all()
        if signed:
            work.note("lost", "signature_broken", count=signed)
        note_counts(work, had, count(pdf))
        output = work.output(PDF)
        output.pages = len(pdf.pages)
        save_pdf(work, pdf, output.path)


class _Editing:
    def __init__(self, work: Work[Any], pdf: "pikepdf.Pdf") -> None:
        self.work, self.pdf = work, pdf
        self.acts = [act for act in work.options.acts if act.source in (None, work.source.index)]
        self.fonts, self.faces = Fonts(), Faces(pdf)
        pages = len(pdf.pages)
        for act in self.acts:
            if getattr(act, "page", 1) > pages:
                raise InputProblem("page_range_invalid", text=str(act.page), pages=pages)

    def of(self, *kinds: str) -> list[Any]:
        """The acts of these kinds, in their order."""
        return [act for act in self.acts if act.kind in kinds]

    def all(self) -> None:
        if not self.acts and not self.work.options.flatten:
            raise InputProblem("nothing_to_do", file=self.work.source.name)
        self.remove()
        self.faces.embed()

    def remove(self) -> None:
        places: dict[int, list[Place]] = {}
        for act in self.of("redact"):
            places.setdefault(act.page, []).extend(Place(box, act.look, act.label) for box in act.boxes)
        if places:
            self.tell(redact(self.pdf, places, self.fonts, self.faces))

    def tell(self, removed: Removed) -> None:
        self.work.note("changed", "places_removed", count=removed.places)


def _flat(boxes: Iterable[Iterable[Any]]) -> list[Any]:
    return [each for held in boxes for each in held]
