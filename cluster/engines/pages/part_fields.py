"""Form fields of a part: the widgets on its pages, their fields with only those kids, one /AcroForm."""

from typing import Any

from cluster.engines.pages.copier import Copier
from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.syntax import Ref, string
from cluster.engines.pdf.usage import Names

_DEPTH = 50
_NO_FIELDS = (b"/Page", b"/Pages", b"/Catalog")


class Fields:
    """Collects the widgets of one part."""

    def __init__(self, document: Document, copier: Copier) -> None:
        self.document, self.copier = document, copier
        self._kids: dict[int, list[int]] = {}
        self._roots: list[int] = []
        self._looks: set[bytes] = set()
        self._default_look = False
        self.signatures = 0
        self.count = 0

    @property
    def xfa(self) -> bool:
        """Whether the document has an XFA form."""
        return b"/XFA" in self.document.dictionary(self.document.root.get(b"/AcroForm"))

    def take(self, numbered: int, widget: dict[bytes, Any]) -> dict[bytes, Any]:
        """Keep this widget and the fields above it; what is to be written for it."""
        chain = self._chain(numbered, widget)
        nodes = [widget, *[node for _, node in chain]]
        signature = next((node[b"/FT"] for node in nodes if b"/FT" in node), None) == b"/Sig"
        if not signature:
            # Nobody writes into a signature: it needs no font for what may be typed.
            self._look(nodes)
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
        return self._unsigned(widget, nodes) if signature else widget

    def _look(self, nodes: list[dict[bytes, Any]]) -> None:
        looks = [node[b"/DA"] for node in nodes if b"/DA" in node]
        self._looks |= self._fonts(looks)
        self._default_look = self._default_look or not looks

    def _chain(self, numbered: int, widget: dict[bytes, Any]) -> list[tuple[int, dict[bytes, Any]]]:
        """The fields above a widget, the nearest first."""
        chain: list[tuple[int, dict[bytes, Any]]] = []
        seen, above = {numbered}, widget.get(b"/Parent")
        while type(above) is Ref and above not in seen and len(chain) < _DEPTH:
            node = self.document.dictionary(above)
            # Some writers name the page here: it is no field, and must not be written as one.
            if not node or above in self.copier.pages or node.get(b"/Type") in _NO_FIELDS:
                break
            seen.add(above)
            chain.append((above, node))
            above = node.get(b"/Parent")
        return chain

    def _unsigned(self, widget: dict[bytes, Any], nodes: list[dict[bytes, Any]]) -> dict[bytes, Any]:
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
        if self._default_look and b"/DA" in held:
            self._looks |= self._fonts([held[b"/DA"]])
        fonts = {
            name: value
            for name, value in self.document.dictionary(resources.get(b"/Font")).items()
            if name in self._looks
        }
        if fonts:
            form[b"/DR"] = {b"/Font": fonts}
        return form

    def _fonts(self, looks: list[Any]) -> set[bytes]:
        """The names in default appearances."""
        names = Names()
        for each in looks:
            names.add(string(self.document.get(each)))
        return names.named
