"""No page is looked up by its number in a loop: each look walks through the page tree."""

import ast
from collections.abc import Iterator
from pathlib import Path

from cluster.settings import ROOT

_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def looked_up(tree: ast.AST) -> Iterator[int]:
    """Lines with `….pages[…]` (not a slice) or `len(….pages)` of a pdf inside a loop."""
    for loop in (node for node in ast.walk(tree) if isinstance(node, _LOOPS)):
        for node in (inner for part in _repeated(loop) for inner in ast.walk(part)):
            if _looks_up(node):
                yield node.lineno


def _looks_up(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):
        return not isinstance(node.slice, ast.Slice) and _is_pdf(node.value)
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len" and _is_pdf(node.args[0])


def _repeated(loop: ast.AST) -> list[ast.AST]:
    """What runs at every turn: all but what is looped over first."""
    if isinstance(loop, ast.For):
        return [*loop.body]
    if isinstance(loop, ast.While):
        return [loop.test, *loop.body]
    first, *others = loop.generators  # type: ignore[attr-defined]
    values = [loop.key, loop.value] if isinstance(loop, ast.DictComp) else [loop.elt]  # type: ignore[attr-defined]
    return [*values, *first.ifs, *others]


def _is_pdf(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "pages" and getattr(node.value, "id", "").endswith("pdf")


def test_the_eye_sees():
    seen = "for n in them:\n  pdf.pages[n].rotate(90)\nx = [pdf.pages[n] for n in b]\nwhile n < len(pdf.pages): n += 1"
    assert sorted(looked_up(ast.parse(seen))) == [2, 3, 4]
    fine = "for page in list(pdf.pages)[:3]:\n  x(page)\npdf.pages[0]\nlen(pdf.pages)"
    assert not list(looked_up(ast.parse(fine)))


def test_no_tool_looks_pages_up_in_a_loop():
    found = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in Path(ROOT / "cluster").rglob("*.py")
        for line in looked_up(ast.parse(path.read_text()))
    }
    assert not found
