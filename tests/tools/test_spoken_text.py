"""What a structure tree tells instead of letters: taken where it stands for them, left where it is told many times."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pikepdf import Array, Dictionary, Name, String

from tests import look, make
from tests.running import run_tool

WORDS = [f"word{number:02}" for number in range(24)]
SENTENCE = "a sentence that stands for all of them at once"


def spoken(path: Path, pieces: list[str], told: str) -> Path:
    """A page of pieces that are one element, of which this is told."""
    with make.edit(make.text(path, 1)) as pdf:
        page = pdf.pages[0]
        drawn = [
            f"/Span <</MCID {at}>> BDC BT /F1 12 Tf {60 + at % 4 * 120} {700 - at // 4 * 30} Td ({piece}) Tj ET EMC"
            for at, piece in enumerate(pieces)
        ]
        page.Contents, page.obj.StructParents = pdf.make_stream("\n".join(drawn).encode()), 0
        root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
        element = pdf.make_indirect(
            Dictionary(Type=Name.StructElem, S=Name.Span, P=root, Pg=page.obj, K=Array(range(len(pieces))))
        )
        element.ActualText = String(told)
        root.K = Array([element])
        root.ParentTree = Dictionary(Nums=Array([0, Array([element] * len(pieces))]))
        pdf.Root.StructTreeRoot, pdf.Root.MarkInfo = root, Dictionary(Marked=True)
    return path


def scanned(folder: Path, path: Path) -> str:
    ran = run_tool("pdf_to_scan", folder / "scan", [path], text=True)
    assert ran.problem is None, ran.problem
    return look.texts_of(ran.path)[0]


def written(folder: Path, path: Path) -> str:
    import docx

    ran = run_tool("pdf_to_word", folder / "word", [path], ocr="off")
    assert ran.problem is None, ran.problem
    document = docx.Document(str(ran.path))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return " ".join([paragraph.text for paragraph in document.paragraphs] + cells)


@pytest.mark.parametrize("read", [scanned, written])
def test_what_is_told_at_each_piece_gives_way_to_what_is_drawn(
    tmp_path: Path, read: Callable[[Path, Path], str]
) -> None:
    made = read(tmp_path, spoken(tmp_path / "a.pdf", WORDS, SENTENCE)).split()
    assert (sorted(made), "sentence" in made) == (WORDS, False)


@pytest.mark.parametrize("read", [scanned, written])
def test_what_stands_for_letters_is_taken(tmp_path: Path, read: Callable[[Path, Path], str]) -> None:
    assert read(tmp_path, spoken(tmp_path / "a.pdf", ["s3nt3nc3"], "sentence")).split() == ["sentence"]
