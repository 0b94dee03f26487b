"""Accounts as people use them: signing in by code and by phone, other tabs, limits, and the end of an account."""

import re
import sqlite3
import time

import pytest
from playwright.sync_api import expect

from tests.signing_in import code_for, codes_in, new_account
from tests.site.account import a_minute_later, ask_for_code, bring, masked, member, sign_in
from tests.site.audit import violations
from tests.site.conftest import DESKTOP_ONLY, PHONE_ONLY, visiting
from tests.stack import Person


@pytest.mark.parametrize(("visitor", "language"), [("desktop", ""), ("phone", "/en")], indirect=["visitor"])
def test_signing_in_by_code(visitor, stack, language):
    account = new_account()
    sign_in(visitor, stack, account, f"{language}/PdfRotate")
    expect(visitor.see("sign-in-dialog")).to_have_count(0)
    visitor.see("account-button").click()
    expect(visitor.see("menu-account")).to_have_text(masked(account))
    expect(visitor.see("menu-standing")).to_have_text("Free account" if language else "免费账号")
    visitor.page.reload()
    expect(visitor.see("account-button")).to_be_visible()
    expect(visitor.see("sign-in")).to_be_hidden()


@PHONE_ONLY
def test_a_mobile_number_signs_in_too(visitor, stack):
    account = f"139{time.time_ns() // 1000 % 10**8:08d}"
    visitor.open("/About").see("sign-in").click()
    visitor.see("code-field").fill(ask_for_code(visitor, stack, account))
    visitor.see("account-button").click()
    expect(visitor.see("menu-account")).to_have_text(f"139****{account[-4:]}")


@DESKTOP_ONLY
def test_who_never_signed_in_is_not_asked_about(visitor):
    asked = []
    visitor.page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    visitor.open("/PdfRotate")
    expect(visitor.see("sign-in")).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    assert asked == []


@pytest.mark.parametrize(("language", "sentence"), [("", "验证码"), ("/en", "code is wrong")])
def test_a_wrong_code(desk, stack, language, sentence):
    account = new_account()
    desk.open(f"{language}/About").see("sign-in").click()
    right = ask_for_code(desk, stack, account)
    desk.see("code-field").fill("000000" if right != "000000" else "111111")
    expect(desk.see("account-error")).to_contain_text(sentence)
    desk.see("code-field").fill(right)
    expect(desk.see("account-button")).to_be_visible()


def test_an_account_that_is_none(desk):
    desk.open("/About").see("sign-in").click()
    desk.see("send-code").click()
    expect(desk.see("account-error")).to_have_text("请先填写邮箱或手机号。")
    desk.see("account-field").fill("nobody")
    desk.see("send-code").click()
    expect(desk.see("account-error")).not_to_have_text("请先填写邮箱或手机号。")
    expect(desk.see("account-field")).to_have_attribute("aria-invalid", "true")


def test_another_code_only_after_a_minute(desk, stack):
    account = new_account()
    desk.page.clock.install()
    desk.open("/About").see("sign-in").click()
    ask_for_code(desk, stack, account)
    expect(desk.see("send-code")).to_be_disabled()
    expect(desk.see("send-code")).to_contain_text(re.compile(r"60|5\d"))
    desk.page.clock.fast_forward(61_000)
    expect(desk.see("send-code")).to_be_enabled()


def test_signing_in_by_keyboard_alone(desk, stack):
    account = new_account()
    desk.open("/About").see("sign-in").focus()
    desk.page.keyboard.press("Enter")
    expect(desk.see("account-field")).to_be_focused()
    desk.page.keyboard.type(account)
    desk.page.keyboard.press("Tab")
    desk.page.keyboard.press("Tab")
    desk.page.keyboard.press("Enter")
    expect(desk.see("code-field")).to_be_focused()
    desk.page.keyboard.type(code_for(stack.log, account))
    expect(desk.see("account-button")).to_be_visible()


