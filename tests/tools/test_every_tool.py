"""The contract suite: what holds for every tool.

Every tool is asked about bad files and passwords in forks of a warm parent (`tests.parts`), 10 ms a part. Over the
whole product go one good file of every tool, all begun at once, and for each lane, by its first tool, the bad files and
what shall follow them: queue, sandbox, store and receipts know lanes and tasks, not tools. So the cost grows with
lanes. A tool whose lane has an engine is asked in forks what it refuses before the engine; the rest the lane's
first tool is.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from cluster.catalogue import TOOLS
from cluster.kinds import DOCX, KINDS, PDF, PNG, PPTX, XLSX, kind_of
from cluster.tool import Group, Lane, Tool
from tests import (
    make,
    make_big,
    make_broken,
    make_office,
    make_pictures,
    make_reading,
    make_scans,
    make_sheets,
    make_slides,
)
from tests.once import once
from tests.parts import ENGINES, WELL, Parts
from tests.stack import Person

SUCCESS = 3

ALL = list(TOOLS.values())
PDF_TOOLS = [tool for tool in ALL if PDF in tool.accepts]
PICTURE_TOOLS = [tool for tool in ALL if PNG in tool.accepts and PDF not in tool.accepts]
_FAMILY = {(tool.lane, tool in PDF_TOOLS, tool in PICTURE_TOOLS): tool for tool in reversed(ALL)}
#: The first tool of each lane and family of files.
FIRST = list(_FAMILY.values())
#: Tools that have nothing to do where there is no table.
FINDS_TABLES = ("pdf_table", "image_table")
Case = tuple[Callable[[Path], Path], set[str]]


def keys(tools: list[Tool[Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("tool", tools, ids=lambda tool: tool.key)


def good(tool: Tool[Any], folder: Path) -> Path:
    """A file the tool does well with."""
    if tool.key == "extract_image":
        return make_pictures.pictures(folder / "好文件.PDF", make_pictures.masked)  # uploads are known by their names
    if PDF in tool.accepts:
        (folder / tool.key).mkdir(exist_ok=True)
        return simple(tool, folder / tool.key / "好文件.pdf")
    if tool.key in FINDS_TABLES:
        return make_reading.table_picture(folder / "好文件.png")
    if PNG in tool.accepts:
        return make_scans.page(["你好世界"]).save(folder / "好文件.png")
    if XLSX in tool.accepts:
        return make_sheets.xlsx(folder / "好文件.xlsx", make_sheets.Sheet("S", make_sheets.grid(4, 9)))
    if PPTX in tool.accepts:
        return make_slides.deck(folder / "好文件.pptx")
    return make_office.chapters(folder / "好文件.docx")


def simple(tool: Tool[Any], path: Path) -> Path:
    """A document of three pages that holds what the tool looks for."""
    return make_reading.report(path) if tool.key in FINDS_TABLES else make.text(path, 3)


def damaged(tool: Tool[Any], path: Path) -> Path:
    return make_broken.damaged(path, simple(tool, path.with_name("whole.pdf")))


def wrong(path: Path) -> Path:
    """No document of any kind."""
    path.write_bytes(b"\x7fELF" + bytes(range(256)) * 20)
    return path


def no_pages(path: Path) -> Path:
    with pikepdf.new() as pdf:
        pdf.save(path)
    return path


@once
def bomb(path: Path) -> Path:
    Image.new("1", (30_000, 30_000)).save(path)
    return path


def cut(path: Path, whole: Callable[[Path], Path], share: float) -> Path:
    return make_broken.truncated(path, whole(path.with_name(f"whole{path.suffix}")), share)


#: name -> (how it is made, verdicts that are right)
NOTHING: dict[str, Case] = {"empty": (make_broken.empty, {"empty_file"}), "wrong": (wrong, {"not_supported_type"})}
HOSTILE: dict[str, Case] = {
    "truncated": (partial(cut, whole=partial(make.text, pages=5), share=0.3), {"damaged_file", WELL}),
    "repairable": (lambda path: make_broken.damaged(path, make.text(path.with_name("whole.pdf"), 3)), {WELL}),
    "flate_bomb": (make_broken.flate_bomb, {"too_large_when_opened", "damaged_file", WELL}),
    "page_tree_loop": (make_broken.page_tree_loop, {"damaged_file", WELL}),
    "huge_box": (make_broken.huge_box, {"too_large_when_opened", WELL}),
    "zero_pages": (no_pages, {"damaged_file"}),
    "a_million_claimed_pages": (make_broken.many_pages, {"damaged_file", "too_many_pages"}),
    "too_many_pages": (partial(make_big.many, pages=20_001), {"too_many_pages"}),
}
#: Whose shares are counted one by one.
ALLOWED: Case = (HOSTILE["too_many_pages"][0], {WELL})
PICTURES: dict[str, Case] = {
    "bomb": (bomb, {"too_large_when_opened"}),
    "cut": (partial(cut, whole=lambda path: make_scans.page(["你好"]).save(path), share=0.5), {"damaged_file", WELL}),
}
HARMFUL: dict[str, Case] = {
    "zip_bomb": (make_office.bomb, {"too_large_when_opened"}),
    "lying_zip_bomb": (make_office.lying_bomb, {"too_large_when_opened", "damaged_file"}),
    "many_entries": (make_office.many_entries, {"too_large_when_opened"}),
    "symlink": (make_office.symlink, {"unsafe_content"}),
    "overlap": (make_office.overlapping, {"unsafe_content"}),
    "entity": (make_office.entity, {"unsafe_content"}),
}


def done(tool: Tool[Any]) -> set[str]:
    """What is right of a document of words that can be read."""
    return {"no_pictures_found"} if tool.key == "extract_image" else {WELL}


def cases(tool: Tool[Any]) -> dict[str, Case]:
    """The bad files that this tool is given."""
    found = NOTHING | (HOSTILE if PDF in tool.accepts else PICTURES if PNG in tool.accepts else _harmful(tool))
    if tool.key == "delete":  # of one page nothing would be left
        found = {name: (made, right | {"nothing_left"}) for name, (made, right) in found.items()}
    if tool.key == "extract_image":
        found = {name: (made, right | done(tool)) for name, (made, right) in found.items()}
    if tool.key in FINDS_TABLES:
        found = {name: (made, right | {"no_table_found"}) for name, (made, right) in found.items()}
    if tool.key in FINDS_TABLES and tool in PDF_TOOLS:
        found["repairable"] = (
            lambda path: make_broken.damaged(path, simple(tool, path.with_name("whole.pdf"))),
            {WELL},
        )
    return found | ({"too_many_pages": ALLOWED} if tool.group is Group.BIG else {})


def _harmful(tool: Tool[Any]) -> dict[str, Case]:
    """HARMFUL in the tool's own kind of package: the same parts in the folder that tells it."""
    folder = b"word/" if DOCX in tool.accepts else b"xl/wo" if XLSX in tool.accepts else b"ppt/w"
    return {name: (partial(_moved, made=made, folder=folder), right) for name, (made, right) in HARMFUL.items()}


