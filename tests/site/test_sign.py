"""Signing as people do: by hand on the desktop and the phone, by name, with a picture, with a certificate."""

import re
from concurrent.futures import ThreadPoolExecutor

import pikepdf
import pypdfium2
import pytest
from playwright.sync_api import expect

from tests import make, make_chinese
from tests.corpus import first_pages, real
from tests.make_certificates import PASSWORD, key, p12, statuses, waiting
from tests.signing_in import new_account
from tests.site.account import sign_in
from tests.site.audit import chinese, violations
from tests.site.conftest import DESKTOP_ONLY, visiting
from tests.tools.test_sign import picture
from tests.tools.test_sign_certificate import certified
from tests.tools.test_watermark import red_box


def write(visitor, strokes=2):
    """Wavy lines on the pad."""
    pad = visitor.see("pad")
    pad.scroll_into_view_if_needed()
    box = pad.bounding_box()
    mouse = visitor.page.mouse
    for stroke in range(strokes):
        y = box["y"] + box["height"] * (0.4 + 0.2 * stroke)
        mouse.move(box["x"] + box["width"] * 0.2, y)
        mouse.down()
        for step in range(1, 13):
            mouse.move(box["x"] + box["width"] * (0.2 + 0.05 * step), y + (-1) ** step * box["height"] * 0.1, steps=3)
        mouse.up()


def in_red(visitor):
    visitor.see("sign-maker").get_by_role("button", name=re.compile("红色|Red")).click()


def saved(visitor, folder):
    folder.mkdir()
    return visitor.save(folder)


def test_a_drawn_signature_initials_and_a_date(visitor, tmp_path):
    """What is drawn stands where the surface shows it, as curves; initials on all pages."""
    contract = first_pages(tmp_path / "合同.pdf", "word/made_zh_two.pdf", 2, lambda path: make_chinese.chinese(path, 2))
    visitor.open("/PdfSign").drop(contract)
    expect(visitor.see("start-hint")).to_have_text("请先添加一个签名，或选择用数字证书签名")
    expect(visitor.see("start")).to_be_disabled()
    visitor.see("make-signature").click()
    expect(visitor.see("sign-use")).to_be_disabled()
    in_red(visitor)
    write(visitor)
    assert violations(visitor.page) == []
    visitor.see("sign-use").click()
    expect(visitor.see("thing")).to_have_count(1)
    for make_it in ("make-initials", "make-date"):
        visitor.see(make_it).click()
        if make_it == "make-initials":
            visitor.page.get_by_role("tab", name="输入").click()
            visitor.see("sign-name").fill("张三")
        visitor.see("sign-use").click()
    expect(visitor.page.locator('[data-page="1"] [data-testid=thing]')).to_have_count(3)
    visitor.finish()
    expect(visitor.see("receipt")).to_contain_text("2 页已签名")
    result = saved(visitor, tmp_path / "saved")
    left, top, right, bottom = red_box(result, 1, fine=8)
    with pikepdf.open(result) as pdf:
        width, height = (float(side) for side in pdf.pages[0].mediabox[2:])
    assert abs((left + right) / 2 - 0.7 * width) < 2 and abs((top + bottom) / 2 - 0.84 * height) < 2
    assert abs(bottom - top - 48) < 2
    with pypdfium2.PdfDocument(result) as document:
        words = [page.get_textpage().get_text_range() for page in document]
    assert all("张" in text for text in words) and "年" in words[0]


