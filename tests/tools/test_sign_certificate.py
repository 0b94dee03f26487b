"""Certificate signatures: other programs find them valid, what is altered afterwards is not, what was signed stays."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pikepdf
import pymupdf
import pytest
from pydantic import TypeAdapter

from cluster.seal import open_options, seal_options
from cluster.signing import Options
from tests import look, make
from tests.make_certificates import PASSWORD, p12, statuses, waiting
from tests.running import Ran, run_tool
from tests.tools.test_sign import BAR, INK, spot
from tests.tools.test_watermark import red_box, seen_size

KEY = "u/me.p12"


def certified(folder: Path, source: Path, *marks: dict[str, Any], name: str = "张三 Zhang San", passwords: Any = None,
              **certificate: Any) -> Ran:  # fmt: skip
    folder.mkdir(exist_ok=True)
    chosen = {"how": "pkcs12", "file": KEY, "password": PASSWORD, **certificate}
    extras = {KEY: p12(folder / "me.p12", name=name)}
    return run_tool("sign", folder / "run", [source], marks=list(marks), certificate=chosen, extras=extras,
                    passwords=passwords)  # fmt: skip


def pdfsig(path: Path) -> str:
    command = ["pdfsig", "-nocert", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


poppler = pytest.mark.skipif(not shutil.which("pdfsig"), reason="poppler's pdfsig is not here")


@poppler
def test_valid_for_others_until_it_is_altered(tmp_path: Path):
    ran = certified(
        tmp_path, make.text(tmp_path / "合同.pdf", 2), {**INK, "spots": [spot()]}, reason="同意", place="上海"
    )
    assert ran.noted("signed_with") == {"detail": "张三 Zhang San"} and ran.noted("pages_signed") == {"count": 2}
    (status,) = statuses(ran.path)
    assert status.bottom_line and status.signer_reported_dt
    told = pdfsig(ran.path)
    assert "Signature is Valid" in told and "ETSI.CAdES.detached" in told and "Total document signed" in told
    with pikepdf.open(ran.path) as pdf:
        value = pdf.Root.AcroForm.Fields[0].V
        assert (str(value.Reason), str(value.Location), str(value.Name)) == ("同意", "上海", "张三 Zhang San")
    altered = tmp_path / "altered.pdf"
    data = ran.path.read_bytes()
    altered.write_bytes(data.replace(b"/MediaBox", b"/MediaBax", 1))
    assert not statuses(altered)[0].intact
    assert "Signature is Valid" not in pdfsig(altered)


@poppler
def test_a_second_signature_and_drawings_leave_the_first_as_it_was(tmp_path: Path):
    """Not a byte of what is signed changes; the receipt tells who signed before."""
    first = certified(tmp_path / "1", make.text(tmp_path / "a.pdf", 3), name="李四")
    second = certified(tmp_path / "2", first.path, block={"x": 0.7})
    assert second.noted("signed_before")["detail"].startswith("李四 20")
    assert second.path.read_bytes().startswith(first.path.read_bytes())
    assert [each.bottom_line for each in statuses(second.path)] == [True, True]
    third = run_tool("sign", tmp_path / "3", [second.path], marks=[{**INK, "spots": [spot(pages="2")]}])
    assert third.noted("marks_added") == {"count": 1} and third.noted("signed_before")["count"] == 2
    assert third.path.read_bytes().startswith(second.path.read_bytes())
    assert all(each.intact and each.valid for each in statuses(third.path))
    assert pdfsig(third.path).count("Signature is Valid") == 2
    assert red_box(third.path, 2) and not red_box(third.path, 1)


def test_drawings_on_a_signed_document_land_where_the_preview_draws_them(tmp_path: Path):
    """As annotations: /Rotate × CropBox × UserUnit, within 2 pt; turned ones too, and the certificate's block."""
    source = certified(tmp_path / "1", make.geometry(tmp_path / "a.pdf"), visible=False).path
    marks = [{**BAR, "spots": [spot()]}]
    ran = run_tool("sign", tmp_path / "2", [source], marks=marks)
    turned = run_tool("sign", tmp_path / "3", [source], marks=[{**BAR, "spots": [spot(x=0.5, y=0.5, angle=90)]}])
    for page in range(1, 21):
        width, height = seen_size(ran.path, page)
        wanted = width * 0.6 - 100, height * 0.4 - 10, width * 0.6 + 100, height * 0.4 + 10
        assert red_box(ran.path, page) == pytest.approx(wanted, abs=2), page
        upright = width / 2 - 10, height / 2 - 100, width / 2 + 10, height / 2 + 100
        assert red_box(turned.path, page) == pytest.approx(upright, abs=2), page


