"""Buying a membership: each wallet, on a desktop and by a phone, and what can go wrong with money."""

import re
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from tests.site.audit import chinese, violations
from tests.site.conftest import DESKTOP_ONLY, visiting
from tests.site.people import arrive_as, person_of, scanned, sign_in_by_dialog
from tests.stack import Person

PHONE = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36"
AGENTS = {"weixin": f"{PHONE} MicroMessenger/8.0.47", "alipay": f"{PHONE} AliApp(AP/10.5) AlipayClient/10.5.60"}


@pytest.fixture
def account(stack):
    person = Person(stack.address)
    person.sign_in(stack.log)
    return person


@pytest.fixture
def buyer(desk, account):
    """Somebody signed in on a desktop."""
    arrive_as(desk, account)
    return desk


@pytest.fixture
def phone(browser, stack):
    """A second device, where nobody is signed in; its agent is given."""
    with ExitStack() as hands:
        yield lambda agent=PHONE: hands.enter_context(visiting(browser, stack, "phone", user_agent=agent))


def choose_package(visitor, path="/PdfCompress"):
    """To the payment of the package that is offered first."""
    visitor.open(path)
    visitor.see("membership-button").first.click()
    visitor.see("buy").click()
    expect(visitor.see("payment-dialog")).to_be_visible()
    expect(visitor.see("pay-scan").locator("img")).to_be_visible()


def leave_unpaid(visitor):
    """An Alipay order that was opened and not paid; its number."""
    choose_package(visitor)
    with visitor.page.expect_popup() as opened:
        visitor.see("pay-alipay").click()
    opened.value.wait_for_url("**/sandbox/cashier**")
    opened.value.close()
    visitor.open("/Orders")
    expect(visitor.see("order")).to_have_count(1)
    return visitor.see("order").get_attribute("data-order")


def is_member(visitor):
    """The page knows at once, and so does the API."""
    expect(visitor.see("member-badge").first).to_be_visible()
    return person_of(visitor.page, visitor.address).get("/api/user/user/getUserRights", toolId=1)["rank"] == "member"


def test_alipay_on_a_desktop(buyer):
    choose_package(buyer)
    with buyer.page.expect_popup() as opened:
        buyer.see("pay-alipay").click()
    page = opened.value
    page.get_by_test_id("cashier-pay").click()
    expect(page.get_by_test_id("pay-paid")).to_be_visible()
    assert "/pay/union?orderNo=" in page.url
    expect(buyer.see("paid")).to_be_visible()
    assert is_member(buyer)


def test_weixin_on_a_desktop_is_scanned_by_a_phone(buyer, phone):
    choose_package(buyer)
    buyer.see("pay-weixin").click()
    expect(buyer.see("pay-scan")).to_have_attribute("data-wallet", "weixin")
    hand = phone(AGENTS["weixin"])
    hand.page.goto(scanned(buyer.see("pay-scan").locator("img")))
    hand.see("cashier-pay").click()
    # The code is WeChat's own: it brings no key for our page along.
    expect(hand.see("pay-unknown")).to_contain_text("下单的页面")
    assert "/pay/weixin?orderNo=" in hand.page.url
    expect(buyer.see("paid")).to_be_visible()
    assert is_member(buyer)


def test_what_another_order_paid_is_not_offered_again(buyer, account):
    """Both wallets were opened for one purchase, and one of them paid it."""
    package = account.get("/api/member/memberpackage/getMemberPackage")["packages"][0]["id"]
    preorder = account.get("/api/member/preorder/createPreorder", packageId=package)["preorderId"]
    account.get("/api/member/order/createWeixinOrder", preorderId=preorder, channel="native")
    opened = account.get("/api/member/order/createAlipayOrder", preorderId=preorder, channel="page")
    buyer.page.goto(opened["payUrl"])
    buyer.see("cashier-pay").click()
    expect(buyer.see("pay-paid")).to_be_visible()
    buyer.open("/Orders")
    expect(buyer.page.locator('[data-testid=order][data-status="2"]')).to_have_count(1)
    expect(buyer.see("pay-again")).to_have_count(0)


@pytest.mark.parametrize("wallet", ["weixin", "alipay"])
def test_either_wallet_scans_the_same_code(buyer, phone, wallet):
    """The union page goes on by itself in the wallet's own browser."""
    choose_package(buyer)
    expect(buyer.see("pay-scan")).to_have_attribute("data-wallet", "both")
    hand = phone(AGENTS[wallet])
    hand.page.goto(scanned(buyer.see("pay-scan").locator("img")))
    hand.see("cashier-pay").click()
    expect(hand.see("pay-paid")).to_be_visible()
    expect(hand.see("paid-elsewhere")).to_be_visible()
    assert ("/pay/weixin" if wallet == "weixin" else "/pay/union") in hand.page.url
    assert hand.complaints == []
    expect(buyer.see("paid")).to_be_visible()
    assert is_member(buyer)


@pytest.mark.parametrize("wallet", ["weixin", "alipay"])
def test_another_browser_chooses_by_two_big_buttons(buyer, phone, wallet):
    choose_package(buyer)
    hand = phone()
    hand.page.goto(scanned(buyer.see("pay-scan").locator("img")))
    expect(hand.see("cashier")).to_be_visible()
    for each in ("weixin", "alipay"):
        assert hand.see(f"cashier-{each}").bounding_box()["height"] >= 56
    hand.see(f"cashier-{wallet}").click()
    hand.see("cashier-pay").click()
    expect(hand.see("pay-paid")).to_be_visible()
    expect(buyer.see("paid")).to_be_visible()
    hand.page.goto(hand.address + "/pay/union")
    expect(hand.see("pay-broken")).to_be_visible()