@DESKTOP_ONLY
def test_a_picture_and_a_certificate_in_a_field_that_waits(visitor, tmp_path):
    """The failure says that the password was wrong; with the right one pyHanko finds the document's own field signed."""
    visitor.open("/en/PdfSign").drop(waiting(tmp_path / "contract.pdf"))
    visitor.see("make-signature").click()
    visitor.page.get_by_role("tab", name="Picture").click()
    visitor.see("sign-picture").set_input_files(str(picture(tmp_path / "signature.png")))
    visitor.see("sign-use").click()
    expect(visitor.see("thing")).to_have_count(1)
    form = visitor.options()
    form.get_by_role("tab", name="With a certificate").click()
    form.locator("input[type=file]").set_input_files(str(p12(tmp_path / "me.p12")))
    form.get_by_label("Its password").fill("nope")
    form.get_by_label("Reason").fill("I approve")
    visitor.see("sign-field").select_option("甲方")
    expect(visitor.see("thing").and_(visitor.page.get_by_label("Certificate block"))).to_be_visible()
    visitor.start()
    expect(visitor.see("failed")).to_contain_text("The password of the certificate file is not right")
    visitor.complaints.clear()
    visitor.see("edit-options").click()
    visitor.options().get_by_label("Its password").fill(PASSWORD)
    visitor.finish()
    expect(visitor.see("receipt")).to_contain_text("张三 Zhang San")
    result = visitor.save(tmp_path, testid="download")
    with ThreadPoolExecutor(1) as apart:  # pyHanko begins a loop of its own, which Playwright's does not bear
        (status,) = apart.submit(statuses, result).result()
    assert status.bottom_line
    with pikepdf.open(result) as pdf:
        assert str(pdf.Root.AcroForm.Fields[0].V.Reason) == "I approve" and len(pdf.Root.AcroForm.Fields) == 2


def test_an_english_contract_is_signed_by_hand_and_with_a_certificate(visitor, tmp_path):
    """A real document of several pages, on the desktop and the phone: a drawn signature, typed initials, the block."""
    contract = real(tmp_path / "Declaration.pdf", "word/docx4j_toc.pdf", lambda path: make.text(path, 3))
    visitor.open("/en/PdfSign").drop(contract)
    visitor.see("make-signature").click()
    in_red(visitor)
    write(visitor)
    visitor.see("sign-use").click()
    visitor.see("make-initials").click()
    visitor.page.get_by_role("tab", name="Type").click()
    visitor.see("sign-name").fill("Jane Doe")
    visitor.see("sign-use").click()
    expect(visitor.page.locator('[data-page="1"] [data-testid=thing]')).to_have_count(2)
    form = visitor.options()
    form.get_by_role("tab", name="With a certificate").click()
    form.locator("input[type=file]").set_input_files(str(p12(tmp_path / "me.p12")))
    form.get_by_label("Its password").fill(PASSWORD)
    form.get_by_label("Place", exact=True).fill("Geneva")
    assert chinese(visitor.page, "张三") == [] and violations(visitor.page) == []
    visitor.finish()
    expect(visitor.see("receipt")).to_contain_text("Signed with a certificate")
    assert chinese(visitor.page, "张三") == []
    result = saved(visitor, tmp_path / "saved")
    assert result.name == "Declaration_signed.pdf" and red_box(result, 1)
    with ThreadPoolExecutor(1) as apart:  # as above
        (status,) = apart.submit(statuses, result).result()
    assert status.bottom_line
    with pypdfium2.PdfDocument(contract) as before, pypdfium2.PdfDocument(result) as after:
        old, new = ([page.get_textpage().get_text_range() for page in document] for document in (before, after))
        assert len(old) > 1 and all("JD" in text and "JD" not in was for was, text in zip(old, new, strict=True))
    with pikepdf.open(result) as pdf:
        (field,) = [each for each in pdf.Root.AcroForm.Fields if each.FT == "/Sig"]
        assert str(field.V.Location) == "Geneva"


@DESKTOP_ONLY
def test_a_second_signer_stands_beside_the_first(visitor, tmp_path):
    """Where nobody moves it the block does not lie over the earlier one, and both signatures hold."""
    with ThreadPoolExecutor(1) as apart:  # as above
        first = apart.submit(certified, tmp_path / "first", make.text(tmp_path / "合同.pdf", 2)).result().path
    visitor.open("/PdfSign").drop(first)
    expect(visitor.page.locator('.canvas-page[data-page="1"] canvas').first).to_be_visible()
    form = visitor.options()
    form.get_by_role("tab", name="数字证书签名").click()
    form.locator("input[type=file]").set_input_files(str(p12(tmp_path / "li.p12", name="李四")))
    form.get_by_label("证书密码").fill(PASSWORD)
    expect(visitor.see("thing").and_(visitor.page.get_by_label("证书签名框"))).to_be_visible()
    visitor.finish()
    expect(visitor.see("receipt")).to_contain_text("之前的 1 个签名未受影响")
    result = saved(visitor, tmp_path / "saved")
    with pikepdf.open(result) as pdf:
        one, two = ([float(side) for side in field.Rect] for field in pdf.Root.AcroForm.Fields)
    assert one[2] < two[0] and one[1] == pytest.approx(two[1], abs=1)
    with ThreadPoolExecutor(1) as apart:  # as above
        assert all(status.bottom_line for status in apart.submit(statuses, result).result())


