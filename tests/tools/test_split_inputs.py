"""Split takes what people have: locked, damaged, packed, patched and hostile documents."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from cluster.settings import ROOT
from tests import look, make, make_office
from tests.bench.side_by_side import ours, run
from tests.running import Ran, run_tool
from tests.tools.test_split import markers, pages

CORPUS = Path(os.environ.get("PAPERCRANE_CORPUS", Path(__file__).parents[3] / "shared/corpus"))


def singly(folder: Path, file: Path, password: str | None = None) -> Ran:
    return run_tool("split", folder, [file], passwords={0: password} if password else None, split={"how": "single"})


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make.rich(tmp_path_factory.mktemp("inputs") / "rich.pdf", 4)


@pytest.mark.parametrize("method", ["aes256", "aes128", "rc4"])
@pytest.mark.parametrize("password", ["secret", "owner"])
def test_locked_documents_open_with_either_password(tmp_path: Path, rich: Path, method: str, password: str) -> None:
    ran = singly(tmp_path, make.encrypted(tmp_path / "locked.pdf", rich, method=method), password)
    assert markers(ran) == [pages(number) for number in (1, 2, 3, 4)]
    assert ran.noted("password_removed") is not None
    assert look.title_of(ran.outputs[0].path) == "报告 Report"


def test_missing_and_wrong_passwords_name_the_file(tmp_path: Path, rich: Path) -> None:
    locked = make.encrypted(tmp_path / "合同.pdf", rich)
    for password, reason in ((None, "password_required"), ("guess", "password_wrong")):
        problem = singly(tmp_path / reason, locked, password).problem
        assert problem and (problem.reason, problem.facts["file"]) == (reason, "合同.pdf")


def test_restrictions_alone_need_no_password(tmp_path: Path, rich: Path) -> None:
    assert len(singly(tmp_path, make.encrypted(tmp_path / "a.pdf", rich, user="")).outputs) == 4


def test_damage_is_repaired_and_told(tmp_path: Path, rich: Path) -> None:
    ran = singly(tmp_path, make.damaged(tmp_path / "damaged.pdf", rich))
    assert markers(ran) == [pages(number) for number in (1, 2, 3, 4)]
    assert ran.noted("repaired") is not None
    assert len([note for note in ran.notes if note.what == "links"]) == 1


def test_saved_again_and_again_the_newest_pages_count(tmp_path: Path, rich: Path) -> None:
    """An incremental update: a new page content and a new table that points to the old one."""
    data = rich.read_bytes()
    with pikepdf.open(rich) as pdf:
        content, size = pdf.pages[1].obj.Contents.objgen[0], int(pdf.trailer.Size)
        root = pdf.Root.objgen[0]
    body = b"BT /F1 18 Tf 40 700 Td (marker-009999) Tj ET"
    patch = b"\n%d 0 obj\n<</Length %d>>stream\n%b\nendstream\nendobj\n" % (content, len(body), body)
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n" % (content, len(data) + 1)
    before = int(data[data.rindex(b"startxref") + 9 :].split()[0])
    trailer = b"<</Size %d/Root %d 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (size, root, before, len(data + patch))
    path = tmp_path / "patched.pdf"
    path.write_bytes(data + patch + table + trailer)
    assert markers(singly(tmp_path, path)) == [pages(1), ["marker-009999"], pages(3), pages(4)]


@pytest.mark.parametrize("linearize", [False, True])
def test_packed_and_linearized_documents(tmp_path: Path, rich: Path, linearize: bool) -> None:
    path = tmp_path / "packed.pdf"
    with pikepdf.open(rich) as pdf:
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.generate, linearize=linearize)
    ran = singly(tmp_path, path)
    assert markers(ran) == [pages(number) for number in (1, 2, 3, 4)]
    assert [look.fields_of(output.path) for output in ran.outputs][3] == {"field-4": "value-4"}
    assert ran.noted("repaired") is None


def test_chinese_text_stays_text(tmp_path: Path) -> None:
    source = make.chinese(tmp_path / "中文.pdf", 2)
    ran = singly(tmp_path, source)
    assert "第 2 页 机密 ①€—…龘" in look.text_of(ran.outputs[1].path)
    assert look.looks_like(source, ran.outputs[1].path, 2, 1) > 0.9999


def lzw(data: bytes) -> bytes:
    """LZW as simple writers make it: no code longer than 9 bits, because the table is cleared in time."""
    codes = [code for at in range(0, len(data), 200) for code in (256, *data[at : at + 200])]
    bits = "".join(f"{code:09b}" for code in [*codes, 257])
    return int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("ASCIIHexDecode", lambda data: data.hex().encode() + b">"),
        ("ASCII85Decode", lambda data: base64.a85encode(data) + b"~>"),
        ("LZWDecode", lzw),
    ],
)
def test_content_behind_old_filters_is_understood(tmp_path: Path, name: str, pack: Callable[[bytes], bytes]) -> None:
    """Pruning must read it, or the page would lose its font or keep all pictures."""
    source, old = make.shared(tmp_path / "shared.pdf", 3), tmp_path / "old.pdf"
    with pikepdf.open(source) as pdf:
        for page in pdf.pages:
            page.obj.Contents.write(pack(page.obj.Contents.read_bytes()), filter=pikepdf.Name(f"/{name}"))
        pdf.save(old, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    assert old.read_bytes().count(name.encode()) == 3
    ran = singly(tmp_path, old)
    assert [len(look.images_of(output.path)) for output in ran.outputs] == [2, 2, 2]
    assert look.looks_like(source, ran.outputs[2].path, 3, 1) > 0.9999


def test_glyphs_named_like_structure_stay(tmp_path: Path) -> None:
    """A Type 3 font's glyphs may be called /S and /P, which elsewhere mark a structure element."""
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(200, 200))
        drawing = pdf.make_stream(b"1000 0 d0 0 0 800 800 re f")
        font = pikepdf.Object.parse(
            b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 80/LastChar 83"
            b"/Widths[1000 0 0 1000]/Encoding<</Differences[80/P 83/S]>>/Resources<<>>>>"
        )
        font.CharProcs = pdf.make_indirect(pikepdf.Dictionary(S=drawing, P=drawing))
        pdf.pages[0].obj.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(T3=pdf.make_indirect(font)))
        pdf.pages[0].obj.Contents = pdf.make_stream(b"BT /T3 50 Tf 20 80 Td (SP) Tj ET")
        pdf.save(tmp_path / "glyphs.pdf")
    ran = singly(tmp_path, tmp_path / "glyphs.pdf")
    assert look.ink(look.render(ran.path)) > 0.05
    assert look.looks_like(tmp_path / "glyphs.pdf", ran.path) > 0.9999


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        (make.empty, "empty_file"),
        (make.page_tree_loop, "damaged_file"),
        (make.many_pages, "too_many_pages"),
    ],
)
def test_hostile_documents_are_told(tmp_path: Path, draw: object, reason: str) -> None:
    problem = singly(tmp_path, draw(tmp_path / "hostile.pdf")).problem  # type: ignore[operator]
    assert problem and problem.reason == reason


