"""Name trees and number trees, written."""

from collections.abc import Mapping

from cluster.engines.pdf.sink import Sink

#: Pairs that a node holds.
_WIDE = 256


def name_tree(sink: Sink, entries: Mapping[bytes, bytes]) -> int:
    """A name tree of keys (raw string bytes) and values (as they stand in the file)."""
    pairs = [(b"<%b>" % key.hex().encode(), value) for key, value in sorted(entries.items())]
    return sink.add(_tree(sink, b"/Names", pairs))


def number_tree(sink: Sink, entries: Mapping[int, bytes]) -> bytes:
    """A number tree: the text of its root."""
    return _tree(sink, b"/Nums", [(b"%d" % key, value) for key, value in sorted(entries.items())])


def _tree(sink: Sink, leaf: bytes, pairs: list[tuple[bytes, bytes]]) -> bytes:
    if len(pairs) <= _WIDE:
        return b"<<%b[%b]>>" % (leaf, _listed(pairs))
    kids = []
    for start in range(0, len(pairs), _WIDE):
        part = pairs[start : start + _WIDE]
        kids.append(sink.add(b"<</Limits[%b %b]%b[%b]>>" % (part[0][0], part[-1][0], leaf, _listed(part))))
    return b"<</Kids[%b]>>" % b" ".join([b"%d 0 R" % kid for kid in kids])


def _listed(pairs: list[tuple[bytes, bytes]]) -> bytes:
    return b" ".join([each for pair in pairs for each in pair])
