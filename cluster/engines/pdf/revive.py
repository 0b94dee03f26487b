"""Content whose packing breaks, as readers show it: MuPDF gives up all of what it unpacks at a time."""

from typing import TYPE_CHECKING

from cluster.engines.pdf.libraries import STREAM_LIMIT, import_pymupdf, mupdf_errors
from cluster.engines.pdf.streams import unpacked

if TYPE_CHECKING:
    import pymupdf


def revive(page: "pymupdf.Page") -> None:
    """Give MuPDF, in memory, what stands before the break in the page's content."""
    tools, document = import_pymupdf().TOOLS, page.parent
    for ref in page.get_contents():
        tools.reset_mupdf_warnings()
        try:
            read = len(document.xref_stream(ref) or b"")
        except mupdf_errors():
            continue
        flate = document.xref_get_key(ref, "Filter")[1].strip("[ ]") == "/FlateDecode"
        if flate and "zlib error" in tools.mupdf_warnings() and document.xref_get_key(ref, "DecodeParms")[0] == "null":
            shown = unpacked(document.xref_stream_raw(ref), STREAM_LIMIT)
            if len(shown) > read:
                document.update_stream(ref, shown)
