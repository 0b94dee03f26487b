"""The membership dialog: what leads to it, and how far it goes before money moves."""

import re

import pytest
from playwright.sync_api import expect

from tests import make
from tests.signing_in import new_account
from tests.site.account import a_minute_later, ask_for_code, bring, let_expire, member, sign_in
from tests.stack import Person

pytestmark = pytest.mark.usefixtures("one_day")


def use_tries_up(person, folder):
    """Every free try of today, at the API."""
    paper = make.text(folder / "页.pdf", 1)
    for _ in range(person.get("/api/user/user/getUserRights")["remainingTries"]):
        assert person.create(1, person.upload(paper))["code"] == 200


def buy(desk):
    """Pay in the cashier what the open dialog offers, and come back."""
    desk.see("buy").click()
    with desk.page.expect_popup() as opened:
        desk.see("pay-alipay").click()
    opened.value.get_by_test_id("cashier-pay").click()
    expect(desk.see("paid")).to_contain_text("会员有效期至")
    desk.see("paid-go").click()
    expect(desk.page.locator("dialog[open]")).to_have_count(0)


def refused(desk, person, tmp_path):
    bring(desk, person, "/PdfRotate")
    desk.drop(make.text(tmp_path / "一.pdf", 1))
    desk.start()
    expect(desk.see("membership-dialog")).to_be_visible()


def test_too_many_documents_lead_to_membership(desk, stack, tmp_path):
    sign_in(desk, stack, new_account())
    desk.open("/PdfCompress")
    papers = [make.text(tmp_path / f"{number}.pdf", 1) for number in range(2)]
    desk.see("file-input").first.set_input_files([str(paper) for paper in papers])
    desk.see("more-documents").click()
    expect(desk.see("dialog-title")).to_have_text("批量处理需要会员")
    expect(desk.see("plan")).to_have_count(3)
    expect(desk.see("plan").first.locator("s")).to_have_text(re.compile("¥"))


def test_no_try_left_leads_to_membership(desk, stack, tmp_path):
    person = Person(stack.address)
    person.sign_in(stack.log)
    use_tries_up(person, tmp_path)
    refused(desk, person, tmp_path)
    expect(desk.see("dialog-title")).to_have_text("今天的免费次数用完了")


def test_an_ended_membership_leads_to_its_renewal(desk, stack, tmp_path):
    person = member(stack, new_account())
    let_expire(stack, person.get("/api/user/user/getUser")["id"])
    use_tries_up(person, tmp_path)
    refused(desk, person, tmp_path)
    expect(desk.see("dialog-title")).to_have_text("会员已到期")
    expect(desk.see("buy")).to_have_text("立即续费")
    buy(desk)
    expect(desk.see("done")).to_be_visible()


def test_a_visitor_signs_in_before_buying(visitor, stack):
    visitor.open("/About")
    visitor.page.evaluate("document.dispatchEvent(new CustomEvent('papercrane:restriction', {detail: 1}))")
    visitor.see("plan").first.click()
    price = visitor.see("total").text_content()
    visitor.see("buy").click()
    visitor.see("code-field").fill(ask_for_code(visitor, stack, new_account()))
    expect(visitor.see("payment-dialog")).to_be_visible()
    expect(visitor.see("amount")).to_have_text(price)
    expect(visitor.see("pay-alipay")).to_be_enabled()


def test_a_member_who_was_not_signed_in_need_not_buy(desk, stack):
    account = new_account()
    member(stack, account)
    a_minute_later(stack)
    desk.open("/About")
    desk.page.evaluate("document.dispatchEvent(new CustomEvent('papercrane:restriction', {detail: 1}))")
    desk.see("buy").click()
    desk.see("code-field").fill(ask_for_code(desk, stack, account))
    expect(desk.see("account-button")).to_be_visible()
    expect(desk.page.locator("dialog[open]")).to_have_count(0)
    expect(desk.see("member-badge")).to_be_visible()


def test_a_price_that_is_no_longer_held(desk, stack):
    """Half an hour later the dialog offers to order again."""
    person = Person(stack.address)
    person.sign_in(stack.log)
    desk.page.clock.install()
    bring(desk, person, "/About")
    desk.page.evaluate("document.dispatchEvent(new CustomEvent('papercrane:restriction', {detail: 1}))")
    desk.see("buy").click()
    expect(desk.see("pay-weixin")).to_be_enabled()
    desk.see("pay-weixin").click()
    expect(desk.see("pay-scan")).to_have_attribute("data-wallet", "weixin")
    desk.page.clock.fast_forward(31 * 60_000)
    expect(desk.see("pay-expired")).to_be_visible()
    desk.see("pay-renew").click()
    expect(desk.see("pay-scan")).to_have_attribute("data-wallet", "both")
    expect(desk.see("pay-alipay")).to_be_enabled()


def test_paying_is_noticed_without_a_reload(desk, stack):
    person = Person(stack.address)
    person.sign_in(stack.log)
    bring(desk, person, "/PdfRotate")
    desk.see("membership-button").click()
    buy(desk)
    expect(desk.see("member-badge")).to_be_visible()
