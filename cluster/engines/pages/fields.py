"""Form fields of joined documents: renamed where names meet, made ordinary content, or dropped."""

import re
from collections.abc import Iterator
from typing import Any, Literal

import pikepdf

from cluster.engines.pages.excerpt import Key, Part
from cluster.engines.pdf.nodes import get, is_dictionary, items
from cluster.engines.pdf.writer import PdfWriter

_DEEPEST = 32
_FONT = re.compile(r"/([^\s/<>\[\](){}%]+)")


class Forms:
    """Gathers form fields; the counts are for the receipt."""

    def __init__(self, style: Literal["keep", "flatten", "drop"]) -> None:
        self.style = style
        self.before = self.after = self.renamed = self.signatures = 0
        self.xfa = False
        self._fields: list[bytes] = []
        self._order: list[bytes] = []
        self._names: set[str] = set()
        self._resources: dict[str, dict[str, bytes]] = {}
        self._looks: dict[str, dict[str, bytes]] = {}
        self._defaults = b""
        self._redraw = False

    def prepare(self, part: Part) -> None:
        """Change the document in memory; must come before its pages are carried over."""
        form = get(part.pdf.Root, "/AcroForm")
        self.xfa = self.xfa or (is_dictionary(form) and "/XFA" in form)
        tops = _indirect(part.pdf, form)
        every = [field for top in tops for field in terminals(top)]
        self.before += len(every)
        self.signatures += sum(_unsign(field) for field in every)
        if self.style != "keep":
            # Tags refer to fields too, and would carry their values over.
            gone = [*(each for top in tops for each in _every(top)), *_widgets(part.pdf)]
            part.transcript.numbers.update({each.objgen: None for each in gone if each.is_indirect})
        if self.style == "flatten" and every:
            flatten(part.pdf, every)
        elif self.style == "drop":
            drop_widgets(part.pdf)
        elif not part.whole or part.doubled:
            keep_fields(part)

    def add(self, part: Part) -> None:
        """Take over the document's fields."""
        form = get(part.pdf.Root, "/AcroForm")
        if self.style != "keep" or not is_dictionary(form):
            return
        tops = _indirect(part.pdf, form)
        self._rename(part, tops)
        self._share_resources(part, form, tops)
        self._fields += [part.transcript.text(top) for top in tops]
        every = [field for top in tops for field in terminals(top)]
        self.after += len(every)
        kept = {field.objgen for field in every}
        self._order += [part.transcript.text(each) for each in items(form.get("/CO")) if each.objgen in kept]
        self._redraw = self._redraw or form.get("/NeedAppearances") is True

    def close(self, writer: PdfWriter) -> bytes:
        """Write the form; returns the catalogue's entry."""
        if not self._fields:
            return b""
        text = b"/Fields [ %b ]" % b" ".join(self._fields) + self._defaults
        kinds = [(kind, b" ".join(b"%b %b" % (_name(key), value) for key, value in held.items()))
                 for kind, held in self._resources.items()]  # fmt: skip
        if kinds:
            text += b" /DR << %b >>" % b" ".join(b"%b << %b >>" % (_name(kind), held) for kind, held in kinds)
        if self._order:
            text += b" /CO [ %b ]" % b" ".join(self._order)
        if self._redraw:
            text += b" /NeedAppearances true"
        return b"/AcroForm %d 0 R" % writer.add(b"<< %b >>" % text)

    def _rename(self, part: Part, tops: list[Any]) -> None:

        own = {str(top["/T"]) for top in tops if "/T" in top}
        new: dict[str, str] = {}
        for name in sorted(own & self._names):
            count = 2
            while (tried := f"{name}_{count}") in own or tried in self._names or tried in new.values():
                count += 1
            new[name] = tried
        for top in tops:
            if str(top.get("/T", "")) in new:
                self.renamed += len(list(terminals(top)))
                top["/T"] = pikepdf.String(new[str(top["/T"])])
        self._names |= {new.get(name, name) for name in own}
        if new:
            rename_in_scripts(part.pdf, tops, new)

    def _share_resources(self, part: Part, form: Any, tops: list[Any]) -> None:
        """One /DR for all: a font name that means another font here gets a new name in /DA."""
        fonts: dict[str, str] = {}
        for kind, held in _resources(form):
            mine, looks = self._resources.setdefault(kind, {}), self._looks.setdefault(kind, {})
            for name, value in held.items():
                key, look = name, value.unparse(resolved=True)
                while key in mine and not _same(looks[key], look):
                    key = f"{key}_2"
                if key != name and kind == "/Font":
                    fonts[name] = key
                if key not in mine:
                    mine[key], looks[key] = part.transcript.text(value), look
        self._keep_defaults(form, tops, fonts)

    def _keep_defaults(self, form: Any, tops: list[Any], fonts: dict[str, str]) -> None:
        """/DA and /Q of the form are inherited; where forms differ, the fields carry them."""
        for key in ("/DA", "/Q"):
            if key in form:
                for top in tops:
                    if key not in top:
                        top[key] = form[key]
        if not self._defaults and "/DA" in form:
            self._defaults = b" /DA " + form["/DA"].unparse()
        if fonts:
            for top in tops:
                for field in _every(top):
                    if "/DA" in field:
                        field["/DA"] = _with_fonts(str(field["/DA"]), fonts)


