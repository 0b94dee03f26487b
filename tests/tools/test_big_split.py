"""Big split: shares that stand alone, together give the whole document, and stay small in memory."""

import json
from pathlib import Path

import pytest

from cluster.tools.big_split import TOOL
from tests import look, make
from tests.bench.side_by_side import ours, run
from tests.running import run_tool
from tests.tools.test_split import markers, pages


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make.big(tmp_path_factory.mktemp("big") / "big.pdf", 1200, 40 << 20)


def test_parts_come_in_order_with_their_bookmarks(tmp_path: Path, source: Path) -> None:
    ran = run_tool("big_split", tmp_path, [source], split={"how": "every", "pages": 250})
    assert [output.name for output in ran.outputs][:2] == ["big_拆分_1-250.pdf", "big_拆分_251-500.pdf"]
    assert [output.pages for output in ran.outputs] == [250, 250, 250, 250, 200]
    assert _ends(ran.outputs[2].path) == pages(501, 750)
    assert look.outline_of(ran.outputs[1].path) == [look.Entry("Chapter 4", 51, 0), look.Entry("Chapter 5", 151, 0)]


def test_shares_are_json_independent_and_repeatable(tmp_path: Path, source: Path) -> None:
    first = run_tool("big_split", tmp_path / "a", [source], split={"how": "every", "pages": 100})
    again = run_tool("big_split", tmp_path / "b", [source], split={"how": "every", "pages": 100})
    assert len(first.outputs) == 12
    for one, two in zip(first.outputs, again.outputs, strict=True):
        assert one.path.read_bytes() == two.path.read_bytes(), one.name
    planning = _planning(tmp_path / "plan", source)
    shares = TOOL.plan(planning)  # type: ignore[misc]
    assert json.loads(json.dumps(shares)) == shares
    assert len(shares) > 2
    counts = [len(share["cuts"]) for share in shares]
    assert sum(counts) == 12
    assert max(counts) - min(counts) <= 1


def test_progress_moves_within_a_part(tmp_path: Path, source: Path) -> None:
    ran = run_tool("big_split", tmp_path, [source], split={"how": "into", "files": 2})
    written = [done / total for done, total, stage in ran.steps if stage == "writing"]
    assert len(written) > 20
    assert max(written) == 1


def test_a_locked_file_is_opened_once_for_all_shares(tmp_path: Path) -> None:
    plain = make.text(tmp_path / "plain.pdf", 600, lines=1)
    locked = make.encrypted(tmp_path / "locked.pdf", plain)
    ran = run_tool("big_split", tmp_path, [locked], passwords={0: "secret"}, split={"how": "every", "pages": 200})
    assert [output.pages for output in ran.outputs] == [200, 200, 200]
    told = [note.what for note in ran.notes]
    assert (told.count("parts"), told.count("password_removed")) == (3, 1)
    assert _ends(ran.outputs[2].path) == pages(401, 600)


def test_a_damaged_file_is_repaired_once_for_all_shares(tmp_path: Path) -> None:
    damaged = make.damaged(tmp_path / "damaged.pdf", make.text(tmp_path / "plain.pdf", 600, lines=1))
    ran = run_tool("big_split", tmp_path, [damaged], split={"how": "every", "pages": 200})
    told = [note.what for note in ran.notes]
    assert (told.count("parts"), told.count("repaired")) == (3, 1)
    assert _ends(ran.outputs[1].path) == pages(201, 400)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    small, large = make.big(tmp_path / "s.pdf", 400, 8 << 20), make.big(tmp_path / "l.pdf", 400, 200 << 20)
    peaks = [
        run(ours("big_split", [path], tmp_path / path.stem, split={"how": "into", "files": 4})).mb
        for path in (small, large)
    ]
    assert peaks[1] < peaks[0] + 20


def test_single_pages_of_a_short_file(tmp_path: Path) -> None:
    path = make.text(tmp_path / "short.pdf", 3)
    assert markers(run_tool("big_split", tmp_path, [path], split={"how": "single"})) == [pages(1), pages(2), pages(3)]


def _ends(path: Path) -> list[str]:
    texts = look.texts_of(path)
    return [text[text.index("marker-") :][:13] for text in (texts[0], texts[-1])]


def _planning(folder: Path, source: Path):  # type: ignore[no-untyped-def]
    from cluster.kinds import PDF
    from cluster.splitting import Every, Options
    from cluster.tool import Source, Work

    class Quiet:
        def progress(self, done: float, total: float, stage: str) -> None: ...

        def allow(self, pages: int) -> None: ...

        def timestamp(self, digest: bytes) -> bytes:
            return b""

    held = Source(source, source.name, PDF, source.stat().st_size)
    return Work(Options(split=Every(pages=100)), (held,), folder, "zh", TOOL.suffix, Quiet())


def test_a_locked_file_is_split_by_several_slots(person, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    locked = make.encrypted(tmp_path / "大.pdf", make.text(tmp_path / "plain.pdf", 600, lines=1))
    answer = person.create(TOOL.id, person.upload(locked, password="secret"), split={"how": "every", "pages": 100})
    task = person.follow(answer["data"]["taskId"])
    assert [made["name"] for made in task["outputs"]][:2] == ["大_拆分_1-100.pdf", "大_拆分_101-200.pdf"]
    assert [line["what"] for line in task["receipt"]].count("password_removed") == 1
    assert len({made["key"].split("/")[3] for made in task["outputs"]}) == 3
    assert _ends(person.download(task, tmp_path / "out", 5)) == pages(501, 600)
