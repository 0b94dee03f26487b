"""The output gate: a result that lies is refused, whatever its tool said."""

import zipfile

import pytest
from PIL import Image

from cluster.kinds import DOCX, PDF, PNG
from cluster.problem import FaultProblem
from cluster.tool import Output
from cluster.worker.gate import check_outputs
from tests import make, make_broken


def test_a_right_result_passes_with_its_pages(tmp_path):
    path = make.text(tmp_path / "0.pdf", 3)
    (checked,) = check_outputs([Output(path, "a.pdf", PDF, 0, pages=3, text=True)], [])
    assert checked == {"size": path.stat().st_size, "pages": 3}


def test_a_picture_of_any_size_passes(tmp_path, monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
    Image.new("1", (100, 100)).save(tmp_path / "0.png")
    assert check_outputs([Output(tmp_path / "0.png", "a.png", PNG, 0)], [])[0]["size"]


def test_an_unchanged_locked_input_is_opened_with_its_password(tmp_path):
    path = make.encrypted(tmp_path / "0.pdf", make.text(tmp_path / "plain.pdf", 2), user="芝麻")
    assert check_outputs([Output(path, "a.pdf", PDF, 0, pages=2)], ["芝麻"])[0]["pages"] == 2
    with pytest.raises(FaultProblem):
        check_outputs([Output(path, "a.pdf", PDF, 0, pages=2)], [])


@pytest.mark.parametrize(
    ("lie", "told"),
    [
        ("missing", "missing or empty"),
        ("empty", "missing or empty"),
        ("kind", "is pdf, not png"),
        ("pages", "3 pages, not 4"),
        ("text", "lost its text"),
        ("cut", "cannot open"),
        ("archive", "is zip, not docx"),
    ],
)
def test_lies_are_refused(tmp_path, lie, told):
    path = make.text(tmp_path / "0.pdf", 3)
    output = Output(path, "a.pdf", PDF, 0, pages=3)
    if lie == "missing":
        path.unlink()
    if lie == "empty":
        path.write_bytes(b"")
    if lie == "kind":
        output.kind = PNG
    if lie == "pages":
        output.pages = 4
    if lie == "text":
        output = Output(make.blank(path, 3), "a.pdf", PDF, 0, pages=3, text=True)
    if lie == "cut":
        path.write_bytes(path.read_bytes()[:200])
    if lie == "archive":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.txt", "no document")
        output.kind = DOCX
    with pytest.raises(FaultProblem) as caught:
        check_outputs([output], [])
    assert told in caught.value.detail


def test_no_result_is_a_fault():
    with pytest.raises(FaultProblem):
        check_outputs([], [])


def test_a_locked_result_opens_with_its_own_password_and_only_with_that(tmp_path):
    plain = make.text(tmp_path / "plain.pdf", 2)
    path = make_broken.encrypted(tmp_path / "a.pdf", plain, user="新密码")
    output = Output(path, "a.pdf", PDF, 0, pages=2, password="password")
    assert check_outputs([output], ["旧密码"], {"password": "新密码"})[0]["pages"] == 2
    with pytest.raises(FaultProblem) as wrong:
        check_outputs([output], ["新密码"], {"password": "旧密码"})
    output.path = plain
    with pytest.raises(FaultProblem) as bare:
        check_outputs([output], [], {"password": "新密码"})
    assert ("cannot open" in wrong.value.detail, "without its password" in bare.value.detail) == (True, True)
