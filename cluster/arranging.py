"""What the tools that put pages in a new order share: extract, delete, insert, blank, arrange."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cluster.board import Blanks, Run
from cluster.kinds import PDF
from cluster.opening import bound
from cluster.pages import parse_pages
from cluster.problem import InputProblem
from cluster.telling import tell_broken, tell_counts, tell_fonts
from cluster.tool import Source, Work

if TYPE_CHECKING:
    from cluster.engines.pages.arrange import Arranged, Blank, Slot
    from cluster.engines.pages.opening import Opener

    Order = Sequence[Slot | Blank]


def arranged(work: Work[Any], sources: Sequence[Source], plan: "Callable[[Opener], Order]") -> "Arranged":
    """Write what `plan` lays out, as the only output, and tell the receipt what became of the documents.

    `plan` may ask the opener how many pages a source has; its slots count files in `sources`. Raises too_many_pages.
    """
    from cluster.engines.pages.arrange import arrange
    from cluster.engines.pdf.open import check_pages

    def job(opener: "Opener") -> "Arranged":
        order = plan(opener)
        check_pages(sources[0], len(order), work.max_pages)
        work.allow(len(order))
        output = work.output(PDF)
        output.pages = len(order)
        made = arrange(
            opener, sources, order, output.path, told=lambda done: work.progress(done, len(order), "writing")
        )
        if made.telling:
            from cluster.engines.edit.shown import forget_fonts

            tell_fonts(work, forget_fonts([output], work.scratch("fonts.pdf")))
        _tell(work, made)
        return made

    return bound(work, job)


def _tell(work: Work[Any], made: "Arranged") -> None:
    tell_counts(work, made.before, made.after)
    if left := made.before.links - made.after.links:
        work.note("lost", "links_left", count=left)
    if made.renamed:
        work.note("changed", "fields_renamed", count=made.renamed)
    if made.doubled:
        work.note("changed", "fields_doubled", count=made.doubled)
    tell_broken(work, made.signatures, made.xfa)
    if made.tags:
        work.note("kept", "tags")


def by_board(board: tuple[Run | Blanks, ...], counts: Sequence[int]) -> "Order":
    """What stands on the board, `counts` being the pages of each file.

    Raises page_range_invalid for a page that is not there, option_invalid for a file.
    """
    from cluster.engines.pages.arrange import Blank, Slot

    order: list[Slot | Blank] = []
    for run in board:
        if isinstance(run, Blanks):
            size = (run.width, run.height) if run.width and run.height else None
            order += [Blank(size)] * run.count
            continue
        if run.file >= len(counts):
            raise InputProblem("option_invalid", field="board", detail=str(run.file))
        for number in (run.first, run.last):
            parse_pages(str(number), counts[run.file])
        order += [Slot(run.file, page - 1, run.turn) for page in run.pages()]
    return order
