"""The looks that pdfium gives to fields of text and choice: borders, alignment, combs, the fonts they name.

It draws what /NeedAppearances leaves to readers, and keeps what it drew when it saves. It gets the fields alone, on a
sheet of their own: whatever else the document holds is none of its business here.
"""

import io
from contextlib import closing
from typing import TYPE_CHECKING, Any

from cluster.engines.forms.signed import terminals
from cluster.engines.pdf.nodes import get, is_dictionary, items, said

if TYPE_CHECKING:
    import pikepdf

#: What a look is made of, in the widget or in a field above it.
_SAID = ("/FT", "/Ff", "/V", "/DA", "/Q", "/MaxLen", "/Opt", "/TI", "/I", "/MK", "/BS", "/Border", "/Rect", "/F")


def draw_looks(pdf: "pikepdf.Pdf", tops: list[Any]) -> None:
    """Give every widget of a text or choice field below `tops` the look that pdfium has for it, if any."""
    import pikepdf

    widgets = [widget for top in tops for field in terminals(top) for widget in widgets_of(field)]
    widgets = [widget for widget in widgets if said(widget, "/FT") in ("/Tx", "/Ch")]
    if not widgets:
        return
    fonts = get(pdf.Root, "/AcroForm", "/DR", "/Font")
    with pikepdf.open(io.BytesIO(_saved_by_pdfium(_sheet(pdf, widgets)))) as sheet:
        for widget, drawn in zip(widgets, sheet.Root["/AcroForm"]["/Fields"], strict=True):
            if isinstance(look := get(drawn, "/AP", "/N"), pikepdf.Stream):
                widget["/AP"] = pikepdf.Dictionary(N=_with_fonts(pdf.copy_foreign(look), fonts))


def widgets_of(field: Any) -> list[Any]:
    """Where a field that holds a value is shown."""
    held = [field] if "/Rect" in field else items(field.get("/Kids"))
    return [each for each in held if is_dictionary(each) and "/Rect" in each]


def _sheet(pdf: "pikepdf.Pdf", widgets: list[Any]) -> bytes:
    """A document of one page with these widgets, each a field of its own."""
    import pikepdf

    form = get(pdf.Root, "/AcroForm")
    told = {key: form[key] for key in ("/DA", "/Q") if key in form}
    told["/DR"] = pikepdf.Dictionary(Font=get(form, "/DR", "/Font") or pikepdf.Dictionary())
    told["/Fields"] = pikepdf.Array([pdf.make_indirect(_field(each)) for each in widgets])
    with pikepdf.new() as sheet:
        sheet.add_blank_page()
        sheet.Root["/AcroForm"] = sheet.copy_foreign(pdf.make_indirect(pikepdf.Dictionary(told)))
        sheet.Root["/AcroForm"]["/NeedAppearances"] = True
        sheet.pages[0].obj["/Annots"] = sheet.Root["/AcroForm"]["/Fields"]
        sheet.save(made := io.BytesIO())
        return made.getvalue()


def _field(widget: Any) -> "pikepdf.Dictionary":
    import pikepdf

    found = {key: value for key in _SAID if (value := said(widget, key)) is not None}
    kind = {"/Type": pikepdf.Name.Annot, "/Subtype": pikepdf.Name.Widget, "/T": pikepdf.String("field")}
    return pikepdf.Dictionary({**kind, **found})


def _saved_by_pdfium(sheet: bytes) -> bytes:
    """The document after it was drawn: so pdfium makes the looks."""
    import pypdfium2

    made = io.BytesIO()
    with closing(pypdfium2.PdfDocument(sheet)) as document:
        document[0].render(scale=0.01, may_draw_forms=False)
        document.save(made)
    return made.getvalue()


def _with_fonts(look: Any, fonts: Any) -> Any:
    """The look with the form's own fonts instead of the sheet's copies."""
    held = get(look.get("/Resources"), "/Font")
    for name in list(held.keys()) if held is not None else ():
        if get(fonts, name) is not None:
            held[name] = fonts[name]
    return look
