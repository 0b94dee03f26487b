"""A PDF made smaller, tried and checked: what does not look or read like the original is tried more gently."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.engines.compress.fonts import subset_fonts
from cluster.engines.compress.recode import Aim
from cluster.engines.compress.recoder import Recoder
from cluster.engines.compress.slim import drop_press_profile, drop_private, pack_streams, share_streams, strip_metadata
from cluster.engines.draw.proof import Proof, prove
from cluster.engines.forms.signed import signatures
from cluster.engines.pdf.compact import repack
from cluster.engines.pdf.counts import Counts, count
from cluster.engines.pdf.drawn import Drawn, Key, TooMuch, find_drawn
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.pdf.open import opened, save_pdf
from cluster.engines.pdf.weight import Weight, weigh
from cluster.files import Desk, Source
from cluster.problem import LimitProblem

if TYPE_CHECKING:
    import pikepdf


#: How much finer the pictures of pages are that did not look like the original.
_FINER = 1.5


@dataclass(frozen=True)
class Plan:
    """How far to go: the aim for pictures, whether TrueType keeps its hints and PDF/X its printing condition.

    gentle: pages (from 0) whose pictures keep closer to what they were. kept: pages whose pictures keep their
    samples and whose fonts stay as they are. fonts: whether any font changes.
    """

    aim: Aim
    floor: float | None = None
    strip: bool = False
    press: bool = False
    hints: bool = False
    fonts: bool = True
    gentle: frozenset[int] = field(default_factory=frozenset)
    kept: frozenset[int] = field(default_factory=frozenset)

    def gentler(self, proof: Proof) -> "Plan":
        """What to try after `proof` failed."""
        if proof.text_lost or proof.unlike <= self.kept:
            return replace(self, fonts=False, kept=self.kept | proof.unlike)
        if proof.unlike <= self.gentle:
            return replace(self, kept=self.kept | proof.unlike)
        return replace(self, hints=True, gentle=self.gentle | proof.unlike)


#: No sample of a picture changes, and nothing that print needs goes.
EXACT = Plan(Aim(lossless=True), floor=0.9999, hints=True, press=True)


@dataclass(frozen=True)
class Made:
    """A written try and what is in it.

    pressed: a printing condition was taken out. repainted: pages (from 0) with a picture whose samples changed.
    """

    path: Path
    size: int
    weight: Weight
    pressed: bool = False
    repainted: frozenset[int] = frozenset()


def squeeze(desk: Desk, plan: Plan, source: Source, recoder: Recoder) -> Made | None:
    """The smallest file within `plan` that passes its proof; None when even the gentlest try fails it."""
    proof: Proof | None = None
    for number in range(4):
        made = _attempt(desk, source, plan, desk.scratch(f"try{number}.pdf"), recoder)
        # What looked right stays right in a gentler try, but where all fonts may have been the fault.
        known = proof is not None and not proof.text_lost
        again = plan.gentle | plan.kept if known else frozenset()
        proof = prove(source, made.path, plan.floor, again, made.repainted)
        if proof.good:
            return made
        plan = plan.gentler(proof)
    return None


def _attempt(desk: Desk, source: Source, plan: Plan, path: Path, recoder: Recoder) -> Made:
    with opened(source, desk.scratch, desk.max_pages) as found:
        pdf = found.pdf
        drawn = walked(pdf, source)
        drop_private(pdf)
        pressed = not plan.press and drop_press_profile(pdf)
        if plan.strip:
            strip_metadata(pdf)
        aims = aims_of(plan, drawn)
        changed = recoder.shrink(pdf, drawn.pictures, aims, lambda done, all: desk.progress(done, all, "images"))
        repainted = _pages_of(drawn, {key for key in changed if not aims(key).lossless}, len(pdf.pages))
        if plan.fonts and not drawn.unread:
            desk.progress(0, 1, "fonts")
            subset(pdf, drawn, source, plan)
        share_streams(pdf)
        pack_streams(pdf, drawn.scales)
        save_pdf(desk, pdf, path)
    repack(path)
    return Made(path, path.stat().st_size, measured(path), pressed, repainted)


def _pages_of(drawn: Drawn, pictures: set[Key], pages: int) -> frozenset[int]:
    """Pages that show one of the pictures; all, where it is not known which do."""
    if not pictures <= drawn.pictures.keys():
        return frozenset(range(pages))
    return frozenset[int]().union(*(drawn.pictures[key].pages for key in pictures))


def walked(pdf: "pikepdf.Pdf", source: Source) -> Drawn:
    """What the pages draw. Raises too_large_when_opened before anything else unpacks what nobody can."""
    try:
        return find_drawn(pdf)
    except TooMuch as error:
        raise LimitProblem("too_large_when_opened", file=source.name) from error


def measured(path: Path) -> Weight:
    """The parts of the file at `path`."""
    import pikepdf

    with pikepdf.open(path) as pdf:
        return weigh(pdf, path.stat().st_size)


def aims_of(plan: Plan, drawn: Drawn) -> Callable[[Key], Aim]:
    exact = replace(plan.aim, lossless=True)
    floor = plan.aim.floor
    finer = round(plan.aim.dpi * _FINER)
    closer = plan.aim if floor is None else replace(plan.aim, floor=(1 + floor) / 2, least=floor, dpi=finer)

    def aim(key: Key) -> Aim:
        placed = drawn.pictures.get(key)
        if placed and placed.pages & plan.kept:
            return exact
        return _within_page(closer if placed and placed.pages & plan.gentle else plan.aim, drawn.share(key))

    return aim


def _within_page(aim: Aim, share: float) -> Aim:
    """The floor is for the page: where pictures cover little of it, each may differ more, down to the least."""
    if aim.floor is None:
        return aim
    return replace(aim, floor=max(aim.least, 1 - (1 - aim.floor) / max(share, 0.01)))


def subset(pdf: "pikepdf.Pdf", drawn: Drawn, source: Source, plan: Plan) -> None:
    pymupdf = import_pymupdf()
    try:
        with pymupdf.open(source.path, filetype="pdf") as document:
            if not document.needs_pass or document.authenticate(source.password or ""):
                subset_fonts(pdf, drawn, document, hints=plan.hints, keep=plan.kept)
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        return


@dataclass(frozen=True)
class Original:
    """What the input is and holds."""

    pages: int
    counts: Counts
    weight: Weight
    signed: int


def inspect(pdf: "pikepdf.Pdf", size: int) -> Original:
    """What the receipt compares the result with."""
    return Original(len(pdf.pages), count(pdf), weigh(pdf, size), signatures(pdf))


@dataclass(frozen=True)
class Handed:
    """The result's size, and what it holds; None where it is no smaller than the input."""

    size: int
    counts: Counts | None = None


def hand_over(made: Made | None, sound: Source, path: Path, *, repaired: bool) -> Handed:
    """Put what was made at `path`, or `sound` when nothing smaller was made: the input itself, or its repair.

    A damaged input never comes back as it was.
    """
    import pikepdf

    if made is None or made.size >= sound.size:
        shutil.copyfile(sound.path, path)
        if repaired:
            repack(path)
        return Handed(path.stat().st_size)
    shutil.move(made.path, path)
    with pikepdf.open(path) as result:
        return Handed(made.size, count(result))
