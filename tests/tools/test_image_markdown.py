"""Image extract text as Markdown: headings, lists and tables of a page, and nothing that letters make by chance."""

import json
from pathlib import Path

import pytest

from cluster.engines.export.markdown import write_markdown
from cluster.engines.layout.model import Band, Block, Document, Paragraph, Span, Style, TextLine
from tests import make_reading
from tests.make_scans import ZH
from tests.running import run_tool
from tests.tools.test_image_to_word import HEADING, TITLE, page

_FACE = Style("SimSun", 10.5)


def _line(text: str, score: float = 1.0) -> TextLine:
    return TextLine((0, 0, 100, 10), 9, (Span(text, _FACE),), score=score)


def _written(*blocks: Block, doubt: str = "") -> str:
    band = Band(1, 0, list(blocks), 0, 0, 100)
    return write_markdown(Document([band], [(595, 842)], (0, 0, 0, 0), 10.5), doubt)


def _item(text: str, mark: str, level: int = 0) -> Paragraph:
    return Paragraph([_line(text)], 0, "item", level, mark)


@pytest.mark.started
@pytest.mark.usefixtures("ocr_engine")
def test_a_page_becomes_headings_paragraphs_and_a_table_with_its_lines_beside_it(tmp_path: Path) -> None:
    page().save(tmp_path / "a.png")
    ran = run_tool("image_to_text", tmp_path / "run", [tmp_path / "a.png"], output="md")
    assert [output.path.suffix for output in ran.outputs] == [".md", ".json"]
    text = ran.path.read_text(encoding="utf-8")
    lines = text.split("\n")
    assert lines[0] == f"# {TITLE}" and f"## {HEADING}" in lines
    assert [line for line in lines if line in ZH] == list(ZH[:3])
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert rows.pop(1) == ["---"] * len(rows[0]) and rows == make_reading.SCANNED
    told = json.loads(ran.outputs[1].path.read_text(encoding="utf-8"))
    assert TITLE in [line["text"] for part in told["pages"][0]["paragraphs"] for line in part["lines"]]
    characters = ran.noted("characters")
    assert characters and characters["count"] > len("".join(ZH[:3]))


def test_lists_are_nested_no_deeper_than_they_can_be_and_keep_their_marks() -> None:
    bullets = _item("• one", "•"), _item("• in it", "•", 2), _item("3. third", "3."), _item("（二）次", "（二）")
    text = _written(*bullets, Paragraph([_line("after")], 0))
    assert text == "- one\n    - in it\n3. third\n- （二） 次\n\nafter\n"


def test_letters_make_no_marks() -> None:
    texts = ["# no *head* of `x_y`", "1. not a list", "- nor this", "[a](b) <b>", "2026 年 3.5 - 4"]
    found = _written(*(Paragraph([_line(text)], 0) for text in texts)).split("\n\n")
    assert found == [
        r"\# no \*head\* of \`x\_y\`",
        r"1\. not a list",
        r"\- nor this",
        r"[a\](b) \<b>",
        "2026 年 3.5 - 4\n",
    ]


def test_a_doubtful_line_says_so_where_that_is_asked_for() -> None:
    unsure = Paragraph([_line("sure"), _line("guess", 0.6)], 0)
    assert (_written(unsure), _written(unsure, doubt="[?]")) == ("sure guess\n", "sure guess[?]\n")
