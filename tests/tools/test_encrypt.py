"""Encrypt: AES-256, opened by four readers with the right password and by none with another; nothing else changes."""

import json
import os
import subprocess
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pydantic import TypeAdapter, ValidationError

from api.body import options_of
from api.problems import Refusal
from cluster.fields import PERMISSIONS
from cluster.passwords import prepared
from cluster.seal import open_options, seal_options
from tests import look, make, make_broken, make_forms
from tests.running import Ran, run_tool, tool

#: Typed, and as the standard prepares it.
PASSWORDS = {"kite 7": "kite 7", "开门": "开门", "Ⅸ\u00adé": "IXé", "a\u00a0b": "a b", "😀1": "😀1"}


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make.rich(tmp_path_factory.mktemp("rich") / "rich.pdf")


def encrypt(folder: Path, file: Path, **options: object) -> Ran:
    ran = run_tool("encrypt", folder / "locked", [file], **options)
    assert ran.problem is None, ran.problem
    return ran


def readers(path: Path, password: str) -> dict[str, bool]:
    """Which of four readers open the file with these very bytes as password."""
    commands = {
        "qpdf": ["qpdf", f"--password={password}", "--password-mode=bytes", "--show-npages", path],
        "mupdf": ["mutool", "pages", "-p", password, path],
        "poppler": ["pdftotext", "-upw", password, path, "-"],
    }
    utf8 = {**os.environ, "LC_ALL": "C.UTF-8"}
    found = {
        name: subprocess.run(command, capture_output=True, check=False, env=utf8).returncode == 0
        for name, command in commands.items()
    }
    try:
        pypdfium2.PdfDocument(path, password=password).close()
    except pypdfium2.PdfiumError:
        return {**found, "pdfium": False}
    return {**found, "pdfium": True}


@pytest.mark.parametrize(("typed", "written"), PASSWORDS.items())
def test_four_readers_open_it_with_the_right_password_and_no_other(tmp_path: Path, typed: str, written: str):
    ran = encrypt(tmp_path, make.text(tmp_path / "t.pdf", 2), password=typed)
    names = dict.fromkeys(("qpdf", "mupdf", "poppler", "pdfium"), True)
    assert readers(ran.path, written) == names
    for wrong in ("", "x", written + " ", written.swapcase() + "1"):
        assert readers(ran.path, wrong) == dict.fromkeys(names, False), wrong
    with pikepdf.open(ran.path, password=written) as pdf:
        assert (pdf.encryption.R, pdf.encryption.bits) == (6, 256)
        assert pdf.encryption.stream_method == pdf.encryption.string_method == pikepdf.models.EncryptionMethod.aesv3
    assert ran.outputs[0].password == "password"
    assert ran.noted("locked") == {}


@pytest.mark.parametrize("options", [{"password": "p1"}, {"owner": "o1"}, {"password": "p1", "metadata": False}])
def test_nothing_but_the_lock_is_added(tmp_path: Path, rich: Path, options: dict[str, object]):
    made = encrypt(tmp_path, rich, **options).path
    plain = run_tool(
        "unlock", tmp_path / "plain", [made], passwords={0: str(next(iter(options.values())))}, owned=True
    ).path
    for seen in (look.outline_of, look.links_of, look.fields_of, look.labels_of, look.tagged_pages, look.title_of,
                 look.attachments_of, look.notes_of, look.destinations_of, look.texts_of):  # fmt: skip
        assert seen(plain) == seen(rich), seen.__name__
    assert all(look.looks_like(plain, rich, page) > 0.999 for page in (1, 8))


@pytest.mark.parametrize("refused", PERMISSIONS)
def test_each_permission_alone_is_taken_away(tmp_path: Path, refused: str):
    allowed = [each for each in PERMISSIONS if each != refused]
    ran = encrypt(tmp_path, make.text(tmp_path / "t.pdf", 1), allowed=allowed)
    with pikepdf.open(ran.path) as pdf:  # without a password: only restricted
        allow = pdf.allow
        assert not pdf.owner_password_matched
    held = {"print": allow.print_lowres, "print_fine": allow.print_highres, "copy": allow.extract,
            "edit": allow.modify_other, "annotate": allow.modify_annotation, "fill": allow.modify_form,
            "assemble": allow.modify_assembly}  # fmt: skip
    # Fine printing is printing.
    assert [each for each, may in held.items() if not may] == ([] if refused == "print" else [refused])
    assert allow.accessibility
    assert ran.noted("restricted") == {"count": 1}
    assert ran.noted("owner_random") == {}
    assert ran.outputs[0].password is None