@DESKTOP_ONLY
def test_a_phone_is_the_pad(visitor, browser, stack, tmp_path):
    """Stroke by stroke on the desktop, once; another phone gets nothing of it."""
    visitor.open("/PdfSign").drop(make.text(tmp_path / "合同.pdf", 1))
    visitor.see("make-signature").click()
    visitor.see("by-phone").click()
    expect(visitor.see("pad-qr")).to_be_visible()
    address = visitor.see("phone").get_attribute("data-url")
    with visiting(browser, stack, "phone") as phone, visiting(browser, stack, "phone") as other:
        phone.page.goto(address)
        expect(phone.see("sign-pad")).to_be_visible()
        expect(visitor.see("phone")).to_have_attribute("data-phase", "OPEN")
        other.page.goto(address)
        expect(other.see("pad-over")).to_be_visible()
        write(phone, 1)
        expect(visitor.see("sign-use")).to_be_enabled()
        expect(visitor.see("phone").locator("canvas")).to_be_visible()
        assert violations(phone.page) == []
        write(phone, 2)
        phone.see("pad-done").click()
        expect(phone.see("pad-sent")).to_be_visible()
        expect(visitor.see("phone")).to_have_attribute("data-phase", "DONE")
        phone.page.reload()
        expect(phone.see("pad-over")).to_be_visible()
    visitor.see("sign-use").click()
    expect(visitor.see("thing")).to_have_count(1)
    visitor.finish()
    expect(visitor.see("receipt")).to_contain_text("1 页已签名")


@DESKTOP_ONLY
def test_a_signature_is_kept_for_next_time(visitor, stack, tmp_path):
    """Kept by an account, used again after a reload, deleted."""
    sign_in(visitor, stack, new_account())
    visitor.open("/PdfSign").drop(make.text(tmp_path / "合同.pdf", 1))
    visitor.see("make-signature").click()
    expect(visitor.see("saved")).to_contain_text("还没有保存的签名")
    write(visitor)
    visitor.see("sign-keep").check()
    with visitor.page.expect_response("**/saveSignature") as answered:
        visitor.see("sign-use").click()
    assert answered.value.ok
    visitor.see("make-signature").click()
    visitor.see("saved-use").click()
    expect(visitor.see("thing")).to_have_count(2)
    visitor.see("make-signature").click()
    visitor.see("saved-drop").click()
    expect(visitor.see("saved")).to_contain_text("还没有保存的签名")


@pytest.mark.parametrize("visitor", ["phone"], indirect=True)
def test_an_english_page_of_the_phone(visitor):
    visitor.open("/en/SignPad?padId=nothing")
    expect(visitor.see("pad-over")).to_contain_text("The code has expired")
    visitor.complaints.clear()


def test_keys_and_passwords_are_left_nowhere(stack, person, tmp_path):
    """In logs, records, database and scratch, after a wrong password and after the right one; what is searched holds
    the tasks' own names."""
    password = "纸鹤-left-nowhere-73"
    document, keys = person.upload(make.text(tmp_path / "合同.pdf", 1), p12(tmp_path / "me.p12", password))
    tasks = []
    for said, reason in (("错-left-nowhere-42", "certificate_password"), (password, None)):
        chosen = {"how": "pkcs12", "file": keys["key"], "password": said}
        made = person.create(19, [document], certificate=chosen)
        ended = person.follow(made["data"]["taskId"])
        assert (ended["error"] or {}).get("reason") == reason
        tasks.append(made["data"]["taskId"])
    number = key().private_numbers().d
    secret = [
        b"left-nowhere",
        number.to_bytes(256, "big")[:64],
        b"%x" % number,
        key().private_numbers().p.to_bytes(128, "big"),
    ]
    held = {path: path.read_bytes() for path in stack.data.rglob("*") if path.is_file()}
    assert all(any(task.encode() in data for data in held.values()) for task in tasks)
    assert [path for path, data in held.items() if any(word in data for word in secret)] == []
