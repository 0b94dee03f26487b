"""The contract suite: what holds for every tool, over the whole product, for bad files and for good ones."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cluster.catalogue import TOOLS
from cluster.kinds import DOCX, KINDS, PDF, PNG, kind_of
from cluster.tool import Group, Tool
from tests import make, make_big, make_broken, make_office, make_scans
from tests.stack import Person

SUCCESS = 3
WELL = "SUCCESS"

PDF_TOOLS = [tool for tool in TOOLS.values() if PDF in tool.accepts]
PICTURE_TOOLS = [tool for tool in TOOLS.values() if PNG in tool.accepts and PDF not in tool.accepts]
OFFICE_TOOLS = [tool for tool in TOOLS.values() if DOCX in tool.accepts]


def keys(tools: list[Tool[Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("tool", tools, ids=lambda tool: tool.key)


def good(tool: Tool[Any], folder: Path) -> Path:
    """A file the tool does well with."""
    if PDF in tool.accepts:
        return make.text(folder / "好文件.pdf", 3)
    if PNG in tool.accepts:
        return make_scans.page(["你好世界"]).save(folder / "好文件.png")
    return make_office.chapters(folder / "好文件.docx")


def verdict(
    person: Person, tool: Tool[Any], path: Path, *, password: str = "", **options: Any
) -> tuple[str, dict[str, Any]]:
    """SUCCESS or the reason, and the facts: the task, or the envelope that refused it."""
    more = {"password": password} if password else {}
    uploads = person.upload(path, **more) * tool.least
    answer = person.create(tool.id, uploads, **{**tool.example, **options})
    if answer["code"] != 200:
        return answer["data"]["reason"], answer
    task = person.follow(answer["data"]["taskId"])
    return (WELL if task["status"] == SUCCESS else task["error"]["reason"]), task


def said(answer: dict[str, Any]) -> str:
    """The sentence for people in what `verdict` gives."""
    return str(answer["error"]["msg"] if "error" in answer else answer["msg"])


def works_on(person: Person, tool: Tool[Any], folder: Path) -> None:
    """The next task on the same lane is not spoiled."""
    assert verdict(person, tool, good(tool, folder))[0] == WELL


@keys(list(TOOLS.values()))
def test_a_good_file_gives_a_named_result(person, tool, tmp_path):
    found, task = verdict(person, tool, good(tool, tmp_path))
    assert found == WELL, task
    assert all(made["size"] > 0 and made["name"].startswith("好文件_") for made in task["outputs"]), task["outputs"]
    assert task["receipt"], "every result says what became of the file"
    saved = person.download(task, tmp_path / "out")
    assert saved.stat().st_size == task["outputs"][0]["size"]


@keys(list(TOOLS.values()))
def test_english_is_spoken(stack, tool, tmp_path):
    person = Person(stack.address, "en")
    found, task = verdict(person, tool, make_broken.empty(tmp_path / f"a{tool.accepts[0].suffix}"))
    assert found == "empty_file"
    assert said(task) == f"“a{tool.accepts[0].suffix}” is empty. Check it and choose again."


@keys(list(TOOLS.values()))
@pytest.mark.parametrize("name", ["empty", "wrong"])
def test_nothing_and_the_wrong_thing(person, tool, name, tmp_path):
    suffix = tool.accepts[0].suffix
    path = tmp_path / f"怪名字{suffix}"
    if name == "empty":
        make_broken.empty(path)
    else:
        path.write_bytes(b"\x7fELF" + bytes(range(256)) * 20)
    found, task = verdict(person, tool, path)
    assert found == {"empty": "empty_file", "wrong": "not_supported_type"}[name]
    assert path.name in said(task)
    works_on(person, tool, tmp_path)


#: name -> (how it is made, verdicts that are right)
HOSTILE: dict[str, tuple[Callable[[Path], Path], set[str]]] = {
    "truncated": (
        lambda path: make_broken.truncated(path, make.text(path.with_name("whole.pdf"), 5), 0.3),
        {"damaged_file", WELL},
    ),
    "repairable": (lambda path: make_broken.damaged(path, make.text(path.with_name("whole.pdf"), 3)), {WELL}),
    "flate_bomb": (make_broken.flate_bomb, {"too_large_when_opened", "damaged_file", WELL}),
    "page_tree_loop": (make_broken.page_tree_loop, {"damaged_file", WELL}),
    "huge_box": (make_broken.huge_box, {"too_large_when_opened", WELL}),
    "zero_pages": (lambda path: _no_pages(path), {"damaged_file"}),
    "a_million_claimed_pages": (make_broken.many_pages, {"damaged_file", "too_many_pages"}),
    "too_many_pages": (lambda path: make_big.many(path, 20_001), {"too_many_pages"}),
}


def _no_pages(path: Path) -> Path:
    import pikepdf

    with pikepdf.new() as pdf:
        pdf.save(path)
    return path


@keys(PDF_TOOLS)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pdfs_end_with_a_word(person, tool, name, tmp_path):
    made, right = HOSTILE[name]
    found, task = verdict(person, tool, made(tmp_path / "坏文件.pdf"))
    if tool.group is Group.BIG and name == "too_many_pages":
        right = {WELL}
    if tool.key == "delete":
        right = right | {"nothing_left"}
    assert found in right, task
    if name == "repairable":
        assert any("修复" in str(line) for line in task["receipt"]), task["receipt"]
    works_on(person, tool, tmp_path)


@keys(PDF_TOOLS)
def test_passwords_are_asked_for_and_taken(person, tool, tmp_path):
    path = make_broken.encrypted(tmp_path / "密.pdf", make.text(tmp_path / "plain.pdf", 2), user="开门123")
    assert verdict(person, tool, path)[0] == "password_required"
    found, task = verdict(person, tool, path, password="no")
    assert found == "password_wrong"
    assert task["inputs"][0]["error"]["reason"] == "password_wrong"
    assert "密.pdf" in task["error"]["msg"]
    # Another try needs no new upload.
    again = {"key": task["inputs"][0]["key"], "name": "密.pdf", "password": "开门123"}
    answer = person.create(tool.id, [again] * tool.least, **tool.example)
    assert person.follow(answer["data"]["taskId"])["status"] == SUCCESS


@keys([tool for tool in PDF_TOOLS if "pages" in tool.options.__dataclass_fields__])
def test_pages_that_are_not_there(person, tool, tmp_path):
    found, task = verdict(person, tool, make.text(tmp_path / "a.pdf", 3), pages="2-9")
    assert found == "page_range_invalid"
    assert "“2-9”" in said(task)
    assert "共 3 页" in said(task)


@keys(list(TOOLS.values()))
def test_options_that_do_not_exist_are_named(person, tool, tmp_path):
    answer = person.create(tool.id, person.upload(good(tool, tmp_path)), colour_of_the_sky="blue")
    assert answer["code"] == 400
    assert answer["data"]["reason"] == "option_invalid"
    assert "colour_of_the_sky" in str(answer["data"])


@keys([tool for tool in TOOLS.values() if tool.takes == "each" and not tool.plan])
def test_one_bad_file_does_not_spoil_the_batch(person, tool, tmp_path):
    bad = make_broken.empty(tmp_path / f"空{tool.accepts[0].suffix}")
    bad.write_bytes(b"\x7fELF" + bytes(4000))
    files = person.upload(good(tool, tmp_path), bad)
    task = person.follow(person.create(tool.id, files, **tool.example)["data"]["taskId"])
    assert task["status"] == SUCCESS
    assert task["inputs"][0]["error"] is None
    assert task["inputs"][1]["error"]["reason"] == "not_supported_type"
    assert {made["input"] for made in task["outputs"]} == {0}


@keys(PICTURE_TOOLS)
def test_hostile_pictures(person, tool, tmp_path):
    bomb = tmp_path / "bomb.png"
    Image.new("1", (30_000, 30_000)).save(bomb)
    assert verdict(person, tool, bomb)[0] == "too_large_when_opened"
    whole = make_scans.page(["你好"]).save(tmp_path / "whole.png")
    assert verdict(person, tool, make_broken.truncated(tmp_path / "cut.png", whole))[0] in ("damaged_file", WELL)
    works_on(person, tool, tmp_path)


#: docx drawn to do harm -> verdicts that are right
HARMFUL: dict[str, tuple[Callable[[Path], Path], set[str]]] = {
    "zip_bomb": (make_office.bomb, {"too_large_when_opened"}),
    "lying_zip_bomb": (make_office.lying_bomb, {"too_large_when_opened", "damaged_file"}),
    "many_entries": (make_office.many_entries, {"too_large_when_opened"}),
    "symlink": (make_office.symlink, {"unsafe_content"}),
    "overlap": (make_office.overlapping, {"unsafe_content"}),
    "entity": (make_office.entity, {"unsafe_content"}),
}


@keys(OFFICE_TOOLS)
@pytest.mark.parametrize("name", HARMFUL)
def test_harmful_documents(person, tool, name, tmp_path):
    made, right = HARMFUL[name]
    found, task = verdict(person, tool, made(tmp_path / "害.docx"))
    assert found in right, task
    works_on(person, tool, tmp_path)


@keys(list(TOOLS.values()))
def test_the_kinds_of_a_tool_can_be_told(tool, tmp_path):
    """What it takes and gives is known by its key; its good file is recognised as what it takes."""
    assert all(KINDS[kind.key] is kind for kind in (*tool.accepts, *tool.gives))
    assert kind_of(good(tool, tmp_path)) in tool.accepts