def test_a_bomb_is_refused_in_little_memory(tmp_path: Path) -> None:
    """Its content must be read to know which pictures it draws; that stops at the limit."""
    told, bomb = tmp_path / "told.json", make.flate_bomb(tmp_path / "bomb.pdf", 300 << 20)
    options = json.dumps({"split": {"how": "single"}})
    launch = [sys.executable, "tests/bench/launch.py", told, sys.executable, "-m", "tests.bench.one"]
    command = [*launch, "split", tmp_path / "run", options, bomb]
    ended = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    assert "too_large_when_opened" in ended.stderr
    assert json.loads(told.read_text())["mb"] < 250


def test_truncation_anywhere_ends_in_a_result_or_a_reason(tmp_path: Path, rich: Path) -> None:
    for step in range(1, 10):
        path = make.truncated(tmp_path / f"{step}.pdf", rich, step / 10)
        ran = singly(tmp_path / str(step), path)
        if ran.problem:
            assert ran.problem.reason == "damaged_file"
            continue
        texts = [text for output in ran.outputs for text in look.texts_of(output.path)]
        assert 0 < len(texts) <= 4
        told = ran.noted("pages_saved") or {"after": len(texts)}
        assert told["after"] == sum(bool(text) for text in texts), step


def test_pictures_are_streamed_not_held(tmp_path: Path) -> None:
    source = make.img(tmp_path / "img.pdf", 200 << 20)
    spent = run(ours("split", [source], tmp_path / "out", split={"how": "every", "pages": 50}))
    assert spent.mb < 150
    assert sum(path.stat().st_size for path in (tmp_path / "out").rglob("*.pdf")) > 160 << 20


def test_a_written_document_keeps_its_text(tmp_path: Path, office_engine: None) -> None:
    """What LibreOffice writes, cut into single pages; in CI too, where the corpus is not."""
    book = make_office.chapters(tmp_path / "书.docx", 5)
    source = run_tool("word_to_pdf", tmp_path / "pdf", [book]).path
    ran = singly(tmp_path / "single", source)
    assert [text for output in ran.outputs for text in look.texts_of(output.path)] == look.texts_of(source)
    assert [output.pages for output in ran.outputs] == [1] * 5
    for number, output in enumerate(ran.outputs, 1):
        assert look.looks_like(source, output.path, number, 1) > 0.9999
        assert look.outline_of(output.path)[0] == look.Entry(f"第{number}章", 1, 0)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus here")
def test_real_documents_keep_their_text(tmp_path: Path) -> None:
    """Every fourth of the documents below 200 KB that can be read at all, cut into single pages."""
    files = [path for path in sorted(CORPUS.rglob("*.pdf")) if 0 < path.stat().st_size < 200_000][::4]
    compared = 0
    for number, path in enumerate(files):
        ran = singly(tmp_path / str(number), path)
        if ran.problem:
            assert ran.problem.reason in ("password_required", "damaged_file"), path
            continue
        found = [text for output in ran.outputs for text in look.texts_of(output.path)]
        assert found == look.texts_of(path), path
        compared += 1
    assert compared > len(files) * 0.8
