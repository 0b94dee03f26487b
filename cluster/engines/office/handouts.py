"""Handouts: several slides on a page of paper, framed, in rows; three have lines for notes beside them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cluster.paper import A4, MM

#: Columns and rows of so many slides a page.
GRIDS = {1: (1, 1), 2: (1, 2), 3: (1, 3), 4: (2, 2), 5: (2, 3), 6: (2, 3), 7: (2, 4), 8: (2, 4), 9: (3, 3)}
_WITH_LINES = 3
_MARGIN, _GAP = 15 * MM, 8 * MM
_LINE_GAP = 9 * MM
_FRAME = "0.5 w 0.6 G"
Box = tuple[float, float, float, float]


def write(slides: Path, path: Path, per_page: int) -> int:
    """Write A4 pages with so many slides (1 to 9) of the PDF `slides` each; returns how many pages."""
    import pikepdf

    with pikepdf.open(slides) as origin, pikepdf.new() as made:
        pages = list(origin.pages)
        for start in range(0, len(pages), per_page):
            _page(made, pages[start : start + per_page], per_page)
        made.save(path, compress_streams=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return len(made.pages)


def _page(made: Any, slides: list[Any], per_page: int) -> None:
    from pikepdf import Dictionary, Name

    page = made.add_blank_page(page_size=A4)
    page.Resources = Dictionary(XObject=Dictionary())
    content, links = [_FRAME], []
    for number, (slide, cell) in enumerate(zip(slides, _cells(per_page), strict=False)):
        box = _fitted(slide, cell)
        name = f"/S{number}"
        page.Resources.XObject[Name(name)] = made.copy_foreign(slide.as_form_xobject())
        x, y, width, height = box
        left, bottom, right, _ = (float(side) for side in slide.mediabox)
        scale = width / (right - left)
        content.append(f"q {scale:.5f} 0 0 {scale:.5f} {x - left * scale:.3f} {y - bottom * scale:.3f} cm {name} Do Q")
        content.append(f"{x:.2f} {y:.2f} {width:.2f} {height:.2f} re S")
        if per_page == _WITH_LINES:
            content += _lines(cell)
        links += list(_links(made, slide, (x - left * scale, y - bottom * scale, scale)))
    page.contents_add("\n".join(content).encode())
    if links:
        page.Annots = made.make_indirect(links)


def _cells(per_page: int) -> Iterator[Box]:
    """Where slides may stand, row by row: x, y, width, height in points from the lower left."""
    columns, rows = GRIDS[per_page]
    share = 2 if per_page == _WITH_LINES else columns
    width = (A4[0] - 2 * _MARGIN - (share - 1) * _GAP) / share
    height = (A4[1] - 2 * _MARGIN - (rows - 1) * _GAP) / rows
    for number in range(per_page):
        row, column = divmod(number, columns)
        yield _MARGIN + column * (width + _GAP), A4[1] - _MARGIN - row * (height + _GAP) - height, width, height


def _fitted(slide: Any, cell: Box) -> Box:
    """As large as fits, in the middle of its cell."""
    left, bottom, right, top = (float(side) for side in slide.mediabox)
    scale = min(cell[2] / (right - left), cell[3] / (top - bottom))
    width, height = (right - left) * scale, (top - bottom) * scale
    return cell[0] + (cell[2] - width) / 2, cell[1] + (cell[3] - height) / 2, width, height


def _lines(cell: Box) -> Iterator[str]:
    """To write on, right of the slide."""
    start, y = cell[0] + cell[2] + _GAP, cell[1] + cell[3] - 2 * _LINE_GAP
    while y > cell[1] + _LINE_GAP:
        yield f"{start:.2f} {y:.2f} m {A4[0] - _MARGIN:.2f} {y:.2f} l S"
        y -= _LINE_GAP


def _links(made: Any, slide: Any, place: tuple[float, float, float]) -> Iterator[Any]:
    """Links to addresses come along; those to other slides have no page any more."""
    from pikepdf import Array, Dictionary, Name

    x, y, scale = place
    for each in slide.get("/Annots", ()):
        action = each.get("/A", {})
        if each.get("/Subtype") != "/Link" or "/URI" not in action:
            continue
        a, b, c, d = (float(side) * scale for side in each.Rect)
        rect, address = Array([a + x, b + y, c + x, d + y]), Dictionary(S=Name.URI, URI=action["/URI"])
        yield made.make_indirect(
            Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=rect, Border=Array([0, 0, 0]), A=address)
        )