@poppler
def test_fields_that_wait_are_signed_where_they_stand(tmp_path: Path):
    """The second also where the first signature allows no new block; its lock is kept; a third time is refused."""
    lock = pikepdf.Dictionary(Type=pikepdf.Name.SigFieldLock, Action=pikepdf.Name.All)
    source = waiting(tmp_path / "合同.pdf", Lock=lock)
    first = certified(tmp_path / "1", source, field="甲方", level="certify_fill", reason="同意")
    second = certified(tmp_path / "2", first.path, field="乙方.seal")
    assert not second.noted("block_left_out") and second.path.read_bytes().startswith(first.path.read_bytes())
    assert [each.bottom_line for each in statuses(second.path)] == [True, True]
    assert pdfsig(second.path).count("Signature is Valid") == 2
    with pikepdf.open(second.path) as pdf:
        assert len(pdf.Root.AcroForm.Fields) == 2
        assert pdf.Root.AcroForm.Fields[1].Kids[0].V.Reference[0].TransformMethod == "/FieldMDP"
        assert sum(len(page.obj.get("/Annots", ())) for page in pdf.pages) == 2
    for number, ran, before in ((6, first, source), (11, second, first.path)):
        with pymupdf.open(before) as document:
            (widget,) = (each.rect * document[number - 1].rotation_matrix for each in document[number - 1].widgets())
        changed = look.changed_box(*(look.render(path, number) for path in (before, ran.path)))
        assert changed == pytest.approx(tuple(widget), abs=2), number
    again = certified(tmp_path / "3", second.path, field="甲方")
    assert again.problem and again.problem.reason == "sign_field_unknown"


def test_a_field_that_demands_another_signature_is_told(tmp_path: Path):
    demands = pikepdf.Dictionary(Ff=2, SubFilter=[pikepdf.Name("/adbe.pkcs7.detached")])
    ran = certified(tmp_path / "1", waiting(tmp_path / "a.pdf", SV=demands), field="乙方.seal")
    assert ran.problem and ran.problem.reason == "field_demands" and not ran.outputs


@pytest.mark.parametrize(
    ("level", "marks", "reason"),
    [
        ("certify_none", False, "signed_final"),
        ("certify_none", True, "signed_final"),
        ("certify_fill", True, "signed_no_marks"),
        ("certify_fill", False, ""),
        ("certify_comment", True, ""),
    ],
)
def test_what_a_certification_allows(tmp_path: Path, level: str, marks: bool, reason: str):
    first = certified(tmp_path / "1", make.text(tmp_path / "a.pdf", 1), level=level).path
    drawn = [{**INK, "spots": [spot()]}] if marks else []
    ran = certified(tmp_path / "2", first, *drawn, name="李四")
    assert (ran.problem.reason if ran.problem else "") == reason
    if not reason:
        assert ran.noted("block_left_out") is not None
        assert all(each.intact and each.valid for each in statuses(ran.path))
        assert marks or all(each.bottom_line for each in statuses(ran.path))


def test_a_certification_comes_first(tmp_path: Path):
    first = certified(tmp_path / "1", make.text(tmp_path / "a.pdf", 1)).path
    ran = certified(tmp_path / "2", first, level="certify_fill")
    assert ran.problem is not None and ran.problem.reason == "certify_not_first"


def test_a_locked_signed_document_keeps_lock_and_signature(tmp_path: Path):
    locked = tmp_path / "locked.pdf"
    with pikepdf.open(make.text(tmp_path / "a.pdf", 1)) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(owner="o", user="密码", R=6))
    once = tmp_path / "signed.pdf"
    sign_directly(locked, once, "密码")
    ran = certified(tmp_path / "2", once, {**INK, "spots": [spot()]}, passwords={0: "密码"})
    assert ran.noted("password_removed") is None
    assert [each.intact and each.valid for each in statuses(ran.path, "密码")] == [True, True]
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(ran.path)


