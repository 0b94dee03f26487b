"""Form fields: the widgets on a part's pages, their fields with only those kids, one /AcroForm for all documents."""

import re
from typing import Any, Literal

from cluster.engines.pages.copier import NULL
from cluster.engines.pages.edits import written
from cluster.engines.pages.opening import Change
from cluster.engines.pages.part import Part
from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.syntax import Ref, string, text, text_token
from cluster.engines.pdf.usage import Names

_DEPTH = 50
_NO_FIELDS = (b"/Page", b"/Pages", b"/Catalog")
_FONT = re.compile(rb"/([^\s/<>\[\](){}%]+)")
_DEFAULTS = (b"/DA", b"/Q")
Style = Literal["keep", "flatten", "drop"]


class Fields:
    """The fields of one part. `renamed` are top fields, `fonts` names in /DA; `defaults` go to the top fields."""

    def __init__(self, part: Part, *, kept: bool = True) -> None:
        self.part, self.document, self.kept = part, part.whole.document, kept
        self.form = self.document.dictionary(self.document.root.get(b"/AcroForm"))
        self.renamed: dict[int, bytes] = {}
        self.fonts: dict[bytes, bytes] = {}
        self.defaults: dict[bytes, Any] = {}
        self.roots: list[int] = []
        self.count = self.signatures = self.names_changed = 0
        self._kids: dict[int, list[int]] = {}
        self._looks: set[bytes] = set()
        self._default_look = False

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
            self.part.copier.claim(above)
            kids = self._kids.setdefault(above, [])
            kids.append(child)
            if len(kids) > 1:
                break
            child = above
        else:
            self.roots.append(child)
        if b"/T" in widget or not chain or len(self._kids[chain[0][0]]) == 1:
            self.count += 1
            self.names_changed += (chain[-1][0] if chain else numbered) in self.renamed
        return self._dressed(numbered, self._unsigned(widget, nodes) if signature else widget, top=not chain)

    def drop(self, each: Any, widget: dict[bytes, Any]) -> None:
        """Leave this widget and its fields behind."""
        chain = self._chain(each, widget) if type(each) is Ref else []
        field = each if b"/T" in widget or not chain else chain[0][0]
        self.count += field not in self._kids
        self._kids[field] = []
        for numbered in (each, *[above for above, _ in chain]):
            if type(numbered) is Ref:
                self.part.copier.lead(numbered, NULL)

    def _look(self, nodes: list[dict[bytes, Any]]) -> None:
        looks = [node[b"/DA"] for node in nodes if b"/DA" in node]
        self._looks |= self._fonts_in(looks)
        self._default_look = self._default_look or not looks

    def _chain(self, numbered: int, widget: dict[bytes, Any]) -> list[tuple[Ref, dict[bytes, Any]]]:
        """The fields above a widget, the nearest first."""
        chain: list[tuple[Ref, dict[bytes, Any]]] = []
        seen, above = {numbered}, widget.get(b"/Parent")
        while type(above) is Ref and above not in seen and len(chain) < _DEPTH:
            node = self.document.dictionary(above)
            if not node or above in self.part.whole.index or not self._holds_fields(above, node):
                break
            seen.add(above)
            chain.append((above, node))
            above = node.get(b"/Parent")
        return chain

    def _holds_fields(self, numbered: Ref, node: dict[bytes, Any]) -> bool:
        """Whether this can be a field above others, and may be written as one.

        Some writers name the page; broken files anything: a picture, or another widget, which stands on a page itself.
        """
        if node.get(b"/Type") in _NO_FIELDS or type(self.document.get(numbered)) is not dict:
            return False
        return b"/Kids" in node or node.get(b"/Subtype") != b"/Widget"

    def _unsigned(self, widget: dict[bytes, Any], nodes: list[dict[bytes, Any]]) -> dict[bytes, Any]:
        self.signatures += any(b"/V" in node for node in nodes)
        return {key: value for key, value in widget.items() if key not in (b"/V", b"/Lock", b"/SV")}

    def _dressed(self, numbered: int, node: dict[bytes, Any], *, top: bool) -> dict[bytes, Any]:
        """The node under its new name, with the fonts of the one form."""
        if numbered in self.renamed:
            node = {**node, b"/T": self.renamed[numbered]}
        if top and self.defaults:
            node = {**self.defaults, **node}
        if self.fonts and b"/DA" in node:
            look = string(self.document.get(node[b"/DA"]))
            node = {**node, b"/DA": text_token(_FONT.sub(lambda each: self.fonts.get(each[0], each[0]), look))}
        return node

    def write(self) -> None:
        """Write the fields above the widgets; of a complete part also those that have none."""
        if self.part.complete and self.kept:
            self._take_unseen()
        for numbered, kids in self._kids.items() if self.kept else ():
            node = dict(self.document.dictionary(Ref(numbered)))
            if node.get(b"/FT") == b"/Sig":
                node.pop(b"/V", None)
            node[b"/Kids"] = [Ref(kid) for kid in kids]
            top = numbered in self.roots
            self.part.copier.put(self.part.copier.claimed[numbered], self._dressed(numbered, node, top=top))

    def _take_unseen(self) -> None:
        """Fields without a widget on any page hold values, too."""
        copier, waiting = self.part.copier, list(self.document.array(self.form.get(b"/Fields")))
        seen: set[int] = set()
        while waiting:
            each = waiting.pop()
            if type(each) is not Ref or each in seen:
                continue
            seen.add(each)
            node = self.document.dictionary(each)
            waiting += self.document.array(node.get(b"/Kids"))
            if node and b"/Kids" not in node and each not in copier.claimed and each not in self.part.whole.index:
                copier.put(copier.claim(each), self.take(each, node))

    def used_fonts(self) -> dict[bytes, Any]:
        """The form's fonts for what may be typed, by their names in the document."""
        if self._default_look and b"/DA" in self.form:
            self._looks |= self._fonts_in([self.form[b"/DA"]])
        return {name: value for name, value in self.all_fonts().items() if name in self._looks}

    def all_fonts(self) -> dict[bytes, Any]:
        """The form's fonts by name."""
        resources = self.document.dictionary(self.form.get(b"/DR"))
        return self.document.dictionary(resources.get(b"/Font"))

    def _fonts_in(self, looks: list[Any]) -> set[bytes]:
        """The names in default appearances."""
        names = Names()
        for each in looks:
            names.add(string(self.document.get(each)))
        return names.named


