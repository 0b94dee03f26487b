"""Paying inside WeChat with an official account: WeChat says who pays, then shows its own sheet over our page.

WeChat's browser and its authorization page are played by the test; the site, the API and the wallet are real.
"""

from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests.api.paying import PAID, Buyer, buyer
from tests.gateways.shop import Shop, opened

AGENT = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0 Mobile MicroMessenger/8.0.47"
BRIDGE = """window.WeixinJSBridge = {
  invoke: (name, request, done) => pressed(name, request).then((word) => done({err_msg: `${name}:${word}`})),
}"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory, redis_server):
    folder = tmp_path_factory.mktemp("weixin")
    with opened(folder, f"sqlite+aiosqlite:///{folder / 'shop.db'}", "public key") as running:
        yield running


@pytest.fixture
def ann(shop: Shop) -> Buyer:
    return buyer(shop.server)


@pytest.fixture
def hand(browser, shop: Shop):
    """A page in WeChat's browser whose owner authorizes silently; `rounds` and `sheets` tell what WeChat saw."""
    context = browser.new_context(user_agent=AGENT, locale="zh-CN", viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.rounds, page.sheets, page.complaints = [], [], []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))

    def authorize(route: Route) -> None:
        asked = dict(parse_qsl(urlsplit(route.request.url).query))
        code, openid = shop.weixin.authorized()
        page.rounds.append((code, openid))
        back = f"{asked['redirect_uri']}&code={code}&state={asked['state']}"
        route.fulfill(content_type="text/html", body=f"<script>location.replace({back!r})</script>")

    def pressed(name: str, request: dict[str, str]) -> str:
        page.sheets.append((name, request))
        if len(page.sheets) == 1:
            return "cancel"
        shop.weixin.pay(request["package"].removeprefix("prepay_id=wx"))
        return "ok"

    page.route("https://open.weixin.qq.com/**", authorize)
    page.expose_function("pressed", pressed)
    page.add_init_script(BRIDGE)
    yield page
    context.close()
    assert page.complaints == []


def test_scanned_by_wechat_itself(shop: Shop, ann: Buyer, hand) -> None:
    """One silent round, the sheet; who cancels sees the price and may press again, without another round."""
    made = ann.preorder()
    hand.goto(made["unionUrl"])
    expect(hand.get_by_test_id("cashier")).to_be_visible()
    expect(hand.get_by_test_id("pay-amount")).to_have_text("¥19")
    ((_, openid),) = hand.rounds
    assert "code=" not in hand.url and f"openid={openid}" in hand.url, "a reload needs no code that is spent"
    hand.get_by_test_id("cashier-weixin").click()
    expect(hand.get_by_test_id("pay-paid")).to_be_visible()
    assert [name for name, _ in hand.sheets] == ["getBrandWCPayRequest"] * 2 and len(hand.rounds) == 1
    number = dict(parse_qsl(urlsplit(hand.url).query))["orderNo"]
    assert shop.weixin.orders[number].asked["payer"] == {"openid": openid}
    assert ann.status(number) == PAID and ann.member()["active"]


def test_a_spent_code_is_no_endless_round(shop: Shop, ann: Buyer, hand) -> None:
    hand.goto(f"{ann.preorder()['unionUrl']}&code=spent")
    expect(hand.get_by_test_id("pay-trouble")).to_be_visible()
    assert hand.rounds == []
    hand.get_by_test_id("retry").click()
    hand.get_by_test_id("cashier-weixin").click()
    hand.wait_for_url("**openid=**")
    expect(hand.get_by_test_id("cashier")).to_be_visible()
    assert len(hand.rounds) == 1
