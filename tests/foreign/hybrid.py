"""Hybrid files whose table calls objects free that a stream beside it tells of: most programs read less than is there.

Such a source is judged by a copy that pypdf makes, which reads the stream; a result must be read by everybody.
"""

from pathlib import Path

from tests.foreign.aside import Aside, Cannot


def whole(path: Path, folder: Path, aside: Aside) -> Path:
    """The file, or a copy below `folder` of one of which qpdf does not see all."""
    if b"/XRefStm" not in path.read_bytes():
        return path
    try:
        return aside.call(_whole, path, folder / "whole.pdf")
    except Cannot:
        return path


def _whole(path: Path, copy: Path) -> Path:
    """Called aside: both libraries read hostile files here."""
    import pikepdf
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import NullObject

    reader = PdfReader(path)
    held = [number for number in reader.xref_objStm if not isinstance(reader.get_object(number), NullObject)]
    with pikepdf.open(path) as pdf:
        len(pdf.pages)  # What is damaged qpdf reads otherwise for other reasons, and tells only then.
        if pdf.get_warnings() or all(pdf.get_object(number, 0) is not None for number in held):
            return path
    PdfWriter(clone_from=reader).write(copy)
    return copy
