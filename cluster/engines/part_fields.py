"""Form fields of a part: the widgets on its pages, their fields with only those kids, one /AcroForm."""

from typing import Any

from cluster.engines.copier import Copier
from cluster.engines.source import Document
from cluster.engines.syntax import Ref, string
from cluster.engines.usage import Names

_DEPTH = 50


class Fields:
    """Collects the widgets of one part."""

    def __init__(self, document: Document, copier: Copier) -> None:
        self.document, self.copier = document, copier
        self._kids: dict[int, list[int]] = {}
        self._roots: list[int] = []
        self._looks: set[bytes] = set()
        self.signatures = 0
        self.count = 0

    @property
    def xfa(self) -> bool:
        """Whether the document has an XFA form."""
        return b"/XFA" in self.document.dictionary(self.document.root.get(b"/AcroForm"))

    def take(self, numbered: int, widget: dict[bytes, Any]) -> dict[bytes, Any]:
        """Keep this widget and the fields above it; what is to be written for it."""
        chain = self._chain(widget)
        self._looks |= _fonts(self.document, [widget, *[node for _, node in chain]])
        child = numbered
        for above, _ in chain:
            self.copier.claim(above)
            kids = self._kids.setdefault(above, [])
            kids.append(child)
            if len(kids) > 1:
                break
            child = above
        else:
            self._roots.append(child)
        self.count += b"/T" in widget or not chain or len(self._kids[chain[0][0]]) == 1
        return self._unsigned(widget, chain)

    def _chain(self, widget: dict[bytes, Any]) -> list[tuple[int, dict[bytes, Any]]]:
        chain: list[tuple[int, dict[bytes, Any]]] = []
        above = widget.get(b"/Parent")
        while type(above) is Ref and len(chain) < _DEPTH:
            node = self.document.dictionary(above)
            if not node or any(above == seen for seen, _ in chain):
                break
            chain.append((above, node))
            above = node.get(b"/Parent")
        return chain

    def _unsigned(self, widget: dict[bytes, Any], chain: list[tuple[int, dict[bytes, Any]]]) -> dict[bytes, Any]:
        nodes = [widget, *[node for _, node in chain]]
        kind = next((node[b"/FT"] for node in nodes if b"/FT" in node), None)
        if kind != b"/Sig":
            return widget
        self.signatures += any(b"/V" in node for node in nodes)
        return {key: value for key, value in widget.items() if key not in (b"/V", b"/Lock", b"/SV")}

    def write(self) -> dict[bytes, Any] | None:
        """Write the fields; /AcroForm as a value whose references are the source's."""
        if not self._roots:
            return None
        for numbered, kids in self._kids.items():
            node = dict(self.document.dictionary(Ref(numbered)))
            if node.get(b"/FT") == b"/Sig":
                node.pop(b"/V", None)
            node[b"/Kids"] = [Ref(kid) for kid in kids]
            self.copier.put(self.copier.claimed[numbered], node)
        return self._form()

    def _form(self) -> dict[bytes, Any]:
        held = self.document.dictionary(self.document.root.get(b"/AcroForm"))
        form: dict[bytes, Any] = {key: held[key] for key in (b"/DA", b"/Q", b"/NeedAppearances") if key in held}
        form[b"/Fields"] = [Ref(root) for root in self._roots]
        order = [each for each in self.document.array(held.get(b"/CO")) if each in self.copier.claimed]
        if order:
            form[b"/CO"] = order
        resources = self.document.dictionary(held.get(b"/DR"))
        self._looks |= _fonts(self.document, [held])
        fonts = {
            name: value
            for name, value in self.document.dictionary(resources.get(b"/Font")).items()
            if name in self._looks
        }
        if fonts:
            form[b"/DR"] = {b"/Font": fonts}
        return form


def _fonts(document: Document, nodes: list[dict[bytes, Any]]) -> set[bytes]:
    names = Names()
    for node in nodes:
        if b"/DA" in node:
            names.add(string(document.get(node[b"/DA"])))
    return names.named
