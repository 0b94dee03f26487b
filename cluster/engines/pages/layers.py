"""Optional content: layers stay, and hidden ones stay hidden."""

from typing import Any

from cluster.engines.pages.copier import NULL
from cluster.engines.pages.part import Part
from cluster.engines.pdf.syntax import Ref

_LISTS = (b"/ON", b"/OFF", b"/Order", b"/RBGroups", b"/Locked", b"/AS")
_DEEPEST = 20


class Layers:
    """Gathers layers; `add` must come after a document's pages, which tell what layers are used."""

    def __init__(self) -> None:
        self._groups: list[bytes] = []
        self._rest: dict[bytes, bytes] = {}
        self._lists: dict[bytes, list[bytes]] = {key: [] for key in _LISTS}
        self._configurations: list[bytes] = []

    def add(self, part: Part) -> None:
        """Take over a document's layers and which of them are hidden."""
        document, text = part.whole.document, part.copier.text
        held = document.dictionary(document.root.get(b"/OCProperties"))
        groups = [each for each in document.array(held.get(b"/OCGs")) if type(each) is Ref]
        groups = [each for each in groups if part.complete or _came(part, each)]
        if not groups:
            return
        self._groups += [text(each) for each in groups]
        shown = _known(part, held.get(b"/D", b"null"), set(groups), 0)
        shown = shown if type(shown) is dict else {}
        if shown.get(b"/BaseState") == b"/OFF":
            lit = set(shown.get(b"/ON", ()))
            shown[b"/OFF"] = [each for each in groups if each not in lit]
        for key in _LISTS:
            listed = shown.get(key)
            self._lists[key] += [text(each) for each in listed] if type(listed) is list else []
        kept = {key: text(each) for key, each in shown.items() if key not in (*_LISTS, b"/BaseState")}
        self._rest = self._rest or kept
        others = _known(part, held.get(b"/Configs", b"null"), set(groups), 0)
        self._configurations += [text(each) for each in others] if type(others) is list else []
        part.copier.drain()

    def close(self) -> bytes:
        """The catalogue's entry."""
        if not self._groups:
            return b""
        told = self._rest | {key: b"[%b]" % b" ".join(held) for key, held in self._lists.items() if held}
        text = b"/OCProperties<</OCGs[%b]/D<<%b>>" % (b" ".join(self._groups), _entries(told))
        if self._configurations:
            text += b"/Configs[%b]" % b" ".join(self._configurations)
        return text + b">>"


def _entries(told: dict[bytes, bytes]) -> bytes:
    return b" ".join([b"%b %b" % each for each in told.items()])


def _came(part: Part, layer: Ref) -> bool:
    return part.copier.names.get(layer, NULL) != NULL


def _known(part: Part, value: Any, groups: set[Ref], depth: int) -> Any:
    """`value` with only the layers that came along."""
    if type(value) is Ref:
        if value in groups:
            return value
        found = part.whole.document.get(value)
        if type(found) not in (dict, list) or (type(found) is dict and found.get(b"/Type") == b"/OCG"):
            return b"null"
        return _known(part, found, groups, depth + 1) if depth < _DEEPEST else b"null"
    if type(value) is dict:
        return {key: _known(part, each, groups, depth + 1) for key, each in value.items()}
    if type(value) is list:
        known = [_known(part, each, groups, depth + 1) for each in value]
        return [each for each in known if each != b"null"]
    return value
