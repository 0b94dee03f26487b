"""A line of a document that nobody here drew, changed: three readers read it so, and nothing beside it moves."""

import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pdfplumber
import pymupdf
import pytest

from tests.corpus import CORPUS
from tests.running import run_tool

#: Pixels an inch of what is compared, and how many of them letters may reach over the box that readers tell.
FINE, RIM = 150, 3


class Line(NamedTuple):
    """A line of a page of the corpus, what it becomes, and the kind of font it is set in."""

    name: str
    was: str
    text: str
    kind: str


LINES = {
    "Chinese in Type 1": Line(
        "word/made_zh_two.pdf", "年第三季度对全部下属单位的安全生产情况",
        "年第四季度对全部下属单位的安全检查情况", "Type1",
    ),
    "two fonts": Line("word/chatchat_4.pdf", "NB/T 20442.7－2017", "NB/T 20442.7－2026", "TrueType"),
    "a table": Line("pdfplumber/tests/pdfs/issue-336-example.pdf", "用地指标基准值", "用地指标参考值", ""),
    "a turned page": Line("pdfplumber/tests/pdfs/issue-461-example.pdf", "年龄: 50岁", "年龄: 61岁", "Type0"),
    "a company's report": Line(
        "pdfplumber/tests/pdfs/issue-67-example.pdf", "东北电气发展股份有限公司", "东南电气发展股份有限公司", "Type0"
    ),
    "TrueType": Line("word/docx4j_toc.pdf", "Discrimination", "Discriminations", "TrueType"),
    "TrueType that is not in the file": Line(
        "camelot/tests/files/agstat.pdf", "DURING 2012-13", "DURING 2026-27", "TrueType"
    ),
    "Type 1": Line(
        "foreign/pymupdf__2201.00069.pdf", "September 2019 epoch. The peak of the MeerKAT radio emission",
        "September 2021 epoch. The peak of the MeerKAT radio emission", "Type1",
    ),
}  # fmt: skip


def act(line: Line) -> dict[str, Any]:
    """As the editor asks for it: the box as seen, on a page that is turned, too."""
    with pymupdf.open(CORPUS / line.name) as document:
        page = document[0]
        found = page.search_for(line.was)[0]
        assert line.kind in {"", *kinds(page, found)}
        box = found * page.rotation_matrix
    place = [box.x0, box.y0, box.width, box.height]
    return {"kind": "change", "page": 1, "box": place, "was": line.was, "text": line.text}


def kinds(page: Any, box: Any) -> set[str]:
    """Of the fonts whose letters stand in the box; MuPDF cuts their names."""
    blocks = page.get_text("dict", clip=box)["blocks"]
    spans = [span for block in blocks for line in block.get("lines", ()) for span in line["spans"]]
    named = [(name.rpartition("+")[2], kind) for _, _, kind, name, *_ in page.get_fonts()]
    return {kind for span in spans for name, kind in named if name.startswith(span["font"])}


def shown(path: Path, *words: str) -> tuple[Any, list[Any]]:
    """The first page's pixels, and the boxes of the places that read so, in pixels."""
    with pymupdf.open(path) as document:
        page = document[0]
        drawn = page.get_pixmap(dpi=FINE)
        places = [found * page.rotation_matrix * (FINE / 72) for each in words for found in page.search_for(each)[:1]]
        return np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.width, -1).astype(int), places


def read(path: Path) -> list[str]:
    """The first page as MuPDF, pdfminer and poppler read it, without white space."""
    with pymupdf.open(path) as document:
        mupdf = document[0].get_text()
    with pdfplumber.open(path) as document:
        mined = document.pages[0].extract_text(use_text_flow=True)
    told = ["pdftotext", "-raw", "-l", "1", path, "-"]
    poppler = subprocess.run(told, capture_output=True, text=True, check=True).stdout
    return ["".join(text.split()) for text in (mupdf, mined, poppler)]


@pytest.mark.skipif(not (CORPUS / "word").exists(), reason="no collection of foreign files here")
@pytest.mark.parametrize("kind", LINES)
def test_a_real_line_is_changed_and_nothing_beside_it(tmp_path: Path, kind: str):
    """Each reader finds the new words once more and the old ones once less; outside the line no pixel differs."""
    line = LINES[kind]
    source = CORPUS / line.name
    ran = run_tool("edit", tmp_path / "run", [source], acts=[act(line)])
    was, text = ("".join(words.split()) for words in (line.was, line.text))
    for before, after in zip(read(source), read(ran.path), strict=True):
        assert after.count(text) == before.count(text) + 1
        assert after.replace(text, "").count(was) == before.count(was) - 1
    (one, (old,)), (two, (new,)) = shown(source, line.was), shown(ran.path, line.text)
    changed = np.abs(one - two).max(axis=2)
    assert changed.any()
    left, top, right, bottom = (old | new).irect
    changed[top - RIM : bottom + RIM, left - RIM : right + RIM] = 0
    assert not changed.any(), np.argwhere(changed)[:5]


@pytest.mark.skipif(not (CORPUS / "word").exists(), reason="no collection of foreign files here")
def test_words_below_a_real_scan_say_that_they_are_a_picture(tmp_path: Path):
    line = Line("pdfplumber/tests/pdfs/pr-136-example.pdf", "上海证券交易所", "北京证券交易所", "Type0")
    ran = run_tool("edit", tmp_path / "run", [CORPUS / line.name], acts=[act(line)])
    assert ran.problem is not None and ran.problem.reason == "text_pictured"
