"""Unlock: every standard lock, by user or owner password or without one; what lies behind it comes out whole."""

import re
from pathlib import Path

import pikepdf
import pytest
from pydantic import TypeAdapter, ValidationError

from api.body import options_of
from api.problems import Refusal
from tests import look, make, make_broken, make_forms
from tests.running import Ran, run_tool, tool

#: name -> how qpdf is asked for it
LOCKS = {
    "rc4-40": {"R": 2, "aes": False, "metadata": False},
    "rc4-128": {"R": 3, "aes": False, "metadata": False},
    "aes-128": {"R": 4, "aes": True},
    "rc4-128 by crypt filters": {"R": 4, "aes": False, "metadata": False},
    "aes-128, metadata plain": {"R": 4, "aes": True, "metadata": False},
    "aes-256 R5": {"R": 5, "aes": True},
    "aes-256 R6": {"R": 6, "aes": True},
    "aes-256 R6, metadata plain": {"R": 6, "aes": True, "metadata": False},
}


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make.rich(tmp_path_factory.mktemp("rich") / "rich.pdf")
    with make.edit(path) as pdf, pdf.open_metadata() as held:
        held["dc:title"] = "标题"
    return path


def unlock(folder: Path, file: Path, password: str | None = None) -> Ran:
    ran = run_tool("unlock", folder / "open", [file], passwords={0: password} if password else None, owned=True)
    assert ran.problem is None, ran.problem
    with pikepdf.open(ran.path) as pdf:
        assert not pdf.is_encrypted
    return ran


def locked(path: Path, source: Path, user: str, owner: str, **asked: object) -> Path:
    with pikepdf.open(source) as pdf:
        pdf.save(path, encryption=pikepdf.Encryption(user=user, owner=owner, **asked))  # type: ignore[arg-type]
    return path


@pytest.mark.filterwarnings("ignore:Encryption R=5")
@pytest.mark.parametrize("name", LOCKS)
@pytest.mark.parametrize("password", ["user", "owner"])
def test_every_standard_lock_opens(tmp_path: Path, rich: Path, name: str, password: str):
    ran = unlock(tmp_path, locked(tmp_path / "l.pdf", rich, "user", "owner", **LOCKS[name]), password)
    for seen in (look.outline_of, look.links_of, look.fields_of, look.labels_of, look.tagged_pages, look.title_of,
                 look.attachments_of, look.notes_of, look.texts_of):  # fmt: skip
        assert seen(ran.path) == seen(rich), seen.__name__
    with pikepdf.open(ran.path) as pdf, pdf.open_metadata() as held:
        assert held["dc:title"] == "标题"
    assert ran.noted("password_removed") == {}
    assert ran.noted("bookmarks") == {"before": 8, "after": 8}


@pytest.mark.filterwarnings("ignore:Encryption R=5")
@pytest.mark.parametrize("name", LOCKS)
@pytest.mark.parametrize("asked", [{}, {"linearize": True}, {"object_stream_mode": pikepdf.ObjectStreamMode.generate}])
def test_every_object_keeps_its_number_and_its_bytes(tmp_path: Path, rich: Path, name: str, asked: dict[str, object]):
    """Nothing is packed or numbered anew, so nothing can be lost: qpdf's reading of the locked file is the measure."""
    signed = make_forms.signed(tmp_path / "signed.pdf")
    for source in (rich, signed):
        path = tmp_path / f"locked-{source.name}"
        with pikepdf.open(source) as pdf:
            pdf.save(path, encryption=pikepdf.Encryption(user="", owner="owner", **LOCKS[name]), **asked)  # type: ignore[arg-type]
        with pikepdf.open(path) as before, pikepdf.open(unlock(tmp_path / source.stem, path).path) as after:
            assert before.Root.objgen == after.Root.objgen
            reached = {numbered for numbered in _reached(before) if numbered != before.trailer.Encrypt.objgen}
            assert reached == _reached(after)
            for numbered in reached:
                assert _told(before.get_object(numbered)) == _told(after.get_object(numbered)), numbered


def _reached(pdf: pikepdf.Pdf) -> set[tuple[int, int]]:
    """What hangs on the trailer."""
    found: set[tuple[int, int]] = set()
    waiting: list[object] = [pdf.Root, pdf.trailer.get("/Info")]
    while waiting:
        value = waiting.pop()
        if not isinstance(value, pikepdf.Object) or value.objgen in found:
            continue
        found |= {value.objgen} - {(0, 0)}
        waiting += list(value) if isinstance(value, pikepdf.Array) else []
        waiting += (
            [each for _, each in value.items()] if isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)) else []
        )
    return found


def _told(value: pikepdf.Object) -> tuple[bytes, bytes]:
    if not isinstance(value, pikepdf.Stream):
        return value.unparse(resolved=True), b""
    entries = pikepdf.Dictionary({key: each for key, each in value.items() if key != "/Length"})
    return entries.unparse(), value.read_raw_bytes()


