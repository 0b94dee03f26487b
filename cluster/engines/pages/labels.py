"""Page labels: each page keeps the label it had."""

from bisect import bisect_right
from typing import Any

from cluster.engines.pages.part import Part
from cluster.engines.pages.targets import tree_items
from cluster.engines.pages.whole import Whole
from cluster.engines.pdf.syntax import number, write

Label = tuple[Any, Any, int]
"""Style, prefix (tokens or None) and number."""


class Labels:
    """The labels of a document."""

    def __init__(self, whole: Whole) -> None:
        document = whole.document
        tree = document.root.get(b"/PageLabels")
        found = {number(at, -1): document.dictionary(value) for at, value in tree_items(document, tree, b"/Nums")}
        self.starts = sorted(start for start in found if start >= 0)
        self.styles = [{key: document.get(each) for key, each in found[start].items()} for start in self.starts]

    def of(self, page: int) -> Label | None:
        """The label of a page; None where it just shows its place."""
        at = bisect_right(self.starts, page) - 1
        if at < 0:
            return None
        style = self.styles[at]
        return style.get(b"/S"), style.get(b"/P"), number(style.get(b"/St"), 1) + page - self.starts[at]


class Shown:
    """Gathers the labels of a result; pages of documents without labels go on showing their place."""

    def __init__(self) -> None:
        self._labels: dict[int, Label] = {}

    def add(self, part: Part) -> None:
        """Take over a document's labels."""
        labels = part.whole.once(Labels)
        if labels.starts:
            told = ((place, labels.of(page)) for page, place in zip(part.pages, part.places, strict=True))
            self._labels |= {place: label for place, label in told if label}

    def close(self, pages: int) -> bytes:
        """The catalogue's entry, when any document had labels."""
        if not self._labels:
            return b""
        runs: list[Any] = []
        expected: Label | None = None
        for place in range(pages):
            label = self._labels.get(place, (b"/D", None, place + 1))
            if label != expected:
                style, prefix, shown = label
                entry = {b"/S": style, b"/P": prefix, b"/St": b"%d" % shown if style else None}
                runs += [b"%d" % place, {key: value for key, value in entry.items() if value is not None}]
            expected = (label[0], label[1], label[2] + 1)
        return b"/PageLabels" + write({b"/Nums": runs})
