"""Real wallets against gateways that speak the real wire: opening, notifying, asking, closing, trouble."""

import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.api.conftest import ONE_SHOP, Visitor
from tests.api.paying import CLOSED, ORDER, PAID, REFUNDED, STATUS, UNPAID, WALLETS, Buyer, buyer, rows_of
from tests.conftest import wait_until
from tests.gateways.shop import Shop


@pytest.fixture
def ann(shop: Shop) -> Buyer:
    return buyer(shop.server)


@pytest.fixture(autouse=True)
def fine(shop: Shop) -> None:
    shop.alipay.mood = shop.weixin.mood = "fine"


def opened(ann: Buyer, shop: Shop, wallet: str, package: str = "month") -> tuple[str, str]:
    """An order that its gateway knows: its number and its preorder."""
    preorder = ann.preorder(package)["preorderId"]
    order = ann.order(wallet, preorder)
    if order["payUrl"]:
        assert httpx.get(order["payUrl"]).status_code == 200, "the gateway takes our signature"
    return order["orderNo"], preorder


@pytest.mark.parametrize("wallet", WALLETS)
def test_paid_and_notified(shop: Shop, ann: Buyer, wallet: str) -> None:
    number, preorder = opened(ann, shop, wallet, "quarter")
    shop.gateway(wallet).pay(number)
    answers = [shop.taken(wallet, shop.gateway(wallet).post(number)) for _ in range(3)]
    assert answers == [True] * 3
    assert ann.status(number) == PAID and ann.grants(preorder) == 1
    assert ann.member()["packageName"] == "季度会员"
    kinds = [kind for kind, _ in ann.events(number)]
    assert kinds[:2] == ["created", "paid"] and kinds.count("paid") == 1 and kinds.count("repeated") >= 2
    assert abs(ann.browser.data(STATUS, orderNo=number)["paidAt"] - time.time() * 1000) < 30_000


@ONE_SHOP
@pytest.mark.parametrize(
    ("wallet", "channel"),
    [
        ("alipay", "page"),
        ("alipay", "wap"),
        ("alipay", "qr"),
        ("weixin", "native"),
        ("weixin", "h5"),
        ("weixin", "jsapi"),
    ],
)
def test_every_channel_and_the_same_order_again(shop: Shop, ann: Buyer, wallet: str, channel: str) -> None:
    preorder = ann.preorder()["preorderId"]
    query = {"preorderId": preorder, "channel": channel} | ({"openid": "oUpF8uMuAJO"} if channel == "jsapi" else {})
    first, again = (ann.browser.data(ORDER[wallet], **query) for _ in range(2))
    given = {name for name in ("payUrl", "codeUrl", "jsapi") if first[name]}
    assert given == {{"qr": "codeUrl", "native": "codeUrl", "jsapi": "jsapi"}.get(channel, "payUrl")}
    assert bool(first["codeSvg"]) == bool(first["codeUrl"])
    assert (first["orderNo"], first["codeUrl"]) == (again["orderNo"], again["codeUrl"])
    if channel == "jsapi":
        sent = again["jsapi"]
        text = f"{shop.weixin.app_id}\n{sent['timeStamp']}\n{sent['nonceStr']}\n{sent['package']}\n"
        assert sent["signType"] == "RSA" and shop.weixin.merchant.signed(text.encode(), sent["paySign"])
    if channel == "h5":
        assert f"orderNo%3D{first['orderNo']}" in first["payUrl"], "the payer comes back to us"
    if wallet == "alipay" and first["payUrl"]:
        assert all(httpx.get(each["payUrl"]).status_code == 200 for each in (first, again))
    shop.gateway(wallet).pay(first["orderNo"])
    assert shop.taken(wallet, shop.gateway(wallet).post(first["orderNo"]))
    assert ann.member()["active"]


@pytest.mark.parametrize("wallet", WALLETS)
def test_a_hundred_at_once_are_one_grant(shop: Shop, ann: Buyer, wallet: str) -> None:
    number, preorder = opened(ann, shop, wallet)
    gateway = shop.gateway(wallet)
    gateway.pay(number)
    body = gateway.notification(number)
    headers = {} if wallet == "alipay" else {"headers": gateway.signature(body)}
    with ThreadPoolExecutor(100) as pool:
        answers = list(pool.map(lambda _: gateway.post(number, body, **headers), range(100)))
    taken = [shop.taken(wallet, each) for each in answers]
    # WeChat's bear one nonce: those that come after the first has been dealt with are refused.
    assert all(taken) if wallet == "alipay" else any(taken)
    assert ann.grants(preorder) == 1
    assert [kind for kind, _ in ann.events(number)].count("paid") == 1
    until = (ann.member()["expiresAt"] - time.time() * 1000) / 86_400_000
    assert 27 < until <= 31, "one month, not more"