def test_what_is_coded_irregularly_is_left_to_qpdf(tmp_path: Path):
    plain = make.text(tmp_path / "plain.pdf", 3)
    with pikepdf.open(plain) as pdf:
        lock = pikepdf.Encryption(user="", owner="owner", R=6)
        pdf.save(tmp_path / "l.pdf", encryption=lock, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    data = (tmp_path / "l.pdf").read_bytes()
    length = int(re.search(rb"/Length (\d+)", data[data.index(b"1 0 obj") :])[1])  # type: ignore[index]
    # No whole number of blocks: the last byte now stands between the stream and its end.
    (tmp_path / "l.pdf").write_bytes(data.replace(b"/Length %d" % length, b"/Length %d" % (length - 1)))
    assert look.page_count(unlock(tmp_path, tmp_path / "l.pdf").path) == 3
    merged = run_tool("merge", tmp_path / "merged", [tmp_path / "l.pdf", plain])
    assert look.page_count(merged.path) == 6
    assert [note.what for note in merged.notes].count("password_removed") == 1


@pytest.mark.parametrize("name", ["rc4-40", "aes-128", "aes-256 R6"])
def test_restrictions_alone_need_no_password(tmp_path: Path, rich: Path, name: str):
    ran = unlock(tmp_path, locked(tmp_path / "l.pdf", rich, "", "owner", **LOCKS[name]))
    assert ran.noted("restrictions_removed") == {}
    assert ran.noted("password_removed") is None


def test_identity_filters_leave_all_plain(tmp_path: Path):
    path = identity(tmp_path / "i.pdf", make.text(tmp_path / "t.pdf", 2), "user")
    problem = run_tool("unlock", tmp_path / "no", [path], owned=True).problem
    assert problem is not None and problem.reason == "password_required"
    assert look.texts_of(unlock(tmp_path, path, "user").path) == look.texts_of(tmp_path / "t.pdf")


def identity(path: Path, source: Path, user: str) -> Path:
    """`source` with an encryption dictionary whose filters encrypt nothing."""
    lock = locked(path.with_name("real.pdf"), source, user, "owner", R=4, aes=True)
    with pikepdf.open(lock, password=user) as pdf:
        real, name = pdf.trailer.Encrypt, bytes(pdf.trailer.ID[0])
        values = {"O": bytes(real.O).hex(), "U": bytes(real.U).hex(), "P": int(real.P)}
    with pikepdf.open(source) as pdf:
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.disable)
        root = pdf.Root.objgen[0]
    data = path.read_bytes()
    before, size = data.rindex(b"startxref"), data.rindex(b"/Size ") + 6
    filters = "/CF << /StdCF << /CFM /AESV2 /AuthEvent /DocOpen /Length 16 >> >> /StmF /Identity /StrF /Identity"
    with pikepdf.open(path) as pdf:
        root = pdf.Root.objgen[0]
    trailer = (
        f"xref\n0 0\ntrailer\n<< /Size {data[size:].split()[0].decode()} /Root {root} 0 R "
        f"/Prev {data[before:].split()[1].decode()} /ID [<{name.hex()}> <{name.hex()}>] "
        f"/Encrypt << /Filter /Standard /V 4 /R 4 /Length 128 {filters} "
        f"/O <{values['O']}> /U <{values['U']}> /P {values['P']} >> >>\nstartxref\n{len(data)}\n%%EOF\n"
    )
    path.write_bytes(data + trailer.encode())
    return path


@pytest.mark.parametrize(("password", "reason"), [(None, "password_required"), ("guess", "password_wrong")])
def test_nothing_opens_without_the_right_password(tmp_path: Path, password: str | None, reason: str):
    file = make_broken.encrypted(tmp_path / "密.pdf", make.text(tmp_path / "t.pdf", 1))
    given = {0: password} if password else None
    problem = run_tool("unlock", tmp_path / "no", [file], passwords=given, owned=True).problem
    assert problem is not None and (problem.reason, problem.facts["file"]) == (reason, "密.pdf")


def test_a_password_may_be_typed_as_another_keyboard_writes_it(tmp_path: Path):
    made = run_tool("encrypt", tmp_path / "e", [make.text(tmp_path / "t.pdf", 1)], password="ｋｉｔｅ ７").path
    for typed in ("ｋｉｔｅ ７", "kite 7"):
        assert look.page_count(unlock(tmp_path / typed, made, typed).path) == 1
    # One that was never prepared opens as it is written.
    raw = locked(tmp_path / "raw.pdf", tmp_path / "t.pdf", "Ⅸ", "owner", R=6)
    assert look.page_count(unlock(tmp_path / "raw", raw, "Ⅸ").path) == 1


def test_a_file_without_a_lock_comes_back_as_it_is(tmp_path: Path):
    file = make_forms.signed(tmp_path / "s.pdf")
    ran = unlock(tmp_path, file)
    assert ran.path.read_bytes() == file.read_bytes()
    assert ran.noted("not_protected") == {}
    assert ran.noted("signature_broken") is None


def test_a_damaged_one_without_a_lock_comes_back_mended(tmp_path: Path):
    ran = unlock(tmp_path, make_broken.damaged(tmp_path / "d.pdf", make.text(tmp_path / "t.pdf", 2)))
    assert ran.noted("repaired") is not None
    with pikepdf.open(ran.path) as pdf:
        assert not pdf.get_warnings()


def test_a_signature_is_told_to_break(tmp_path: Path):
    file = make_broken.encrypted(tmp_path / "l.pdf", make_forms.signed(tmp_path / "s.pdf"))
    assert unlock(tmp_path, file, "secret").noted("signature_broken") == {"count": 1}


@pytest.mark.parametrize("options", [{}, {"owned": False}])
def test_the_tick_is_needed(options: dict[str, bool]):
    with pytest.raises(ValidationError) as found:
        TypeAdapter(tool("unlock").options).validate_python(options)
    assert found.value.errors()[0]["loc"] == ("owned",)
    with pytest.raises(Refusal) as refused:
        options_of(tool("unlock"), options)
    assert refused.value.reason == "option_invalid"
    assert "owned" in str(vars(refused.value))
