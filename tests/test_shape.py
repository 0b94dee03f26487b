"""The shape budgets of architecture.md: small functions, small files, cheap imports."""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parent.parent
PYTHON = [path for folder in ("cluster", "api", "deploy") for path in (ROOT / folder).rglob("*.py")]
SITE = [
    path
    for path in (ROOT / "site/src").rglob("*")
    if path.suffix in (".ts", ".tsx", ".astro", ".css") and "node_modules" not in path.parts
]


def lengths() -> dict[str, int]:
    """Lines of code of each function: its body without the docstring."""
    found = {}
    for path in PYTHON:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
                found[f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"] = body[-1].end_lineno - body[0].lineno + 1
    return found


def test_functions_are_small():
    all_lengths = lengths()
    assert median(all_lengths.values()) <= 8
    assert {name: lines for name, lines in all_lengths.items() if lines > 60} == {}
    long = sorted(name for name, lines in all_lengths.items() if lines > 40)
    assert len(long) <= len(all_lengths) * 0.05, long


def test_files_are_small():
    tests = list((ROOT / "tests").rglob("*.py"))
    counted = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in PYTHON + SITE + tests}
    assert {name: lines for name, lines in counted.items() if lines > 400} == {}


def test_no_name_is_defined_twice():
    """The second one would answer for both. mypy tells it of our code; this one of the tests, too."""
    twice = []
    for path in [*PYTHON, *(ROOT / "tests").rglob("*.py")]:
        tree = ast.parse(path.read_text())
        for scope in (tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))):
            names = [node.name for node in scope.body if isinstance(node, ast.FunctionDef) and not node.decorator_list]
            twice += [f"{path.relative_to(ROOT)} {name}" for name, count in Counter(names).items() if count > 1]
    assert twice == []


def test_public_names_say_what_they_are():
    """Every module, and every public class and function of the cluster's contract, has a docstring."""
    silent = [str(path.relative_to(ROOT)) for path in PYTHON if path.stat().st_size and not _documented(path)]
    names = ("kinds.py", "problem.py", "queue/__init__.py", "store.py", "task.py", "tool.py")
    for path in (ROOT / "cluster" / name for name in names):
        public = [node for node in ast.parse(path.read_text()).body if not getattr(node, "name", "_").startswith("_")]
        assert len(public) >= 2, path
        silent += [f"{path} {node.name}" for node in public if not ast.get_docstring(node)]
    assert silent == []


def test_rooms_say_which_rooms_they_use():
    for door in (ROOT / "cluster/engines").glob("*/__init__.py"):
        first = (ast.get_docstring(ast.parse(door.read_text())) or "").split("\n\n")[0].replace("\n", " ")
        told = first.rpartition("Uses ")[2].rstrip(".")
        named = set() if told == "no other room" else set(told.replace(" and ", ", ").split(", "))
        code = "\n".join(path.read_text() for path in door.parent.glob("*.py"))
        used = set(re.findall(r"(?:from|import) cluster\.engines\.(\w+)", code)) - {door.parent.name}
        assert named == used, door.parent.name


def _documented(path: Path) -> bool:
    return ast.get_docstring(ast.parse(path.read_text())) is not None


def test_knowing_the_tools_costs_no_library():
    """The API imports every Options type; PyMuPDF alone would cost it seconds and 200 MB."""
    heavy = "pymupdf pikepdf pypdfium2 PIL numpy cv2 onnxruntime openvino rapidocr ray pdfplumber fontTools"
    code = f"import sys, cluster.catalogue; print([m for m in {heavy.split()} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert out.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("key", "without"),
    [
        ("pdf_to_image", {"pymupdf", "numpy"}),
        ("watermark", {"pymupdf", "numpy", "PIL", "fontTools"}),
        ("rotate", {"pymupdf", "PIL"}),
    ],
)
def test_a_tool_imports_only_what_it_uses(tmp_path: Path, key: str, without: set[str]):
    """In a fresh process a second of libraries would be most of what a small document takes."""
    from tests import make

    options = {"mark": {"kind": "text", "text": "ab"}} if key == "watermark" else {}
    source = make.text(tmp_path / "a.pdf", 1)
    command = [sys.executable, "-X", "importtime", "-m", "tests.bench.one", key, tmp_path / "out", json.dumps(options)]
    done = subprocess.run([*command, source], capture_output=True, text=True, check=True, cwd=ROOT)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert imported > {"pikepdf"} and imported.isdisjoint(without)


def test_pymupdf_comes_without_its_models():
    code = "from cluster.engines.pdf.libraries import import_pymupdf; import sys; import_pymupdf(); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "pymupdf" in out.stdout.split() and "numpy" not in out.stdout.split()


def test_nothing_of_the_workplace_is_committed():
    """No registry host, no path of a machine: the words are put together here so that this file has none."""
    words = ["/work/" + "main", "pypi" + ".org", "registry.npmjs" + ".org", "/root/" + ".pyenv", "/work/" + ".library"]
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    found = []
    for name in listed.splitlines():
        data = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b""
        found += [f"{name}: {word}" for word in words if word.encode() in data]
    assert found == []


def test_adding_a_tool_touches_three_files():
    """A tool without its words or its test is told by the name of the file that is missing."""
    from cluster.catalogue import TOOLS

    wanted = [
        path
        for tool in TOOLS.values()
        for path in (
            *(f"site/src/content/tools/{language}/{tool.key}.yaml" for language in ("zh", "en")),
            f"tests/tools/test_{tool.key}.py",
        )
    ]
    assert [path for path in wanted if not (ROOT / path).exists()] == []