def terminals(top: Any) -> Iterator[Any]:
    """The fields below `top` that hold values."""
    for field in _every(top):
        if not any("/T" in kid for kid in items(field.get("/Kids")) if is_dictionary(kid)) and _is_field(field):
            yield field


def signatures(pdf: pikepdf.Pdf) -> int:
    """Signed signature fields: any change to the document breaks them."""
    tops = items(get(pdf.Root, "/AcroForm", "/Fields"))
    return sum(_is_signed(field) for top in tops for field in terminals(top))


def keep_fields(part: Part) -> None:
    """Leave only the fields that are drawn on the chosen pages: a field's value belongs to its page."""
    shown = {each.objgen for page in part.pages for each in items(page.get("/Annots")) if is_dictionary(each)}
    form = get(part.pdf.Root, "/AcroForm")
    if is_dictionary(form):
        kept = [top for top in _indirect(part.pdf, form) if _prune(top, shown, 0)]
        form["/Fields"] = pikepdf.Array(kept)


def drop_widgets(pdf: pikepdf.Pdf) -> None:
    """Take the fields off the pages, with their values."""
    _keep_annotations(pdf, lambda each: get(each, "/Subtype") != "/Widget")
    if "/AcroForm" in pdf.Root:
        del pdf.Root["/AcroForm"]


def flatten(pdf: pikepdf.Pdf, fields: list[Any]) -> None:
    """Turn fields into what they look like; other annotations stay."""
    from cluster.engines.forms.look import draw_values

    if get(pdf.Root, "/AcroForm", "/NeedAppearances") is True:
        pdf.generate_appearance_streams()
        draw_values(pdf, fields)
    others = {page.objgen: items(page.obj.get("/Annots")) for page in pdf.pages if "/Annots" in page.obj}
    _keep_annotations(pdf, lambda each: get(each, "/Subtype") == "/Widget")
    pdf.flatten_annotations("screen")
    for page in pdf.pages:
        held = [each for each in others.get(page.objgen, ()) if get(each, "/Subtype") != "/Widget"]
        if held:
            page.obj["/Annots"] = pdf.make_indirect(pikepdf.Array(held))
    if "/AcroForm" in pdf.Root:
        del pdf.Root["/AcroForm"]


def rename_in_scripts(pdf: pikepdf.Pdf, tops: list[Any], new: dict[str, str]) -> None:
    """Scripts name fields in quotes: `getField("total")`; those of renamed ones follow."""
    names = "|".join(re.escape(name) for name in new)
    pattern = re.compile(rf"""(["'])({names})((?:\.[^"'\\]*)?\1)""")
    for script in _scripts(pdf, tops):
        old = script["/JS"]
        text = old.read_bytes().decode("latin-1") if isinstance(old, pikepdf.Stream) else str(old)
        changed = pattern.sub(lambda found: found[1] + new[found[2]] + found[3], text)
        if changed != text:
            raw = changed.encode("latin-1", "replace")
            script["/JS"] = pdf.make_stream(raw) if isinstance(old, pikepdf.Stream) else pikepdf.String(changed)