class Form:
    """Gathers the form of a result, of `several` documents or of one; the counts are for the receipt."""

    def __init__(self, style: Style = "keep", *, several: bool = False) -> None:
        self.style, self.several = style, several
        self.before = self.after = self.renamed = self.signatures = 0
        self.xfa = False
        self._fields: list[bytes] = []
        self._order: list[bytes] = []
        self._names: set[str] = set()
        #: Name in the result -> how it is written there, and what it is where nothing is referred to.
        self._fonts: dict[bytes, tuple[bytes, Any]] = {}
        self._defaults: dict[bytes, Any] | None = None
        self._redraw = False

    def begin(self, part: Part) -> Fields:
        """The document's fields, with the names they will have; must come before anything is carried over."""
        fields = Fields(part, kept=self.style == "keep")
        self.xfa = self.xfa or b"/XFA" in fields.form
        if fields.form and fields.kept and self._fields:
            self._rename(part, fields)
            self._rename_fonts(fields)
            if self._defaults != (own := _defaults(fields)):
                fields.defaults = own
        return fields

    def add(self, part: Part, fields: Fields) -> None:
        """Take over the fields that came along; after the pages."""
        fields.write()
        self.before += fields.count
        self.signatures += fields.signatures
        if not fields.roots:
            return
        copier, document = part.copier, part.whole.document
        self.after += fields.count
        self.renamed += fields.names_changed
        self._fields += [copier.text(Ref(root)) for root in fields.roots]
        self._names |= {_name(fields, root) for root in fields.roots}
        order = [each for each in document.array(fields.form.get(b"/CO")) if each in copier.claimed]
        self._order += [copier.text(each) for each in order]
        for name, value in fields.used_fonts().items():
            held = _plain(document.get(value)) if self.several else None
            self._fonts.setdefault(fields.fonts.get(name, name), (copier.text(value), held))
        if self._defaults is None:
            self._defaults = _defaults(fields)
        self._redraw = self._redraw or fields.form.get(b"/NeedAppearances") == b"true"

    def change(self, *, alone: bool) -> Change | None:
        """Fields that readers draw get looks before they stand beside others, whose looks readers would draw, too."""
        if alone or self.style != "keep":
            return None
        from cluster.engines.forms.flatten import redraw

        return Change(_is_redrawn, redraw)

    def close(self, sink: Sink) -> bytes:
        """Write the form; returns the catalogue's entry."""
        if not self._fields:
            return b""
        told = b"/Fields[%b]" % b" ".join(self._fields)
        told += b"".join([b"%b %b" % (key, value) for key, value in (self._defaults or {}).items()])
        if self._fonts:
            told += b"/DR<</Font<<%b>>>>" % b" ".join(
                [b"%b %b" % (key, each) for key, (each, _) in self._fonts.items()]
            )
        if self._order:
            told += b"/CO[%b]" % b" ".join(self._order)
        if self._redraw:
            told += b"/NeedAppearances true"
        return b"/AcroForm %d 0 R" % sink.add(b"<<%b>>" % told)

    def _rename(self, part: Part, fields: Fields) -> None:
        document = fields.document
        tops = [each for each in document.array(fields.form.get(b"/Fields")) if type(each) is Ref]
        names = {top: text(document.get(document.dictionary(top).get(b"/T"))) for top in tops}
        own, new = set(names.values()), dict[str, str]()
        for name in sorted((own & self._names) - {""}):
            count = 2
            while (tried := f"{name}_{count}") in own or tried in self._names or tried in new.values():
                count += 1
            new[name] = tried
        fields.renamed = {top: written(new[name]) for top, name in names.items() if name in new}
        part.edits.fields = new

    def _rename_fonts(self, fields: Fields) -> None:
        """One /DR for all: a font name that means another font here gets a new name."""
        own = fields.all_fonts()
        for name, value in own.items():
            held, key, count = _plain(fields.document.get(value)), name, 1
            while key in self._fonts and (held is None or self._fonts[key][1] != held):
                count += 1
                key = b"%b_%d" % (name, count)
                if key in own:
                    continue
            if key != name:
                fields.fonts[name] = key


def _is_redrawn(document: Document) -> bool:
    form = document.dictionary(document.root.get(b"/AcroForm"))
    return bool(document.get(form.get(b"/NeedAppearances")) == b"true")


def _defaults(fields: Fields) -> dict[bytes, Any]:
    return {key: fields.document.get(fields.form[key]) for key in _DEFAULTS if key in fields.form}


def _plain(font: Any) -> Any:
    """A font that says all itself, to be compared; None for one that refers to more."""
    return font if type(font) is dict and not any(type(each) in (Ref, dict, list) for each in font.values()) else None


def _name(fields: Fields, root: int) -> str:
    token = fields.renamed.get(root) or fields.document.get(fields.document.dictionary(Ref(root)).get(b"/T"))
    return text(token)