def _moved(path: Path, made: Callable[[Path], Path], folder: bytes) -> Path:
    made(path)
    path.write_bytes(path.read_bytes().replace(b"word/", folder))
    return path


FORKED = [
    pytest.param(tool, name, id=f"{tool.key}-{name}")
    for tool in ALL
    for name, (_, right) in cases(tool).items()
    if tool.lane not in ENGINES or WELL not in right
]


@pytest.mark.parametrize(("tool", "name"), FORKED)
def test_a_bad_file_ends_with_a_word(parts: Parts, tmp_path: Path, tool: Tool[Any], name: str) -> None:
    made, right = cases(tool)[name]
    path = made(tmp_path / f"怪名字{tool.accepts[0].suffix}")
    found = parts.verdict(tool, path)
    assert found.reason in right, found
    if name in NOTHING:
        assert path.name in found.said()
    if name == "repairable" and found.reason == WELL:
        assert "repaired" in found.notes
    if name == "empty":
        assert found.said("en") == f"“{path.name}” is empty. Check it and choose again."


@keys([tool for tool in PDF_TOOLS if tool.lane not in ENGINES])
def test_passwords_are_asked_for_and_taken(parts: Parts, tmp_path: Path, tool: Tool[Any]) -> None:
    path = make_broken.encrypted(tmp_path / "密.pdf", simple(tool, tmp_path / "plain.pdf"), user="开门123")
    assert parts.verdict(tool, path).reason == "password_required"
    found = parts.verdict(tool, path, password="no")
    assert found.reason == "password_wrong" and "密.pdf" in found.said()
    assert parts.verdict(tool, path, password="开门123").reason in done(tool)


