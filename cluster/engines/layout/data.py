"""What was read of pages, as the JSON beside a result: for programs, for people's corrections, and back again."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, FiniteFloat, ValidationError

from cluster.engines.layout.line import Line, Page, Quad

if TYPE_CHECKING:
    from cluster.engines.layout.order import Paragraph

#: Pixels that a page may be wide or high, and that a corner may lie off it.
_FARTHEST = 1_000_000


def told(page: Page, found: "Iterable[Paragraph]") -> dict[str, Any]:
    """One page as JSON: boxes are pixels of the upright picture, clockwise from where reading begins."""
    return {
        "width": page.width,
        "height": page.height,
        "turned": page.turned,
        "engines": page.engines,
        "paragraphs": [
            {"text": each.text, "lines": [_line(piece.line) for row in each.rows for piece in row.pieces]}
            for each in found
        ],
    }


def read_back(path: Path) -> list[Page] | None:
    """The pages of JSON that `told` wrote and somebody may have changed; None when it is no such thing.

    A line's text counts, a paragraph's is made of its lines again; a line without any is left out.
    """
    try:
        data = _Data.model_validate_json(path.read_bytes())
    except ValidationError:
        return None
    return [Page(each.width, each.height, each.turned, tuple(each.read())) for each in data.pages]


def _line(line: Line) -> dict[str, Any]:
    return {"text": line.text, "score": line.score, "box": [[round(x, 1), round(y, 1)] for x, y in line.box]}


def _standing(box: Quad) -> Quad:
    """A box has an area, or letters could not be put into it."""
    (x0, y0), (x1, y1), _, (x3, y3) = box
    if max(abs(x1 - x0), abs(y1 - y0)) < 1 or max(abs(x3 - x0), abs(y3 - y0)) < 1:
        raise ValueError("no area")
    return box


_Far = Annotated[FiniteFloat, Field(ge=-_FARTHEST, le=_FARTHEST)]
_Corner = tuple[_Far, _Far]


class _Line(BaseModel):
    text: str = Field(max_length=10_000)
    score: float = Field(default=1.0, ge=0, le=1)
    box: Annotated[tuple[_Corner, _Corner, _Corner, _Corner], AfterValidator(_standing)]


class _Paragraph(BaseModel):
    lines: Sequence[_Line]


class _Page(BaseModel):
    width: int = Field(ge=1, le=_FARTHEST)
    height: int = Field(ge=1, le=_FARTHEST)
    turned: Literal[0, 90, 180, 270]
    paragraphs: Sequence[_Paragraph]

    def read(self) -> Iterable[Line]:
        for each in (line for paragraph in self.paragraphs for line in paragraph.lines):
            if text := " ".join(each.text.split()):
                yield Line(each.box, text, each.score)


class _Data(BaseModel):
    pages: Sequence[_Page]
