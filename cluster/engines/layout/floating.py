"""Pictures with text beside or over them, which stay where they lie instead of parting the text."""

from collections.abc import Sequence

from cluster.engines.layout.model import Block, Figure, Picture, TextLine

#: One that is lower than this (heights of the letters beside it) stands in their line: text does not flow around it.
_IN_LINE = 2


def floating(picture: Picture, lines: Sequence[TextLine], page: int) -> Figure | None:
    """The picture as one that floats; None where no line is as high as it on the page."""
    left, top, right, bottom = picture.box
    level = [line for line in lines if top < (line.box[1] + line.box[3]) / 2 < bottom]
    if not level:
        return None
    over = any(line.box[0] < right - 1 and line.box[2] > left + 1 for line in level)
    low = bottom - top < _IN_LINE * max(line.size for line in level)
    return Figure(picture, page, place="behind" if over or low else "beside")


def float_in(blocks: Sequence[Block], figures: Sequence[Figure]) -> list[Block]:
    """The blocks, each followed by the figures whose top it is the first to reach."""
    held: dict[int, list[Figure]] = {}
    for figure in figures:
        at = next((at for at, block in enumerate(blocks) if block.box[3] > figure.box[1]), len(blocks) - 1)
        held.setdefault(at, []).append(figure)
    return [each for at, block in enumerate(blocks) for each in (block, *held.get(at, ()))]


def with_floating(blocks: Sequence[Block]) -> list[tuple[Block, list[Figure]]]:
    """The blocks that take room, each with the figures that float beside it."""
    found: list[tuple[Block, list[Figure]]] = []
    for block in blocks:
        if isinstance(block, Figure) and block.floats:
            found[-1][1].append(block)
        else:
            found.append((block, []))
    return found


def floats(block: Block) -> bool:
    """Whether it takes no room between the blocks."""
    return isinstance(block, Figure) and block.floats
