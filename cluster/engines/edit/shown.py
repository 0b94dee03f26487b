"""The fonts of a document whose other pages stayed behind: cut to what the pages that came along show.

One font often serves a whole book. Its glyphs, widths and meanings would say which letters the other pages had, and
an Asian font whole is larger than many pages.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pikepdf

from cluster.engines.edit.fonts import Fonts
from cluster.engines.edit.forget import Gone, document_fonts, drawn_by, forget
from cluster.engines.fonts.programs import FONT_FILES, set_apart
from cluster.engines.pdf.drawn import Key
from cluster.engines.pdf.nodes import get, is_dictionary
from cluster.files import Output

#: In more files or pages fonts stay as they are: to read all that is shown and cut a font anew for each file (a quarter
#: of a second) would take many times as long as taking the pages out.
MOST_FILES, MOST_PAGES = 50, 1000


def forget_fonts(outputs: Sequence[Output], scratch: Path) -> int:
    """Cut the fonts of documents whose other pages stayed behind to what is shown; how many of one were not.

    `scratch`: a path for a while.
    """
    if len(outputs) > MOST_FILES or sum(output.pages or 0 for output in outputs) > MOST_PAGES:
        return kept_whole(max(outputs, key=lambda output: output.path.stat().st_size).path)
    return max((keep_shown(output.path, scratch) for output in outputs), default=0)


def keep_shown(path: Path, scratch: Path) -> int:
    """Cut the fonts of the unlocked document at `path` in place, by way of `scratch`; how many were left whole.

    Fonts that fields are typed with are not counted: those stay whole.
    """
    with pikepdf.open(path) as pdf:
        set_apart(pdf)
        gone = Gone()
        gone.whole = _telling(pdf)
        try:
            done = forget(pdf, gone, Fonts())
        except Exception:  # whatever a hostile font makes of libraries that trust it: as it was the document is sound
            return len(gone.whole)
        if not done.cut:
            return len(done.left)
        compact = pikepdf.ObjectStreamMode.generate
        pdf.save(scratch, object_stream_mode=compact, fix_metadata_version=False)
    scratch.replace(path)
    return len(done.left)


def kept_whole(path: Path) -> int:
    """How many fonts `keep_shown` would have to cut."""
    with pikepdf.open(path) as pdf:
        set_apart(pdf)
        return len(_telling(pdf))


def _telling(pdf: pikepdf.Pdf) -> set[Key]:
    """The fonts that tell of letters: by a program, or drawings and meanings; not those that fields are typed with."""
    typed = {_program(font) or font.objgen for font in _of_fields(pdf)}
    fonts = [font for font in document_fonts(pdf) if font.is_indirect]
    kept = {font.objgen: _program(font) or font.objgen for font in fonts if _program(font) or _told(font)}
    return {key for key, program in kept.items() if program not in typed}


def _told(font: Any) -> bool:
    return "/CharProcs" in font or "/ToUnicode" in font


def _of_fields(pdf: pikepdf.Pdf) -> list[Any]:
    held = get(pdf.Root, "/AcroForm", "/DR", "/Font")
    return [font for font in held.as_dict().values() if is_dictionary(font)] if is_dictionary(held) else []


def _program(font: Any) -> Key | None:
    descriptor = get(drawn_by(font), "/FontDescriptor")
    streams = (get(descriptor, key) for key in FONT_FILES)
    return next((each.objgen for each in streams if isinstance(each, pikepdf.Stream)), None)
