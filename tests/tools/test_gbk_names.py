"""Resources that are called by names in GBK: every tool keeps what they paint."""

from pathlib import Path

import pytest

from cluster.catalogue import TOOLS
from cluster.kinds import PDF
from cluster.tool import Tool
from tests import look, make, make_traps
from tests.running import run_tool

#: Without delete, which leaves nothing of one page.
TOOLS_ON_PAGES = [tool for tool in TOOLS.values() if PDF in tool.accepts and PDF in tool.gives and tool.key != "delete"]


@pytest.mark.parametrize("tool", TOOLS_ON_PAGES, ids=lambda tool: tool.key)
def test_text_and_picture_stay(tmp_path: Path, tool: Tool) -> None:
    files = [make_traps.gbk_names(tmp_path / "gbk.pdf")]
    files += [make.text(tmp_path / f"{n}.pdf", 1) for n in range(tool.least - 1)]
    # A cut through the words is not asked here.
    across = {"columns": 1, "rows": 2} if tool.key == "segmentation" else {}
    worded = {"text": True} if tool.key == "pdf_to_scan" else {}
    ran = run_tool(tool.key, tmp_path / "ran", files, **{**tool.example, **across, **worded})
    assert ran.problem is None, ran.problem
    password = str(tool.example[ran.outputs[0].password]) if ran.outputs[0].password else None
    assert "gbk name" in look.text_of(ran.path, 1, password)
    pages = range(1, 3) if across else (1,)
    colours = [
        each for page in pages for each in look.render(ran.path, page, password=password).getcolors(1 << 24) or []
    ]
    assert any(r > 200 and g < 90 and b < 90 for _, (r, g, b) in colours)