def _scripts(pdf: pikepdf.Pdf, tops: list[Any]) -> Iterator[Any]:
    from cluster.engines.pdf.nodes import named

    for script in named(get(pdf.Root, "/Names", "/JavaScript")).values():
        yield from _chain(script)
    for top in tops:
        for field in _every(top):
            yield from _chain(get(field, "/A"))
            triggers = get(field, "/AA")
            for action in triggers.values() if is_dictionary(triggers) else ():
                yield from _chain(action)


def _chain(action: Any) -> Iterator[Any]:
    for _ in range(_DEEPEST):
        if not is_dictionary(action):
            return
        if "/JS" in action:
            yield action
        action = action.get("/Next")


def _every(top: Any) -> Iterator[Any]:
    """A field, its kids and theirs, widgets too."""
    seen: set[Key] = set()
    waiting = [(top, 0)]
    while waiting:
        field, depth = waiting.pop()
        if not is_dictionary(field) or field.objgen in seen or depth > _DEEPEST:
            continue
        if field.is_indirect:
            seen.add(field.objgen)
        yield field
        waiting += [(kid, depth + 1) for kid in reversed(items(field.get("/Kids")))]


def _is_field(node: Any) -> bool:
    return "/T" in node or "/Parent" not in node


def _indirect(pdf: pikepdf.Pdf, form: Any) -> list[Any]:
    """The form's top fields, each an object of its own, so that it can be told and changed."""
    tops = [each for each in items(get(form, "/Fields")) if is_dictionary(each)]
    return [each if each.is_indirect else pdf.make_indirect(each) for each in tops]


def _unsign(field: Any) -> bool:
    """A joined document cannot keep a signature; a broken one would only alarm."""
    signed = _is_signed(field)
    if signed:
        del field["/V"]
    return signed


def _is_signed(field: Any) -> bool:
    kind = field.get("/FT") or get(field, "/Parent", "/FT")
    return bool(kind == "/Sig") and is_dictionary(field.get("/V"))


def _prune(field: Any, shown: set[Key], depth: int) -> bool:

    kids = [kid for kid in items(field.get("/Kids")) if is_dictionary(kid)]
    if not kids or depth > _DEEPEST:
        return field.objgen in shown
    kept = [kid for kid in kids if _prune(kid, shown, depth + 1)]
    field["/Kids"] = pikepdf.Array(kept)
    return bool(kept)


def _widgets(pdf: pikepdf.Pdf) -> Iterator[Any]:
    for page in pdf.pages:
        yield from (each for each in items(page.obj.get("/Annots")) if get(each, "/Subtype") == "/Widget")


def _keep_annotations(pdf: pikepdf.Pdf, wanted: Any) -> None:

    for page in pdf.pages:
        if "/Annots" in page.obj:
            kept = [each for each in items(page.obj["/Annots"]) if wanted(each)]
            page.obj["/Annots"] = pdf.make_indirect(pikepdf.Array(kept))


def _resources(form: Any) -> Iterator[tuple[str, Any]]:
    resources = form.get("/DR")
    for kind, held in resources.items() if is_dictionary(resources) else ():
        if is_dictionary(held):
            yield kind, held


def _same(one: bytes, other: bytes) -> bool:
    """Whether two resources of two files look alike; numbers of objects within say nothing, so they count as unlike."""
    return one == other and b" R" not in one


def _with_fonts(text: str, fonts: dict[str, str]) -> Any:

    return pikepdf.String(_FONT.sub(lambda found: fonts.get(found[0], found[0]), text))


def _name(key: str) -> bytes:

    return pikepdf.Name(key).unparse()
