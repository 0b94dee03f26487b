"""XFA forms: kept by tools that keep the document whole, told by those that cannot."""

from pathlib import Path
from typing import Any

import pikepdf
import pytest

from tests import make
from tests.make_forms import xfa
from tests.running import run_tool, tool

KEEPING: list[tuple[str, dict[str, Any]]] = [
    ("rotate", {}),
    ("watermark", tool("watermark").example),
    ("compress", {"level": "standard"}),
    ("compress", {"level": "light", "gray": True}),
]
LOSING: list[tuple[str, dict[str, Any]]] = [
    ("split", {"split": {"how": "single"}}),
    ("big_split", {"split": {"how": "single"}}),
    ("merge", {}),
    ("merge", {"forms": "flatten"}),
]


def packets(path: Path) -> bytes:
    """The XFA document, its packets joined; empty when there is none."""
    with pikepdf.open(path) as pdf:
        listed = pdf.Root.AcroForm.get("/XFA", []) if "/AcroForm" in pdf.Root else []
        return b"".join(each.read_bytes() for each in listed if isinstance(each, pikepdf.Stream))


@pytest.mark.parametrize(("key", "options"), KEEPING)
def test_kept_whole(tmp_path: Path, key: str, options: dict[str, Any]) -> None:
    source = xfa(tmp_path / "a.pdf")
    ran = run_tool(key, tmp_path / "out", [source], **options)
    assert packets(ran.path) == packets(source)
    assert b"<name>10</name>" in packets(source)
    assert ran.noted("xfa_lost") is None


@pytest.mark.parametrize(("key", "options"), LOSING)
def test_its_loss_is_told(tmp_path: Path, key: str, options: dict[str, Any]) -> None:
    files = [make.text(tmp_path / "b.pdf", 1)] * (key == "merge")
    ran = run_tool(key, tmp_path / "out", [xfa(tmp_path / "a.pdf"), *files], **options)
    assert [note.kind for note in ran.notes if note.what == "xfa_lost"] == ["lost"]
    assert not any(packets(output.path) for output in ran.outputs)
    plain = run_tool(key, tmp_path / "plain", [make.rich(tmp_path / "c.pdf"), *files], **options)
    assert plain.noted("xfa_lost") is None
