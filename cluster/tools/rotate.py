"""Rotate pages by quarter turns: all, a range, odd or even ones, or those clicked."""

from typing import Annotated, Literal

from pydantic import Field

from cluster.fields import Pages, shown
from cluster.kinds import PDF
from cluster.opening import open_pdf
from cluster.pages import parse_pages
from cluster.telling import tell_counts
from cluster.tool import Group, Tool, Work, options

#: The specification's numbers; 3 is ours for half a turn.
_DEGREES = {1: 270, 2: 90, 3: 180}


@options
class Click:
    """A page turned by hand in the grid: `file` counts from 0, `page` from 1."""

    file: Annotated[int, Field(ge=0, le=49)] = 0
    page: Annotated[int, Field(ge=1)]
    turn: Literal[90, 180, 270]


@options
class Options:
    turn: Annotated[
        Literal[1, 2, 3],
        shown(
            "旋转方向",
            "Turn",
            "choice",
            choices={"1": ("向左 90°", "Left 90°"), "2": ("向右 90°", "Right 90°"), "3": ("180°", "180°")},
            when={"clicks": [None]},
        ),
    ] = 2
    pages: Pages = ""
    only: Annotated[
        Literal["any", "landscape", "portrait"],
        shown(
            "页面方向",
            "Only",
            "select",
            choices={
                "any": ("所有页面", "Any page"),
                "landscape": ("仅横向页面", "Landscape pages"),
                "portrait": ("仅纵向页面", "Portrait pages"),
            },
            when={"clicks": [None]},
        ),
    ] = "any"
    clicks: Annotated[
        list[Click] | None, Field(max_length=20000, fail_fast=True), shown("逐页旋转", "By page", "hidden")
    ] = None


def rotate(work: Work[Options]) -> None:
    """Turn the pages; clicks replace the form's turn when there are any."""
    from cluster.engines.forms.signed import signatures
    from cluster.engines.pdf.counts import count
    from cluster.engines.pdf.open import save_pdf, visible_size

    with open_pdf(work, work.source) as pdf:
        every, held = list(pdf.pages), count(pdf)
        pages, turned = len(every), 0
        work.allow(pages)
        for number, degrees in _turns(work, pages).items():
            page = every[number - 1]
            if _wanted(work.options, *visible_size(page)):
                page.rotate(degrees, relative=True)
                turned += 1
        output = work.output(PDF)
        output.pages = pages
        work.note("changed", "pages_turned", count=turned)
        if signed := signatures(pdf):
            work.note("lost", "signature_broken", count=signed)
        tell_counts(work, held, count(pdf))
        save_pdf(work, pdf, output.path)


def _wanted(chosen: Options, width: float, height: float) -> bool:
    if chosen.clicks is not None or chosen.only == "any":
        return True
    return (width > height) == (chosen.only == "landscape")


def _turns(work: Work[Options], count: int) -> dict[int, int]:
    """Page number -> degrees clockwise."""
    chosen = work.options
    if chosen.clicks is None:
        return dict.fromkeys(parse_pages(chosen.pages, count), _DEGREES[chosen.turn])
    mine = [click for click in chosen.clicks if click.file == work.source.index]
    for click in mine:
        parse_pages(str(click.page), count)
    return {click.page: click.turn for click in mine}


TOOL = Tool(
    id=16,
    key="rotate",
    route="/PdfRotate",
    group=Group.PAGES,
    options=Options,
    run=rotate,
    suffix=("旋转", "rotated"),
    icon="rotate-cw",
    editor="grid",
)