def test_a_missing_owner_password_is_one_that_nobody_knows(tmp_path: Path):
    file = make.text(tmp_path / "t.pdf", 1)
    keys = set()
    for number in range(2):
        path = encrypt(tmp_path / str(number), file, password="p1", allowed=[]).path
        with pikepdf.open(path, password="p1") as pdf:
            assert not pdf.owner_password_matched
            keys.add(bytes(pdf.trailer.Encrypt.O))
    assert len(keys) == 2
    path = encrypt(tmp_path / "owned", file, password="p1", owner="主人", allowed=[]).path
    with pikepdf.open(path, password="主人") as pdf:
        assert pdf.owner_password_matched


@pytest.mark.parametrize("metadata", [True, False])
def test_metadata_can_be_read_without_the_password_when_it_may(tmp_path: Path, metadata: bool):
    file = make.text(tmp_path / "t.pdf", 1)
    with make.edit(file) as pdf, pdf.open_metadata() as held:
        held["dc:title"] = "CANARY-TITLE"
    ran = encrypt(tmp_path, file, password="p1", metadata=metadata)
    assert (b"CANARY-TITLE" in ran.path.read_bytes()) is not metadata
    assert (ran.noted("metadata_plain") is None) is metadata
    assert readers(ran.path, "p1")["poppler"]


@pytest.mark.parametrize("method", ["rc4", "aes128", "aes256"])
def test_a_locked_file_gets_the_new_lock(tmp_path: Path, method: str):
    file = make_broken.encrypted(tmp_path / "old.pdf", make.text(tmp_path / "t.pdf", 2), user="old", method=method)
    for password, reason in ((None, "password_required"), ("no", "password_wrong")):
        problem = run_tool("encrypt", tmp_path / "no", [file], passwords={0: password or ""}, password="new").problem
        assert problem is not None and problem.reason == reason
    ran = run_tool("encrypt", tmp_path / "new", [file], passwords={0: "old"}, password="new")
    assert readers(ran.path, "new")["pdfium"]
    assert not any(readers(ran.path, "old").values())
    assert ran.noted("lock_replaced") == {}
    assert ran.noted("password_removed") is None


@pytest.mark.parametrize(
    ("options", "field", "kind"),
    [
        ({}, "owner", "protects_nothing"),
        ({"password": "same", "owner": "same"}, "owner", "passwords_equal"),
        ({"password": "ﬁ", "owner": "fi"}, "owner", "passwords_equal"),
        ({"password": "a\x07"}, "password", "password_characters"),
        ({"password": "\u00ad"}, "password", "password_characters"),
        ({"password": "אa"}, "password", "password_characters"),
        ({"password": "字" * 43}, "password", "password_too_long"),
    ],
)
def test_what_would_not_hold_is_refused_at_its_field(options: dict[str, str], field: str, kind: str):
    with pytest.raises(ValidationError) as found:
        TypeAdapter(tool("encrypt").options).validate_python(options)
    assert [(each["loc"], each["type"]) for each in found.value.errors()] == [((field,), kind)]
    with pytest.raises(Refusal) as refused:
        options_of(tool("encrypt"), options)
    assert refused.value.reason == "option_invalid"
    assert all(value not in str(vars(refused.value)) for value in options.values() if len(value) > 3)


def test_the_longest_password_holds_whole(tmp_path: Path):
    longest = "字" * 42 + "x"
    path = encrypt(tmp_path, make.text(tmp_path / "t.pdf", 1), password=longest).path
    # pdftotext itself cuts what it is given at 32 bytes.
    assert [name for name, opens in readers(path, longest).items() if not opens] == ["poppler"]
    assert not any(readers(path, longest[:-1]).values())


def test_passwords_are_prepared_once_and_for_all():
    for typed, written in PASSWORDS.items():
        assert prepared(typed) == prepared(written) == written


def test_passwords_wait_sealed():
    chosen = options_of(tool("encrypt"), {"password": "CANARY-1", "owner": "CANARY-2"})
    plain, secrets = seal_options(chosen, TypeAdapter(tool("encrypt").options).json_schema(), "task")
    assert "CANARY" not in json.dumps([plain, secrets])
    assert open_options(plain, secrets, "task") == chosen


def test_a_signature_is_told_to_break(tmp_path: Path):
    ran = encrypt(tmp_path, make_forms.signed(tmp_path / "s.pdf"), password="p1")
    assert ran.noted("signature_broken") == {"count": 1}
