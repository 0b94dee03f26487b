"""The page tree of a result: pages come in any order, each to its place."""

from cluster.engines.pdf.sink import Sink

#: Pages that a node holds; the root holds the first ones itself, so that a small document needs no other node.
_WIDE = 250


class PageTree:
    """Places count from 0; all are taken when the result is closed."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self.root = sink.reserve()
        self._nodes: dict[int, int] = {0: self.root}
        self._pages: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._pages)

    def parent(self, place: int) -> int:
        """The node above the page of that place."""
        node = place // _WIDE
        if node not in self._nodes:
            self._nodes[node] = self._sink.reserve()
        return self._nodes[node]

    def page(self, place: int) -> int:
        """The page object that stands there."""
        return self._pages[place]

    def stand(self, place: int, page: int) -> int:
        """This page object stands there; returns the node above it."""
        self._pages[place] = page
        return self.parent(place)

    def close(self) -> None:
        """Write the nodes."""
        below = dict[int, list[int]]()
        for place in range(len(self._pages)):
            below.setdefault(place // _WIDE, []).append(self._pages[place])
        nodes = [self._nodes[node] for node in sorted(self._nodes) if node]
        for node, kids in below.items():
            above = b"/Parent %d 0 R" % self.root if node else b""
            count, listed = (len(kids), kids) if node else (len(self._pages), [*kids, *nodes])
            told = b"<</Type/Pages/Count %d/Kids[%b]%b>>" % (
                count,
                b" ".join([b"%d 0 R" % each for each in listed]),
                above,
            )
            self._sink.put(self._nodes[node], told)