@ONE_SHOP
@pytest.mark.parametrize("wallet", WALLETS)
def test_a_lost_notification_is_found_when_nobody_asks(shop: Shop, ann: Buyer, wallet: str) -> None:
    number, _ = opened(ann, shop, wallet)
    shop.gateway(wallet).pay(number)
    wait_until(lambda: ann.member()["active"], what="the membership")
    assert shop.taken(wallet, shop.gateway(wallet).post(number)), "it comes after all, and changes nothing"
    assert [kind for kind, _ in ann.events(number)] == ["created", "paid", "repeated"]


@pytest.mark.parametrize("wallet", WALLETS)
def test_what_nobody_paid_is_closed_at_the_gateway(shop: Shop, ann: Buyer, wallet: str) -> None:
    number, _ = opened(ann, shop, wallet)
    expire(ann, number)
    wait_until(lambda: ann.status(number) == CLOSED, seconds=30, what="closing")
    states = {"alipay": lambda: shop.alipay.trades[number].status, "weixin": lambda: shop.weixin.orders[number].state}
    assert states[wallet]() in ("TRADE_CLOSED", "CLOSED")
    assert ann.events(number) == [("created", ""), ("closed", "")]


@ONE_SHOP
@pytest.mark.parametrize("wallet", WALLETS)
def test_two_days_late_and_closed_before(shop: Shop, ann: Buyer, wallet: str) -> None:
    """The money came, whatever we had given up: it buys the membership once."""
    number, preorder = opened(ann, shop, wallet)
    expire(ann, number)
    wait_until(lambda: ann.status(number) == CLOSED, seconds=30, what="closing")
    then = time.time() - 48 * 3600
    if wallet == "alipay":
        trade = shop.alipay.trades[number]
        trade.status, trade.paid_at = "TRADE_SUCCESS", then
    else:
        order = shop.weixin.orders[number]
        order.state, order.paid_at = "SUCCESS", then
    assert [shop.taken(wallet, shop.gateway(wallet).post(number)) for _ in range(2)] == [True, True]
    assert ann.status(number) == PAID and ann.grants(preorder) == 1 and ann.member()["active"]
    assert abs(ann.browser.data(STATUS, orderNo=number)["paidAt"] / 1000 - then) < 2


@ONE_SHOP
def test_news_in_another_order(shop: Shop, ann: Buyer) -> None:
    """Older and other news about a paid order take nothing away; news before it give nothing."""
    number, preorder = opened(ann, shop, "alipay")
    early = shop.alipay.notification(number, trade_status="WAIT_BUYER_PAY")
    assert shop.taken("alipay", shop.alipay.post(number, early)) and ann.status(number) == UNPAID
    shop.alipay.pay(number)
    assert shop.taken("alipay", shop.alipay.post(number))
    for status in ("WAIT_BUYER_PAY", "TRADE_CLOSED", "TRADE_FINISHED"):
        assert shop.taken("alipay", shop.alipay.post(number, shop.alipay.notification(number, trade_status=status)))
    assert ann.status(number) == PAID and ann.grants(preorder) == 1 and ann.member()["active"]

    number, preorder = opened(ann, shop, "weixin")
    early = shop.weixin.notification(number, trade_state="NOTPAY")
    assert shop.taken("weixin", shop.weixin.post(number, early)) and ann.grants(preorder) == 0


def test_both_wallets_paid_for_one_preorder(shop: Shop, ann: Buyer) -> None:
    preorder = ann.preorder()["preorderId"]
    numbers = []
    for wallet in WALLETS:
        order = ann.order(wallet, preorder)
        if order["payUrl"]:
            httpx.get(order["payUrl"])
        shop.gateway(wallet).pay(order["orderNo"])
        numbers.append(order["orderNo"])
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda i: shop.gateway(WALLETS[i % 2]).post(numbers[i % 2]), range(20)))
    assert ann.grants(preorder) == 1
    flagged = [kind for number in numbers for kind, _ in ann.events(number) if kind == "refund_due"]
    assert flagged == ["refund_due"]
    listed = shop.refund("--due").stdout
    assert sum(number in listed for number in numbers) == 1 and "already_granted" in listed


