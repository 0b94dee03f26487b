"""Arrange pages of one or several PDFs: as they stand on the board, then as a preset lays them out."""

from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.arranging import arranged, by_board
from cluster.board import Board, Run
from cluster.fields import shown
from cluster.tool import MIB, Bounds, Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.arranging import Order
    from cluster.engines.pages.opening import Opener

Preset = Literal["none", "reverse", "interleave", "duplex", "booklet", "odd_even", "repeat"]
#: A folded sheet has so many pages.
_SHEET = 4


@options
class Options:
    board: Board = ()
    preset: Annotated[
        Preset,
        shown(
            "再按规则排列",
            "Then lay them out",
            "select",
            choices={
                "none": ("按看板上的顺序", "As on the board"),
                "reverse": ("倒序", "In reverse"),
                "interleave": ("正反面交错（先扫正面，再扫反面）", "Fronts and backs, scanned one after the other"),
                "duplex": ("正反面交错（反面是倒着扫的）", "Fronts and backs, backs scanned from the last"),
                "booklet": ("小册子（对折装订的顺序，不足补空白）", "As a booklet to fold, blank pages added"),
                "odd_even": ("先奇数页，后偶数页", "Odd pages, then even ones"),
                "repeat": ("整体重复", "Repeated as a whole"),
            },
        ),
    ] = "none"
    times: Annotated[int, Field(ge=2, le=100), shown("份数", "Times", "number", when={"preset": ["repeat"]})] = 2


def arrange(work: Work[Options]) -> None:
    """One output: the board, of which nothing that was left out remains; an empty board has every page."""

    def plan(opener: "Opener") -> "Order":
        counts = []
        for source in work.sources:
            with work.about(source):
                counts.append(opener.pages(source))
        whole = tuple(Run(file=file, first=1, last=count) for file, count in enumerate(counts))
        return laid_out(work.options.preset, by_board(work.options.board or whole, counts), work.options.times)

    made = arranged(work, work.sources, plan)
    work.note("kept", "pages_arranged", count=made.pages)


def laid_out(preset: Preset, order: "Order", times: int) -> "Order":
    """The pages of `order` as the preset has them."""
    half = -(-len(order) // 2)
    match preset:
        case "reverse":
            return order[::-1]
        case "interleave":
            return _interleaved(order[:half], order[half:])
        case "duplex":
            return _interleaved(order[:half], order[half:][::-1])
        case "booklet":
            return _booklet(order)
        case "odd_even":
            return [*order[::2], *order[1::2]]
        case "repeat":
            return list(order) * times
    return order


def _interleaved(fronts: "Order", backs: "Order") -> "Order":
    return [page for pair in zip_longest(fronts, backs) for page in pair if page is not None]


def _booklet(order: "Order") -> "Order":
    """Last and first on the front of the outer sheet, second and last but one on its back, and so on inwards."""
    from cluster.engines.pages.arrange import Blank, Slot

    pages = [*order, *[Blank()] * (-len(order) % _SHEET)]
    made: list[Slot | Blank] = []
    for sheet in range(len(pages) // _SHEET):
        low, high = 2 * sheet, len(pages) - 1 - 2 * sheet
        made += [pages[high], pages[low], pages[low + 1], pages[high - 1]]
    return made


TOOL = Tool(
    id=5,
    key="arrange",
    route="/PdfArrange",
    group=Group.PAGES,
    takes="all",
    options=Options,
    run=arrange,
    suffix=("整理", "arranged"),
    icon="layout-grid",
    editor="board",
    bounds=Bounds(base=60, cap=600, memory=2048 * MIB),
)
