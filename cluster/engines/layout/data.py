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


def told(page: Page, found: "Iterable[Paragraph]", shown: Page | None = None) -> dict[str, Any]:
    """One page as JSON: boxes are pixels of the upright picture, clockwise from where reading begins.

    `shown` is the same page as the picture has it, where its lines were arranged elsewhere: on paper laid flat.
    """
    shown = shown or page
    there = dict(zip(page.lines, shown.lines, strict=True))
    return {
        "width": shown.width,
        "height": shown.height,
        "turned": shown.turned,
        "engines": shown.engines,
        "paragraphs": [
            {"text": each.text, "lines": [_line(there[piece.line]) for row in each.rows for piece in row.pieces]}
            for each in found
        ],
        "unread": [_line(each) for each in shown.unread],
    }


def read_back(path: Path) -> list[Page] | None:
    """The pages of JSON that `told` wrote and somebody may have changed; None when it is no such thing.

    A line's text counts, or what it was said to be; a paragraph's is made of its lines again. What nobody could read
    is a line where somebody said what it is.
    """
    try:
        data = _Data.model_validate_json(path.read_bytes())
    except ValidationError:
        return None
    return [each.page() for each in data.pages]


def _line(line: Line) -> dict[str, Any]:
    corners = [[round(x, 1), round(y, 1)] for x, y in line.box]
    said = {} if line.said is None else {"said": line.said}
    return {"text": line.text, "score": line.score, "doubtful": line.doubtful, "box": corners, **said}


def _standing(box: Quad) -> Quad:
    """A box has an area, or letters could not be put into it."""
    (x0, y0), (x1, y1), _, (x3, y3) = box
    if max(abs(x1 - x0), abs(y1 - y0)) < 1 or max(abs(x3 - x0), abs(y3 - y0)) < 1:
        raise ValueError("no area")
    return box


_Far = Annotated[FiniteFloat, Field(ge=-_FARTHEST, le=_FARTHEST)]
_Corner = tuple[_Far, _Far]


_Text = Annotated[str, Field(max_length=10_000), AfterValidator(lambda text: " ".join(text.split()))]


class _Line(BaseModel):
    text: _Text
    score: float = Field(default=1.0, ge=0, le=1)
    said: _Text | None = None
    box: Annotated[tuple[_Corner, _Corner, _Corner, _Corner], AfterValidator(_standing)]

    def line(self) -> Line:
        score = self.score if self.said is None else 1.0
        return Line(self.box, self.text or self.said or "", score, said=self.said)


class _Paragraph(BaseModel):
    lines: Sequence[_Line]


class _Page(BaseModel):
    width: int = Field(ge=1, le=_FARTHEST)
    height: int = Field(ge=1, le=_FARTHEST)
    turned: Literal[0, 90, 180, 270]
    paragraphs: Sequence[_Paragraph]
    unread: Sequence[_Line] = ()

    def page(self) -> Page:
        lines = [line.line() for paragraph in self.paragraphs for line in paragraph.lines]
        unread = [line.line() for line in self.unread]
        read = tuple(line for line in (*lines, *unread) if line.text)
        return Page(self.width, self.height, self.turned, read, tuple(line for line in unread if not line.text))


class _Data(BaseModel):
    pages: Sequence[_Page]