@keys([tool for tool in PDF_TOOLS if "pages" in tool.options.__dataclass_fields__ and tool.lane not in ENGINES])
def test_pages_that_are_not_there(parts: Parts, tmp_path: Path, tool: Tool[Any]) -> None:
    found = parts.verdict(tool, make.text(tmp_path / "a.pdf", 3), pages="2-9")
    assert found.reason == "page_range_invalid"
    assert "“2-9”" in found.said() and "共 3 页" in found.said()


@keys(ALL)
def test_the_kinds_of_a_tool_can_be_told(tmp_path: Path, tool: Tool[Any]) -> None:
    """What it takes and gives is known by its key; its good file is recognised as what it takes."""
    assert all(KINDS[kind.key] is kind for kind in (*tool.accepts, *tool.gives))
    assert kind_of(good(tool, tmp_path)) in tool.accepts


class Together:
    """Tasks of one person, begun before the first is waited for."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.answers: dict[Any, dict[str, Any]] = {}

    def begin(self, name: Any, tool: Tool[Any], files: list[dict[str, Any]], **options: Any) -> None:
        enough = files if len(files) >= tool.least else files * tool.least
        self.answers[name] = self.person.create(tool.id, enough, **{**tool.example, **options})

    def end(self, name: Any) -> dict[str, Any]:
        """The task, ended."""
        answer = self.answers[name]
        assert answer["code"] == 200, answer
        return dict(self.person.follow(answer["data"]["taskId"]))

    def verdict(self, name: Any) -> tuple[str, dict[str, Any]]:
        """SUCCESS or the reason, and the facts: the task, or the envelope that refused it."""
        if self.answers[name]["code"] != 200:
            return self.answers[name]["data"]["reason"], self.answers[name]
        task = self.end(name)
        return (WELL if task["status"] == SUCCESS else task["error"]["reason"]), task


def said(answer: dict[str, Any]) -> str:
    """The sentence for people in what `Together.verdict` gives."""
    return str(answer["error"]["msg"] if "error" in answer else answer["msg"])


@pytest.fixture(scope="module")
def begun(stack: Any, tmp_path_factory: pytest.TempPathFactory) -> Together:
    """One good file for each tool, all tasks begun."""
    person, folder = Person(stack.address), tmp_path_factory.mktemp("good")
    found, uploads = Together(person), dict[bytes, Any]()
    for tool in ALL:
        path = good(tool, folder)
        key = path.read_bytes()
        uploads[key] = uploads.get(key) or person.upload(path)
        found.begin(tool.key, tool, uploads[key])
        found.begin((tool.key, "unknown"), tool, uploads[key], colour_of_the_sky="blue")
    return found


@pytest.mark.parametrize("lane", [lane for lane in Lane if lane not in ENGINES])
def test_a_part_finds_warm_what_it_imports(tmp_path: Path, lane: Lane) -> None:
    """A module costs up to 10 ms, and each fork would import it again; corners of libraries may wait."""
    parts = Parts(tmp_path / "job", lane)
    try:
        for tool in (tool for tool in ALL if tool.lane is lane):
            assert parts.verdict(tool, good(tool, tmp_path)).reason == WELL
            cold = {name for name in parts.imports() if name.startswith("cluster.") or name.isalnum()}
            assert not cold, tool.key
    finally:
        parts.close()


@keys(ALL)
def test_a_good_file_gives_a_named_result(begun: Together, tmp_path: Path, tool: Tool[Any]) -> None:
    found, task = begun.verdict(tool.key)
    assert found == WELL, task
    assert all(made["size"] > 0 and made["name"].startswith("好文件_") for made in task["outputs"]), task["outputs"]
    assert task["receipt"], "every result says what became of the file"
    saved = begun.person.download(task, tmp_path / "out")
    assert saved.stat().st_size == task["outputs"][0]["size"]


@keys(ALL)
def test_options_that_do_not_exist_are_named(begun: Together, tool: Tool[Any]) -> None:
    answer = begun.answers[tool.key, "unknown"]
    assert answer["code"] == 400
    assert answer["data"]["reason"] == "option_invalid"
    assert "colour_of_the_sky" in str(answer["data"])


@keys(FIRST)
def test_bad_files_do_not_spoil_a_lane(person: Person, tmp_path: Path, tool: Tool[Any]) -> None:
    """All of them at once through its slots, good files between them; each has its word, and the good ones results."""
    together, well = Together(person), person.upload(good(tool, tmp_path))
    # 20,001 pages that are not too many are the work of tests/cluster/test_big.py.
    bad = {name: case for name, case in cases(tool).items() if case != ALLOWED}
    for name, (made, _) in bad.items():
        (tmp_path / name).mkdir()
        together.begin(name, tool, person.upload(made(tmp_path / name / f"怪名字{tool.accepts[0].suffix}")))
        together.begin(("good", name), tool, well)
    for name, (_, right) in bad.items():
        found, task = together.verdict(name)
        assert found in right, (name, task)
        assert found == WELL or f"怪名字{tool.accepts[0].suffix}" in said(task), (name, task)
        assert name != "repairable" or any("修复" in str(line) for line in task["receipt"]), task["receipt"]
        assert together.verdict(("good", name))[0] == WELL


@keys(FIRST)
def test_english_is_spoken(stack: Any, tmp_path: Path, tool: Tool[Any]) -> None:
    together = Together(Person(stack.address, "en"))
    path = make_broken.empty(tmp_path / f"a{tool.accepts[0].suffix}")
    together.begin(path, tool, together.person.upload(path))
    found, task = together.verdict(path)
    assert found == "empty_file"
    assert said(task) == f"“{path.name}” is empty. Check it and choose again."


@keys([tool for tool in FIRST if tool in PDF_TOOLS])
def test_another_try_with_a_password_needs_no_upload(person: Person, tmp_path: Path, tool: Tool[Any]) -> None:
    path = make_broken.encrypted(tmp_path / "密.pdf", make.text(tmp_path / "plain.pdf", 2), user="开门123")
    (file,), together = person.upload(path), Together(person)
    for password in ("", "no", "开门123"):
        together.begin(password, tool, [{**file, **({"password": password} if password else {})}])
    assert together.verdict("")[0] == "password_required"
    found, task = together.verdict("no")
    assert found == "password_wrong"
    assert task["inputs"][0]["error"]["reason"] == "password_wrong"
    assert "密.pdf" in task["error"]["msg"]
    assert task["inputs"][0]["key"] == file["key"]
    assert together.verdict("开门123")[0] == WELL


@keys([tool for tool in FIRST if tool.takes == "each" and not tool.plan])
def test_one_bad_file_does_not_spoil_the_batch(person: Person, tmp_path: Path, tool: Tool[Any]) -> None:
    bad = wrong(tmp_path / f"空{tool.accepts[0].suffix}")
    together = Together(person)
    together.begin("batch", tool, person.upload(good(tool, tmp_path), bad))
    task = together.end("batch")
    assert task["status"] == SUCCESS
    assert task["inputs"][0]["error"] is None
    assert task["inputs"][1]["error"]["reason"] == "not_supported_type"
    assert {made["input"] for made in task["outputs"]} == {0}