def test_escape_closes_the_dialog_and_gives_the_focus_back(desk):
    desk.open("/About").see("sign-in").click()
    expect(desk.see("sign-in-dialog")).to_be_visible()
    desk.page.keyboard.press("Escape")
    expect(desk.see("sign-in-dialog")).to_have_count(0)
    expect(desk.see("sign-in")).to_be_focused()


@pytest.fixture
def phone(browser, stack):
    """Somebody's phone beside the desktop."""
    with visiting(browser, stack, "phone") as made:
        yield made


def scan(desk, phone, stack, account):
    """The phone scans the QR code on the desktop and signs in to see the request."""
    desk.open("/About").see("sign-in").click()
    panel = desk.see("qr-panel")
    expect(desk.see("qr")).to_be_visible()
    assert desk.see("qr").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    phone.page.goto(panel.get_attribute("data-url"))
    phone.see("code-field").fill(ask_for_code(phone, stack, account))
    expect(phone.see("qr-request")).to_contain_text("Chrome")
    expect(panel).to_have_attribute("data-phase", "scanned")


def test_signing_in_by_phone(desk, phone, stack):
    account = new_account()
    scan(desk, phone, stack, account)
    expect(phone.see("other-network")).to_have_count(0)
    phone.see("qr-confirm").click()
    expect(phone.see("qr-confirmed")).to_be_visible()
    expect(desk.see("sign-in-dialog")).to_have_count(0)
    expect(desk.see("account-name")).to_have_text(masked(account))
    assert desk.complaints == []


def test_a_phone_that_refuses(desk, phone, stack):
    scan(desk, phone, stack, new_account())
    phone.see("qr-refuse").click()
    expect(phone.see("qr-refused")).to_be_visible()
    expect(desk.see("qr-panel")).to_have_attribute("data-phase", "expired")
    desk.see("qr-renew").click()
    expect(desk.see("qr-panel")).to_have_attribute("data-phase", "waiting")
    expect(desk.see("account-button")).to_be_hidden()


def test_a_code_that_is_over(desk, stack):
    sign_in(desk, stack, new_account())
    desk.open("/UserInfo?qrId=nothing")
    expect(desk.see("qr-over")).to_be_visible()


def test_another_tab_follows(desk, stack):
    account = new_account()
    desk.open("/About")
    other = desk.page.context.new_page()
    other.goto(desk.address + "/en/PdfRotate")
    expect(other.get_by_test_id("sign-in")).to_be_visible()
    sign_in(desk, stack, account)
    expect(other.get_by_test_id("account-name")).to_have_text(masked(account))
    desk.see("account-button").click()
    desk.see("sign-out").click()
    expect(desk.see("sign-in")).to_be_visible()
    expect(other.get_by_test_id("sign-in")).to_be_visible()


@DESKTOP_ONLY
def test_signing_out_ends_the_session(visitor, stack):
    sign_in(visitor, stack, new_account())
    visitor.see("account-button").click()
    visitor.see("sign-out").click()
    expect(visitor.see("sign-in")).to_be_visible()
    assert [each["name"] for each in visitor.page.context.cookies() if each["name"] == "session"] == []
    visitor.page.reload()
    expect(visitor.see("sign-in")).to_be_visible()


@DESKTOP_ONLY
def test_the_page_of_the_account_asks_a_visitor_to_sign_in(visitor, stack):
    account = new_account()
    visitor.open("/UserInfo")
    expect(visitor.see("sign-in-dialog")).to_be_visible()
    visitor.page.keyboard.press("Escape")
    visitor.see("sign-in-page").click()
    visitor.see("code-field").fill(ask_for_code(visitor, stack, account))
    expect(visitor.see("masked-account")).to_have_text(masked(account))
    expect(visitor.see("standing")).to_have_attribute("data-kind", "none")
    visitor.see("row-sign-out").click()
    expect(visitor.see("sign-in-first")).to_be_visible()


def confirm(visitor, stack, account):
    """Have a code sent to the own account, tick and press the button."""
    a_minute_later(stack)
    before = len(codes_in(stack.log, account))
    visitor.see("send-code").click()
    visitor.see("code-field").fill(code_for(stack.log, account, before=before))
    visitor.see("agree").check()
    visitor.see("confirm").click()


