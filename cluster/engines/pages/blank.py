"""Blank pages: plain, ruled or squared paper."""

from typing import Literal

from cluster.engines.pdf.sink import Sink
from cluster.paper import MM, Size

Paper = Literal["plain", "ruled", "grid"]
#: Distance of lines and the margin of the paper, in points; squares are 5 mm as in exercise books.
_RULE, _SQUARE, _MARGIN = 8 * MM, 5 * MM, 15 * MM
_INK = b"0.72 0.78 0.86 RG 0.5 w\n"


def write_blank(sink: Sink, number: int, above: int, size: Size, paper: Paper = "plain") -> None:
    """An empty page of that size in points, below the node `above`."""
    box = b" ".join([f"{value:.3f}".rstrip("0").rstrip(".").encode() for value in size])
    content = b"/Contents %d 0 R" % sink.add_stream(b"", _lines(size, paper)) if paper != "plain" else b""
    sink.put(number, b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 %b]/Resources<<>>%b>>" % (above, box, content))


def _lines(size: Size, paper: Paper) -> bytes:
    width, height = size
    margin = min(_MARGIN, width / 10, height / 10)
    gap = _RULE if paper == "ruled" else _SQUARE
    rows = int((height - 2 * margin) // gap)
    columns = int((width - 2 * margin) // gap) if paper == "grid" else 0
    right, low = (margin + columns * gap if columns else width - margin), height - margin - rows * gap
    told = [b"%.2f %.2f m %.2f %.2f l" % (margin, y, right, y) for y in (low + row * gap for row in range(rows + 1))]
    across = (margin + column * gap for column in range(columns + 1)) if columns else ()
    told += [b"%.2f %.2f m %.2f %.2f l" % (x, low, x, height - margin) for x in across]
    return _INK + b"\n".join(told) + b"\nS"
