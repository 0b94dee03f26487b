"""What engines found out of a document, as lines of the receipt: engines return facts, and tools tell them."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from cluster.pages import format_pages
from cluster.tool import Work

if TYPE_CHECKING:
    from cluster.engines.pages.pictures import Frame
    from cluster.engines.pdf.counts import Counts
    from cluster.engines.pdf.rescue import Saved


def tell_opened(work: Work[Any], saved: "Saved | None", *, unlocked: bool) -> None:
    """What a repair brought back, page by page, and that the result lacks the lock."""
    if saved:
        work.note("changed", "repaired")
        if (after := len(saved.pages)) < saved.promised:
            work.note("lost", "pages_saved", before=saved.promised, after=after, detail=format_pages(saved.pages))
        elif saved.cut:
            work.note("told", "end_missing")
    if unlocked:
        work.note("changed", "password_removed")


def tell_counts(work: Work[Any], before: "Counts", after: "Counts") -> None:
    """One line for each thing there was; fewer after than before is a loss."""
    for each in fields(before):
        was, now = getattr(before, each.name), getattr(after, each.name)
        if was or now:
            work.note("lost" if now < was else "kept", each.name, before=was, after=now)


def tell_broken(work: Work[Any], signatures: int, xfa: object) -> None:
    """What no copy with other pages can keep: `signatures` of what they signed, and a dynamic form."""
    if signatures:
        work.note("lost", "signature_broken", count=signatures)
    if xfa:
        work.note("lost", "xfa_lost")


def tell_fonts(work: Work[Any], whole: int) -> None:
    """Fonts of documents whose other pages stayed behind that could not be cut to what is shown."""
    if whole:
        work.note("told", "fonts_whole", count=whole)


def tell_frame(work: Work[Any], frame: "Frame", name: str) -> None:
    """What a picture file's page does not show."""
    if frame.moving:
        work.note("lost", "first_frame", detail=name)
    if frame.samples.cut:
        work.note("lost", "picture_cut", detail=name)
