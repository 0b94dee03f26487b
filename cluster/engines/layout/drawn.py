"""What is drawn on a sheet, as charts and diagrams are: words and rules in it are no text's and no table's."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from cluster.engines.layout.model import Box, Sheet

#: Points by which a stroke without any thickness has some.
HAIR = 0.1


def without(sheet: Sheet, drawn: Collection[Box]) -> Sheet:
    """The sheet with nothing of what lies in such boxes."""
    if not drawn:
        return sheet
    return replace(
        sheet,
        lines=tuple(line for line in sheet.lines if not any(holds(box, line.box) for box in drawn)),
        pictures=tuple(each for each in sheet.pictures if not any(holds(box, each.box) for box in drawn)),
        rules=tuple(rule for rule in sheet.rules if not any(holds(box, rule) for box in drawn)),
        fills=tuple(each for each in sheet.fills if not any(holds(box, each[0]) for box in drawn)),
    )


def holds(box: Box, other: Box) -> bool:
    """Whether the middle of the other lies in the box, and it does not reach far beyond."""
    x, y = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3] and area(shared(box, other)) >= 0.5 * area(other)


def shared(one: Sequence[float], other: Sequence[float]) -> Box:
    """Where both boxes lie."""
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def area(box: Box) -> float:
    return max(0.0, box[2] - box[0] + HAIR) * max(0.0, box[3] - box[1] + HAIR)
