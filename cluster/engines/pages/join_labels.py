"""Page labels of joined documents: each page keeps the label it had."""

from bisect import bisect_right
from typing import Any

from cluster.engines.pages.excerpt import Part
from cluster.engines.pdf.nodes import get, is_dictionary, leaves
from cluster.engines.pdf.writer import PdfWriter, number_tree


class Labels:
    """Gathers runs of labels; documents without labels go on showing their place in the result."""

    def __init__(self) -> None:
        self.any = False
        self._runs: dict[int, bytes] = {}

    def add(self, part: Part) -> None:
        """Take over a document's labels."""
        own = _runs(part)
        starts = [-1, *sorted(own)]
        self.any = self.any or bool(own)
        following: tuple[int, int] | None = None
        for offset, index in enumerate(part.chosen):
            run = starts[bisect_right(starts, index) - 1]
            if (run, index) != following:
                self._runs[part.start + offset] = _label(own.get(run), index - run, part.start + offset)
            following = run, index + 1

    def place(self, index: int) -> None:
        """A page that belongs to no document shows its place."""
        self._runs[index] = _label(None, 0, index)

    def close(self, writer: PdfWriter) -> bytes:
        """The catalogue's entry, when any document had labels."""
        return b"/PageLabels %d 0 R" % number_tree(writer, self._runs) if self.any else b""


def _runs(part: Part) -> dict[int, Any]:
    tree = get(part.pdf.Root, "/PageLabels")
    return {key: value for key, value in leaves(tree, "/Nums") if isinstance(key, int) and is_dictionary(value)}


def _label(run: Any, offset: int, place: int) -> bytes:
    if run is None:
        return b"<< /S /D /St %d >>" % (place + 1)
    start = run.get("/St", 1)
    parts = [b"%b %b" % (key.encode(), run[key].unparse(resolved=True)) for key in ("/S", "/P") if key in run]
    return b"<< %b /St %d >>" % (b" ".join(parts), (start if isinstance(start, int) else 1) + offset)