def test_pay_again_from_the_orders_is_the_same_order(buyer):
    number = leave_unpaid(buyer)
    order = buyer.see("order")
    expect(order.get_by_test_id("order-state")).to_have_text("待支付")
    expect(order.get_by_test_id("pay-before")).to_have_text(re.compile(r"请在 (2\d|30) 分钟内支付"))
    order.get_by_test_id("pay-again").click()
    expect(buyer.see("pay-amount")).to_have_text("¥118")
    buyer.see("cashier-alipay").click()
    buyer.see("cashier-pay").click()
    expect(buyer.see("pay-paid")).to_contain_text(number)
    buyer.see("to-orders").click()
    expect(buyer.see("order")).to_have_count(1)
    expect(buyer.see("order")).to_have_attribute("data-order", number)
    expect(buyer.see("order-state")).to_have_text("已支付")
    expect(buyer.see("order-amount")).to_have_text("¥118")
    assert is_member(buyer)


def test_a_failed_payment_is_explained_and_tried_again(buyer, phone):
    choose_package(buyer)
    hand = phone(AGENTS["alipay"])
    hand.page.goto(scanned(buyer.see("pay-scan").locator("img")))
    hand.see("cashier-fail").click()
    expect(hand.see("pay-error")).to_contain_text("拒绝")
    assert "/pay/error?" in hand.page.url
    assert not person_of(buyer.page, buyer.address).get("/api/user/user/getUser")["member"]["active"]
    hand.see("pay-again").click()
    hand.see("cashier-pay").click()
    expect(hand.see("pay-paid")).to_be_visible()
    expect(buyer.see("paid")).to_be_visible()


def test_a_failed_payment_of_somebody_signed_in_leads_back_to_the_same_price(buyer):
    leave_unpaid(buyer)
    buyer.see("pay-again").click()
    buyer.see("cashier-weixin").click()
    expect(buyer.see("pay-code")).to_be_visible()
    buyer.page.goto(scanned(buyer.see("pay-code").locator("img")))
    buyer.see("cashier-fail").click()
    expect(buyer.see("pay-error")).to_be_visible()
    expect(buyer.see("pay-again")).to_have_text("再试一次")
    buyer.see("pay-again").click()
    expect(buyer.see("cashier")).to_be_visible()


def test_a_payment_that_nobody_told_us_of_is_found_by_asking(buyer, stack):
    number = leave_unpaid(buyer)
    other = buyer.page.context.new_page()
    other.goto(f"{stack.address}/sandbox/cashier?orderNo={number}")
    other.get_by_test_id("cashier-silent").click()
    other.wait_for_url("**/pay/union?*")
    buyer.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(buyer.see("order-state")).to_have_text("已支付")
    assert is_member(buyer)


@DESKTOP_ONLY
def test_orders_are_for_accounts_and_lead_to_the_packages(visitor, stack):
    visitor.open("/Orders")
    expect(visitor.see("signed-out")).to_be_visible()
    sign_in_by_dialog(visitor, stack)
    expect(visitor.see("empty")).to_be_visible()
    visitor.see("see-packages").click()
    expect(visitor.see("membership-dialog")).to_be_visible()


def test_a_stranger_sees_nothing_of_an_order(buyer, phone):
    number = leave_unpaid(buyer)
    hand = phone()
    for path in ("/pay/union", "/pay/weixin"):
        hand.open(f"{path}?orderNo={number}")
        expect(hand.see("pay-unknown")).to_be_visible()
    hand.open("/pay/union?preorderId=nothing&key=wrong")
    hand.see("cashier-alipay").click()
    expect(hand.see("pay-expired")).to_be_visible()


@pytest.fixture
def english(browser, stack):
    """Somebody with a phone who asked for less motion."""
    with visiting(browser, stack, "phone", reduced_motion="reduce") as made:
        yield made


def test_english_and_axe(english, account):
    arrive_as(english, account)
    account.http.headers["Accept-Language"] = "en"
    held = account.get("/api/member/preorder/createPreorder", packageId="year")
    assert "/en/pay/union?" in held["unionUrl"]
    seen = []

    def check(testid):
        expect(english.see(testid).first).to_be_visible()
        seen.extend((testid, line) for line in (*violations(english.page), *chinese(english.page)))

    english.page.goto(held["unionUrl"])
    check("cashier")
    english.see("cashier-alipay").click()
    english.page.wait_for_url("**/sandbox/cashier**")
    english.open("/en/Orders")
    check("order")
    english.see("pay-again").click()
    english.see("cashier-alipay").click()
    english.see("cashier-fail").click()
    check("pay-error")
    english.see("pay-again").click()
    english.see("cashier-alipay").click()
    english.see("cashier-pay").click()
    check("pay-paid")
    assert "/en/pay/union" in english.page.url
    english.open("/en/pay/union")
    check("pay-broken")
    english.open("/en/pay/weixin?orderNo=nothing")
    check("pay-unknown")
    assert seen == []
