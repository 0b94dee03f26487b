"""Fields of an open PDF made into what they look like, or given looks that every reader shows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cluster.engines.forms.drawn import draw_looks
from cluster.engines.forms.look import draw_values
from cluster.engines.forms.signed import every, is_signed, terminals
from cluster.engines.forms.ticked import draw_ticks
from cluster.engines.pdf.nodes import get, is_dictionary, items

if TYPE_CHECKING:
    import pikepdf


@dataclass(frozen=True)
class Flattened:
    """What the form held: fields, how many of them were signed, and whether it was an XFA form, too."""

    fields: int
    signatures: int
    xfa: bool


def redraw(pdf: "pikepdf.Pdf") -> None:
    """Give fields the looks that /NeedAppearances asks of readers, so that it may go."""
    form = get(pdf.Root, "/AcroForm")
    if get(form, "/NeedAppearances") is True:
        pdf.generate_appearance_streams()
        draw_looks(pdf, _tops(pdf))
        draw_values(pdf, fields := fields_of(pdf))
        for field in fields:
            draw_ticks(pdf, field)
        form["/NeedAppearances"] = False


def flatten(pdf: "pikepdf.Pdf") -> Flattened:
    """Turn fields into what they look like; other annotations stay."""
    import pikepdf

    fields, nodes = fields_of(pdf), [node for top in _tops(pdf) for node in every(top)]
    signed, xfa = sum(is_signed(field) for field in fields), get(pdf.Root, "/AcroForm", "/XFA") is not None
    redraw(pdf)
    others = {page.objgen: items(page.obj.get("/Annots")) for page in pdf.pages if "/Annots" in page.obj}
    for page in pdf.pages:
        if "/Annots" in page.obj:
            widgets = [each for each in items(page.obj["/Annots"]) if get(each, "/Subtype") == "/Widget"]
            page.obj["/Annots"] = pdf.make_indirect(pikepdf.Array(widgets))
    pdf.flatten_annotations("screen")
    for page in pdf.pages:
        held = [each for each in others.get(page.objgen, ()) if get(each, "/Subtype") != "/Widget"]
        if held:
            page.obj["/Annots"] = pdf.make_indirect(pikepdf.Array(held))
    # Tags refer to fields too, and would carry their values over.
    for node in [*nodes, *(each for held in others.values() for each in held if get(each, "/Subtype") == "/Widget")]:
        for key in list(node.keys()):
            del node[key]
    if "/AcroForm" in pdf.Root:
        del pdf.Root["/AcroForm"]
    return Flattened(len(fields), signed, xfa)


def fields_of(pdf: "pikepdf.Pdf") -> list[Any]:
    """The fields that hold values."""
    return [field for top in _tops(pdf) for field in terminals(top)]


def _tops(pdf: "pikepdf.Pdf") -> list[Any]:
    return [top for top in items(get(pdf.Root, "/AcroForm", "/Fields")) if is_dictionary(top)]
