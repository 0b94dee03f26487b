"""Where tables stand, as people draw it on the pages: what the finder missed is read there, and only there."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from cluster.fields import shown
from cluster.tool import Source, Work, options

if TYPE_CHECKING:
    from cluster.engines.layout.model import Box, Sheet
    from cluster.reading import Reading

_FARTHEST = 1_000_000
_Place = Annotated[float, Field(ge=-_FARTHEST, le=_FARTHEST)]
_Length = Annotated[float, Field(gt=0, le=_FARTHEST)]


@options
class Area:
    """A table's place: its upper left corner and its size on the page as it is seen.

    Lengths are points of a PDF's page, or pixels of a picture. `file` counts from 0, `page` from 1.
    """

    file: Annotated[int, Field(ge=0, le=49)] = 0
    page: Annotated[int, Field(ge=1, le=200_000)] = 1
    x: _Place
    y: _Place
    width: _Length
    height: _Length


Areas = Annotated[tuple[Area, ...], Field(max_length=2000, fail_fast=True), shown("表格区域", "Table areas", "hidden")]
"""A page that has some holds these tables and no others; on the other pages tables are looked for."""

Drawn = Mapping[int, Sequence["Box"]]
"""Areas by the number of their page, from 1: boxes on the page as it is shown."""


def areas_on(work: Work[Any], source: Source) -> Drawn:
    """What was drawn on one of the documents."""
    found = defaultdict[int, list["Box"]](list)
    for each in work.options.areas:
        if each.file == source.index:
            found[each.page].append((each.x, each.y, each.x + each.width, each.y + each.height))
    return dict(found)


def in_points(source: Source, drawn: Drawn, reading: "Reading") -> Drawn:
    """Areas that were drawn in the pixels of a picture, in points of its pages as they were read."""
    from cluster.engines.pictures.open import shown_widths

    if not drawn:
        return drawn
    widths = dict(enumerate(shown_widths(source), 1))
    scales = {number: _wide(sheet) / widths[number] for number, sheet in enumerate(reading.sheets, 1)}
    return {
        page: [(left * by, top * by, right * by, bottom * by) for left, top, right, bottom in boxes]
        for page, boxes in drawn.items()
        for by in [scales.get(page, 1.0)]
    }


def _wide(sheet: "Sheet") -> float:
    """Points that the picture is wide as it came."""
    seen = sheet.seen
    if seen is None:
        return sheet.width
    return seen.height if seen.turned % 180 else seen.width


def tell_areas(work: Work[Any], reading: "Reading", drawn: Drawn) -> None:
    """Receipt: areas in which nothing is written, and those of pages that were not read."""
    from cluster.engines.layout.chosen import lines_in

    pages = dict(zip(reading.numbers, reading.sheets, strict=True))
    blank = sum(not lines_in(pages[page], area) for page in drawn if page in pages for area in drawn[page])
    if blank:
        work.note("told", "areas_blank", count=blank)
    if outside := sum(len(drawn[page]) for page in drawn if page not in pages):
        work.note("told", "areas_outside", count=outside)