def sign_directly(source: Path, target: Path, password: str) -> None:
    """As another program does, which keeps the lock."""
    from cluster.engines.sign.identity import read_identity
    from cluster.engines.sign.update import Signing, Words, updating

    identity = read_identity(p12(source.with_name("other.p12"), name="李四"), PASSWORD)
    with updating(source, password) as writer:
        Signing(identity, Words(), "approve", None, None).sign(writer, target, None)


@pytest.mark.parametrize(
    ("file", "password", "reason"),
    [
        ("wrong password", "nope", "certificate_password"),
        ("no password", "", "certificate_password"),
        ("not one", PASSWORD, "certificate_unreadable"),
        ("empty", PASSWORD, "certificate_unreadable"),
        ("expired", PASSWORD, "certificate_expired"),
        ("later", PASSWORD, "certificate_expired"),
    ],
)
def test_certificates_that_cannot_sign_say_so(tmp_path: Path, file: str, password: str, reason: str):
    path = tmp_path / "me.p12"
    if file in ("not one", "empty"):
        path.write_bytes(b"" if file == "empty" else b"0\x82 no certificate" * 50)
    else:
        days = {"expired": (-9, -1), "later": (1, 9)}.get(file, (-1, 300))
        p12(path, begins=days[0], ends=days[1])
    ran = run_tool("sign", tmp_path / "run", [make.text(tmp_path / "a.pdf", 1)], extras={KEY: path},
                   certificate={"how": "pkcs12", "file": KEY, "password": password})  # fmt: skip
    assert ran.problem is not None and ran.problem.reason == reason
    told = str(ran.problem.facts)
    assert "p12" not in told, "the name that it has in the store says nothing"
    assert not password or password not in told


@pytest.mark.parametrize(("kind", "password"), [("ec", PASSWORD), ("rsa", "")])
def test_other_keys_and_no_password(tmp_path: Path, kind: str, password: str):
    path = p12(tmp_path / "me.p12", password, kind=kind, name=f"{kind} 密钥")
    ran = run_tool("sign", tmp_path / "run", [make.text(tmp_path / "a.pdf", 1)], extras={KEY: path},
                   certificate={"how": "pkcs12", "file": KEY, "password": password})  # fmt: skip
    assert [each.intact and each.valid for each in statuses(ran.path)] == [True]


def test_the_password_is_sealed_while_the_task_waits():
    options = {"marks": [], "certificate": {"how": "pkcs12", "file": KEY, "password": PASSWORD}}
    plain, sealed = seal_options(options, TypeAdapter(Options).json_schema(), "task")
    assert PASSWORD not in str(plain) and PASSWORD not in str(sealed)
    assert open_options(plain, sealed, "task") == options


def test_a_damaged_signed_document_is_repaired_and_says_what_that_costs(tmp_path: Path):
    first = certified(tmp_path / "1", make.text(tmp_path / "a.pdf", 2)).path
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(first.read_bytes().replace(b"startxref", b"startxxxx"))
    ran = run_tool("sign", tmp_path / "2", [broken], marks=[{**BAR, "spots": [spot()]}])
    assert ran.noted("signature_broken") == {"count": 1} and red_box(ran.path, 1)


def test_what_a_document_says_of_itself_is_not_read(tmp_path: Path):
    """Metadata that is no XML is no reason to fail, and stays as it was."""
    with make.edit(source := make.text(tmp_path / "a.pdf", 1)) as pdf:
        pdf.Root.Metadata = pdf.make_stream(b"<x:xmpmeta no xml", Type=pikepdf.Name.Metadata)
    first = certified(tmp_path / "1", source)
    second = certified(tmp_path / "2", first.path, {**INK, "spots": [spot()]}, name="李四")
    assert second.path.read_bytes().startswith(first.path.read_bytes())
    assert all(each.intact and each.valid for each in statuses(second.path))