@pytest.mark.parametrize(
    ("shop", "mood"),
    [("sqlite", mood) for mood in ("down", "broken", "unsigned", "foreign")]
    + [("postgresql", mood) for mood in ("unsigned", "foreign")],
    indirect=["shop"],
)
@pytest.mark.parametrize("wallet", WALLETS)
def test_a_gateway_in_trouble_loses_nothing(shop: Shop, ann: Buyer, wallet: str, mood: str) -> None:
    preorder, channel = ann.preorder()["preorderId"], {"alipay": "qr", "weixin": "native"}[wallet]
    shop.gateway(wallet).mood = mood
    query = {"preorderId": preorder, "channel": channel}
    answer = ann.browser.ask("GET", ORDER[wallet], params=query)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (503, "gateway_unavailable")
    assert "retry-after" in answer.headers
    shop.gateway(wallet).mood = "fine"
    number = ann.browser.data(ORDER[wallet], **query)["orderNo"]
    shop.gateway(wallet).pay(number)
    shop.gateway(wallet).mood = mood
    assert ann.status(number) == UNPAID, "nothing is believed, nothing breaks"
    shop.gateway(wallet).mood = "fine"
    wait_until(lambda: ann.status(number) == PAID, what="the payment")
    assert ann.grants(preorder) == 1


@ONE_SHOP
def test_an_altered_answer_is_not_believed(shop: Shop, ann: Buyer) -> None:
    number, _ = opened(ann, shop, "alipay")
    shop.alipay.mood = "altered"
    before = shop.server.log.read_text().count("answer_not_signed")
    wait_until(lambda: shop.server.log.read_text().count("answer_not_signed") > before, what="a look at the answer")
    assert ann.status(number) == UNPAID and not ann.member()["active"]


@ONE_SHOP
def test_slow_gateways_are_given_up(shop: Shop, ann: Buyer) -> None:
    """By who wants to pay and by the operator who pays back; nothing has changed, and later both go."""
    paid = {wallet: opened(ann, shop, wallet)[0] for wallet in WALLETS}
    for wallet, number in paid.items():
        shop.gateway(wallet).pay(number)
        assert shop.taken(wallet, shop.gateway(wallet).post(number))
    preorder = ann.preorder()["preorderId"]
    shop.alipay.mood = shop.weixin.mood = "slow"
    with ThreadPoolExecutor(4) as pool:
        refunds = {wallet: pool.submit(shop.refund, number) for wallet, number in paid.items()}
        orders = list(pool.map(lambda wallet: given_up(ann, wallet, preorder), WALLETS))
    assert [reason for reason, _ in orders] == ["gateway_unavailable"] * 2
    assert all(took < 20 for _, took in orders)
    for wallet, number in paid.items():
        told = refunds[wallet].result()
        assert told.returncode != 0 and "Traceback" not in told.stderr and "Nothing was changed" in told.stderr
        assert ann.status(number) == PAID
        shop.gateway(wallet).mood = "fine"
        assert shop.refund(number).returncode == 0 and ann.status(number) == REFUNDED


def given_up(ann: Buyer, wallet: str, preorder: str) -> tuple[str, float]:
    """Why an order could not be made, and the seconds until that was said."""
    began = time.monotonic()
    query = {"preorderId": preorder, "channel": {"alipay": "qr", "weixin": "native"}[wallet]}
    browser = Visitor(ann.server.address)
    browser.http.cookies, browser.http.timeout = ann.browser.http.cookies, httpx.Timeout(50)
    answer = browser.ask("GET", ORDER[wallet], params=query)
    return answer.json()["data"]["reason"], time.monotonic() - began


def test_who_erased_the_account_is_not_charged_in_vain(shop: Shop, ann: Buyer) -> None:
    number, preorder = opened(ann, shop, "weixin")
    rows_of(shop.server, "DELETE FROM account WHERE id = :id", id=ann.browser.data("/api/user/user/getUser")["id"])
    shop.weixin.pay(number)
    assert shop.taken("weixin", shop.weixin.post(number))
    assert ann.events(number)[-1] == ("refund_due", "account_gone") and ann.grants(preorder) == 0


@ONE_SHOP
def test_the_log_tells_nothing(shop: Shop, ann: Buyer) -> None:
    number, _ = opened(ann, shop, "weixin")
    shop.weixin.pay(number)
    body = shop.weixin.notification(number)
    shop.weixin.post(number, body)
    shop.alipay.post(opened(ann, shop, "alipay")[0], b"sign=x&out_trade_no=secret-number")
    log = shop.server.log.read_text()
    hidden = (shop.weixin.api_key, "ciphertext", "secret-number", "BEGIN PRIVATE", "total_amount", shop.weixin.mchid)
    assert '"event": "notification' in log and not [each for each in hidden if each in log]


def expire(ann: Buyer, number: str) -> None:
    rows_of(
        ann.server, "UPDATE orders SET expires_at = :now WHERE number = :n", now=int(time.time() * 1000) - 1, n=number
    )
