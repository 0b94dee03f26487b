"""Other people's converters: python -m tests.bench.word.peers pdf2docx <pdf> <docx>; LibreOffice is a command."""

import logging
import sys
from pathlib import Path


def pdf2docx(pdf: str, docx: str) -> None:
    from pdf2docx import Converter

    logging.disable(logging.CRITICAL)
    converter = Converter(pdf)
    converter.convert(docx)
    converter.close()


def libreoffice(pdf: Path, folder: Path, profile: Path) -> list[str]:
    """The command that imports `pdf` as text and writes <folder>/<stem>.docx."""
    return [*_office(profile), "--infilter=writer_pdf_import", "--convert-to", "docx:MS Word 2007 XML",
            "--outdir", str(folder), str(pdf)]  # fmt: skip


def drawing(files: list[Path], folder: Path, profile: Path) -> list[str]:
    """The command that draws docx files as PDFs below `folder`."""
    return [*_office(profile), "--convert-to", "pdf", "--outdir", str(folder), *map(str, files)]


def _office(profile: Path) -> list[str]:
    return ["soffice", f"-env:UserInstallation={profile.as_uri()}", "--headless"]


if __name__ == "__main__":
    pdf2docx(*sys.argv[2:])
