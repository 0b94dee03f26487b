"""The fonts of a document whose other pages stayed behind: cut to what the pages that came along show.

One font often serves a whole book. Its glyphs, widths and meanings would say which letters the other pages had, and
an Asian font whole is larger than many pages.
"""

from pathlib import Path
from typing import Any

import pikepdf

from cluster.engines.edit.follow import Fonts
from cluster.engines.edit.forget import Gone, document_fonts, drawn_by, forget
from cluster.engines.fonts.programs import FONT_FILES
from cluster.engines.pdf.drawn import Key
from cluster.engines.pdf.nodes import get, is_dictionary

#: Longer documents keep their fonts: reading all that they show takes longer than taking pages out of them.
_MOST = 1000


def keep_shown(path: Path, scratch: Path) -> int:
    """Cut the embedded fonts of the unlocked document at `path` in place, by way of `scratch`; how many were cut.

    Fonts that fields are typed with stay whole.
    """
    with pikepdf.open(path) as pdf:
        gone = Gone()
        gone.whole = _embedded(pdf) if len(pdf.pages) <= _MOST else set()
        try:
            done = forget(pdf, gone, Fonts()).cut
        except Exception:  # whatever a hostile font makes of libraries that trust it: as it was the document is sound
            return 0
        if not done:
            return 0
        compact = pikepdf.ObjectStreamMode.generate
        pdf.save(scratch, object_stream_mode=compact, fix_metadata_version=False)
    scratch.replace(path)
    return done


def _embedded(pdf: pikepdf.Pdf) -> set[Key]:
    """The fonts whose programs no field is typed with."""
    typed = {_program(font) for font in _of_fields(pdf)}
    programs = {font.objgen: _program(font) for font in document_fonts(pdf) if font.is_indirect}
    return {key for key, program in programs.items() if program and program not in typed}


def _of_fields(pdf: pikepdf.Pdf) -> list[Any]:
    held = get(pdf.Root, "/AcroForm", "/DR", "/Font")
    return [font for font in held.as_dict().values() if is_dictionary(font)] if is_dictionary(held) else []


def _program(font: Any) -> Key | None:
    descriptor = get(drawn_by(font), "/FontDescriptor")
    streams = (get(descriptor, key) for key in FONT_FILES)
    return next((each.objgen for each in streams if isinstance(each, pikepdf.Stream)), None)