def own_page(visitor, person):
    bring(visitor, person, "/UserInfo")
    expect(visitor.see("user-info")).to_be_visible()


@DESKTOP_ONLY
def test_membership_is_transferred(visitor, stack):
    giver, taker = new_account(), new_account()
    own_page(visitor, member(stack, giver))
    expect(visitor.see("standing")).to_have_attribute("data-kind", "active")
    visitor.see("row-transfer").click()
    visitor.see("account-field").fill(taker)
    confirm(visitor, stack, giver)
    expect(visitor.see("transfer-done")).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(visitor.see("standing")).not_to_have_attribute("data-kind", "active")
    expect(visitor.see("row-transfer")).to_have_count(0)
    receiver = Person(stack.address)
    assert receiver.sign_in(stack.log, taker)["member"]["active"]


def what_is_left(stack, user):
    """Numbers of the orders without an owner; nothing else may speak of the user."""
    with sqlite3.connect(stack.data / "papercrane.db", timeout=20) as database:
        assert not database.execute("SELECT 1 FROM account WHERE id = ?", (user,)).fetchall()
        assert user not in "".join(database.iterdump())
        return [number for (number,) in database.execute("SELECT number FROM orders WHERE account_id IS NULL")]


@PHONE_ONLY
def test_an_account_is_deleted(visitor, stack):
    account = new_account()
    person = member(stack, account)
    user = person.get("/api/user/user/getUser")["id"]
    (order,) = person.get("/api/member/order/getUserOrders")["items"]
    own_page(visitor, person)
    visitor.see("row-delete").click()
    confirm(visitor, stack, account)
    expect(visitor.see("account-deleted")).to_be_visible()
    assert order["orderNo"] in what_is_left(stack, user)
    assert person.call("GET", "/api/user/user/getUser")["code"] == 401
    visitor.open("/About")
    expect(visitor.see("sign-in")).to_be_visible()


def test_nothing_is_deleted_without_the_tick_and_the_code(desk, stack):
    person = Person(stack.address)
    person.sign_in(stack.log)
    own_page(desk, person)
    desk.see("row-delete").click()
    desk.see("confirm").click()
    expect(desk.see("account-error")).to_have_text("请填写 6 位验证码。")
    desk.see("code-field").fill("123456")
    desk.see("confirm").click()
    expect(desk.see("account-error")).to_have_text("请先勾选确认。")
    desk.see("agree").check()
    desk.see("confirm").click()
    expect(desk.see("account-error")).to_contain_text("验证码")
    assert person.call("GET", "/api/user/user/getUser")["code"] == 200


@pytest.fixture
def calm(request, browser, stack):
    """Somebody who asked for less motion."""
    with visiting(browser, stack, request.param, reduced_motion="reduce") as made:
        yield made


@pytest.mark.parametrize(("calm", "language"), [("desktop", ""), ("phone", "/en")], indirect=["calm"])
def test_axe_finds_nothing(calm, stack, language):
    calm.open(f"{language}/About").see("sign-in").click()
    expect(calm.see("code-form")).to_be_visible()
    assert violations(calm.page) == []
    calm.see("send-code").click()
    expect(calm.see("account-error")).to_be_visible()
    assert violations(calm.page) == []
    calm.page.keyboard.press("Escape")
    calm.page.evaluate("document.dispatchEvent(new CustomEvent('papercrane:restriction', {detail: 2}))")
    expect(calm.see("plan")).to_have_count(3)
    assert violations(calm.page) == []
    calm.see("buy").click()
    calm.see("code-field").fill(ask_for_code(calm, stack, new_account()))
    expect(calm.see("pay-alipay")).to_be_enabled()
    assert violations(calm.page) == []
    calm.page.keyboard.press("Escape")
    calm.see("account-button").click()
    assert violations(calm.page) == []
    calm.open(f"{language}/UserInfo").see("row-delete").click()
    assert violations(calm.page) == []
