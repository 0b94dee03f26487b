"""Buying a membership in the sandbox, as a person, their phone and a stranger see it."""

import re
import time
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from jsonschema import Draft202012Validator

from tests.api.conftest import ONE_SERVER, Server, Visitor
from tests.api.paying import (
    CHANNEL,
    CLOSED,
    NOTIFY,
    ORDER,
    ORDERS,
    PACKAGES,
    PAID,
    PREORDER,
    PRICE,
    STATUS,
    UNPAID,
    WALLETS,
    Buyer,
    buyer,
    place,
    press,
    rows_of,
)


@pytest.fixture
def ann(each_server: Server) -> Buyer:
    return buyer(each_server)


def test_packages_are_shown_to_everybody_in_their_language(server: Server, visitor: Visitor) -> None:
    shown = visitor.data(PACKAGES)
    assert [(each["id"], each["months"], each["name"]) for each in shown["packages"]] == [
        ("month", 1, "月度会员"),
        ("quarter", 3, "季度会员"),
        ("year", 12, "年度会员"),
    ]
    assert all(0 < each["price"] < each["originalPrice"] and each["perks"] for each in shown["packages"])
    assert shown["membership"] is None
    visitor.http.headers["Accept-Language"] = "en-GB"
    assert [each["name"] for each in visitor.data(PACKAGES)["packages"]] == ["Monthly", "Quarterly", "Yearly"]


@pytest.mark.parametrize("wallet", WALLETS)
def test_who_pays_is_a_member(ann: Buyer, wallet: str) -> None:
    assert ann.browser.data(PACKAGES)["membership"] == {
        "active": False,
        "expired": False,
        "expiresAt": None,
        "packageName": None,
    }
    assert ann.browser.data("/api/user/user/getUserRights")["maxDocuments"] == 1, "which is remembered now"
    preorder = ann.preorder("quarter")
    assert 29 * 60_000 < preorder["expiresAt"] - time.time() * 1000 <= 30 * 60_000
    order = ann.order(wallet, preorder["preorderId"])
    assert (order["amount"], order["packageName"]) == (preorder["amount"], "季度会员")
    assert ann.status(order["orderNo"]) == UNPAID
    page = {"alipay": "/pay/union", "weixin": "/pay/weixin"}[wallet]
    assert place(press(order, "pay")) == (page, {"orderNo": order["orderNo"]})
    # The notification did it, before anybody asked.
    assert ann.events(order["orderNo"]) == [("created", ""), ("paid", "")]
    status = ann.browser.data(STATUS)
    assert (status["orderNo"], status["status"], status["amount"]) == (order["orderNo"], PAID, 4500)
    assert abs(status["paidAt"] - time.time() * 1000) < 60_000
    member = ann.member()
    assert member["active"] and member["packageName"] == "季度会员"
    assert 89 < (member["expiresAt"] - time.time() * 1000) / 86_400_000 < 93
    assert ann.browser.data("/api/user/user/getUserRights")["maxDocuments"] == 50


@ONE_SERVER
@pytest.mark.parametrize("wallet", WALLETS)
def test_a_lost_notification_is_found_by_asking(ann: Buyer, wallet: str) -> None:
    order = ann.order(wallet)
    press(order, "silent")
    assert ann.events(order["orderNo"]) == [("created", "")]
    assert ann.status(order["orderNo"]) == PAID
    assert ann.member()["active"]


def test_a_payment_that_fails_changes_nothing(ann: Buyer) -> None:
    ann.browser.http.headers["Accept-Language"] = "en"
    order = ann.order("alipay")
    path, query = place(press(order, "fail", "en"))
    assert (path, query) == ("/en/pay/error", {"orderNo": order["orderNo"], "reason": "declined"})
    assert ann.status(order["orderNo"]) == UNPAID and not ann.member()["active"]
    assert place(press(order, "pay", "en"))[0] == "/en/pay/union", "another try works"
    assert ann.status(order["orderNo"]) == PAID


def test_the_same_preorder_is_the_same_order(ann: Buyer) -> None:
    preorder = ann.preorder()["preorderId"]
    numbers = {ann.order("alipay", preorder)["orderNo"] for _ in range(3)}
    assert len(numbers) == 1
    assert ann.order("weixin", preorder)["orderNo"] not in numbers
    assert re.fullmatch(r"[0-9A-Z]{32}", numbers.pop())


def test_a_paid_preorder_is_not_sold_again(ann: Buyer) -> None:
    order = ann.buy()
    preorder = ann.browser.data(ORDERS)["items"][0]["preorderId"]
    for wallet in WALLETS:
        answer = ann.browser.ask("GET", ORDER[wallet], params={"preorderId": preorder, "channel": CHANNEL[wallet]})
        assert (answer.status_code, answer.json()["data"]["reason"]) == (403, "already_paid")
    page = httpx.get(order["payUrl"])
    assert "已付款" in page.text and "<form" not in page.text


@ONE_SERVER
def test_the_price_is_kept_half_an_hour(ann: Buyer) -> None:
    preorder = ann.preorder()["preorderId"]
    order = ann.order("alipay", preorder)
    for table in ("preorder", "orders"):
        statement = f"UPDATE {table} SET expires_at = :now WHERE {'id' if table == 'preorder' else 'number'} = :id"
        identity = preorder if table == "preorder" else order["orderNo"]
        rows_of(ann.server, statement, now=int(time.time() * 1000) - 1, id=identity)
    answer = ann.browser.ask("GET", ORDER["alipay"], params={"preorderId": preorder, "channel": "page"})
    assert answer.json()["data"]["reason"] == "preorder_expired"
    (listed,) = ann.browser.data(ORDERS)["items"]
    assert listed["status"] in (UNPAID, CLOSED) and not listed["payable"]


def test_both_wallets_paid_for_one_preorder(ann: Buyer) -> None:
    """One membership; the other payment is flagged."""
    preorder = ann.preorder()["preorderId"]
    first, second = (ann.order(wallet, preorder) for wallet in WALLETS)
    press(first, "pay")
    until = ann.member()["expiresAt"]
    press(second, "pay")
    assert ann.member()["expiresAt"] == until and ann.grants(preorder) == 1
    assert ann.events(second["orderNo"])[-1] == ("refund_due", "already_granted")
    assert [ann.status(each["orderNo"]) for each in (first, second)] == [PAID, PAID]


@ONE_SERVER
@pytest.mark.parametrize(("opened", "paid"), [WALLETS, WALLETS[::-1]])
def test_what_another_order_paid_is_not_offered_again(ann: Buyer, opened: str, paid: str) -> None:
    """Neither to pay nor to buy again, on whichever page it stands."""
    preorder = ann.preorder()["preorderId"]
    ann.order(opened, preorder)
    press(ann.order(paid, preorder), "pay")
    items = [ann.browser.data(ORDERS, page=page, size=1)["items"] for page in (1, 2)]
    assert [(item["wallet"], item["status"], item["payable"]) for page in items for item in page] == [
        (paid, PAID, False)
    ]
    assert ann.browser.data(ORDERS)["total"] == 1


def test_memberships_add_up(ann: Buyer) -> None:
    ann.buy("alipay", "month")
    first = ann.member()["expiresAt"]
    ann.buy("weixin", "year")
    assert 364 <= (ann.member()["expiresAt"] - first) / 86_400_000 <= 366
    assert ann.member()["packageName"] == "年度会员"


@ONE_SERVER
def test_a_phone_that_scanned_pays_without_signing_in(ann: Buyer) -> None:
    made = ann.preorder()
    link = urlsplit(made["unionUrl"])
    assert link.path == "/pay/union" and made["unionSvg"].startswith("<svg")
    opened = dict(parse_qsl(link.query))
    phone = Visitor(ann.server.address)
    order = phone.data(ORDER["alipay"], channel="wap", **opened)
    assert phone.data(STATUS, **opened)["status"] == UNPAID
    path, query = place(press(order, "pay"))
    assert path == "/pay/union" and query.pop("orderNo") == order["orderNo"]
    # The phone comes back with what lets it see the result, and nothing else.
    assert phone.data(STATUS, **query)["status"] == PAID
    assert ann.member()["active"] and ann.browser.data(STATUS, preorderId=made["preorderId"])["status"] == PAID
    assert phone.ask("GET", USER_CALL).status_code == 401


@ONE_SERVER
def test_a_scanned_code_tells_the_price_before_any_order(ann: Buyer) -> None:
    made = ann.preorder("quarter")
    phone, opened = Visitor(ann.server.address), dict(parse_qsl(urlsplit(made["unionUrl"]).query))
    price = phone.data(PRICE, **opened)
    assert price == {name: made[name] for name in ("amount", "packageName", "months", "expiresAt")}
    assert price == ann.browser.data(PRICE, preorderId=made["preorderId"]), "the buyer needs no key"
    answer = phone.ask("GET", PRICE, params=opened, headers={"Accept-Language": "en"}).json()["data"]
    assert answer["packageName"] != price["packageName"] and phone.data(STATUS, **opened) is None


USER_CALL = "/api/user/user/getUser"


@ONE_SERVER
@pytest.mark.parametrize("key", ["", "x", "A" * 32])
def test_a_stranger_sees_and_pays_nothing(ann: Buyer, key: str) -> None:
    made, order = ann.preorder(), ann.order("alipay")
    for stranger in (buyer(ann.server).browser, Visitor(ann.server.address)):
        query = {"preorderId": made["preorderId"], **({"key": key} if key else {})}
        paths = (
            (ORDER["alipay"], {"channel": "page"}),
            (ORDER["weixin"], {"channel": "h5"}),
            (STATUS, {}),
            (PRICE, {}),
        )
        for path, more in paths:
            answer = stranger.ask("GET", path, params={**query, **more})
            assert (answer.status_code, answer.json()["data"]["reason"]) == (404, "preorder_unknown"), path
        answer = stranger.ask("GET", STATUS, params={"orderNo": order["orderNo"]})
        assert answer.json()["data"]["reason"] in ("order_unknown", "sign_in")
        mixed = stranger.ask("GET", STATUS, params={"orderNo": order["orderNo"], "preorderId": "0" * 40})
        assert mixed.json()["data"]["reason"] == "preorder_unknown"


@ONE_SERVER
def test_a_key_opens_one_preorder_only(ann: Buyer) -> None:
    one, other = (dict(parse_qsl(urlsplit(ann.preorder()["unionUrl"]).query)) for _ in range(2))
    phone = Visitor(ann.server.address)
    query = {"preorderId": one["preorderId"], "key": other["key"], "channel": "wap"}
    assert phone.ask("GET", ORDER["alipay"], params=query).json()["data"]["reason"] == "preorder_unknown"
    foreign = ann.order("alipay", other["preorderId"])["orderNo"]
    answer = phone.ask("GET", STATUS, params={**one, "orderNo": foreign})
    assert answer.json()["data"]["reason"] == "order_unknown"


def test_orders_page_by_page(ann: Buyer) -> None:
    numbers = [ann.order("alipay")["orderNo"] for _ in range(3)]
    last = ann.preorder("year")["preorderId"]
    for channel in ("page", "wap", "qr"):
        newest = ann.order("alipay", last, channel=channel)["orderNo"]
    shown = ann.browser.data(ORDERS, size=3)
    assert shown["total"] == 4, "one order a preorder and wallet is shown, whatever channels were tried"
    assert [each["orderNo"] for each in shown["items"]] == [newest, numbers[2], numbers[1]]
    assert [each["orderNo"] for each in ann.browser.data(ORDERS, size=3, page=2)["items"]] == [numbers[0]]
    first = shown["items"][0]
    assert (first["packageId"], first["packageName"], first["months"], first["amount"]) == (
        "year",
        "年度会员",
        12,
        11800,
    )
    assert (first["status"], first["wallet"], first["payable"], first["transferred"]) == (UNPAID, "alipay", True, False)
    assert buyer(ann.server).browser.data(ORDERS) == {"items": [], "total": 0}


@ONE_SERVER
def test_without_orders_there_is_no_status(ann: Buyer) -> None:
    assert ann.browser.data(STATUS) is None
    assert ann.browser.data(STATUS, preorderId=ann.preorder()["preorderId"]) is None
    assert Visitor(ann.server.address).ask("GET", STATUS).json()["data"]["reason"] == "sign_in"


@ONE_SERVER
def test_preorders_are_counted(ann: Buyer) -> None:
    answers = [ann.browser.ask("GET", PREORDER, params={"packageId": "month"}).status_code for _ in range(61)]
    assert answers == [200] * 60 + [429]
    assert ann.browser.ask("GET", PREORDER, params={"packageId": "none"}).json()["data"]["reason"] == "package_unknown"


@ONE_SERVER
def test_answers_are_as_the_document_says(ann: Buyer) -> None:
    document = httpx.get(f"{ann.server.address}/api/openapi.json").json()
    preorder = ann.preorder()["preorderId"]
    ann.buy()
    asked = {
        PACKAGES: {},
        PREORDER: {"packageId": "year"},
        PRICE: {"preorderId": preorder},
        ORDER["alipay"]: {"preorderId": preorder, "channel": "qr"},
        ORDER["weixin"]: {"preorderId": preorder, "channel": "jsapi"},
        STATUS: {"preorderId": preorder},
        ORDERS: {},
    }
    for path, query in asked.items():
        schema = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        answer = ann.browser.ask("GET", path, params=query).json()
        Draft202012Validator({**schema, "components": document["components"]}).validate(answer)


@ONE_SERVER
@pytest.mark.parametrize("wallet", WALLETS)
def test_the_cashier_needs_no_script(ann: Buyer, wallet: str) -> None:
    order = ann.order(wallet)
    for language, words in (("zh-CN", "不会真的扣款"), ("en", "nobody is charged")):
        page = httpx.get(order["payUrl"] or order["codeUrl"], headers={"Accept-Language": language})
        assert words in page.text and "¥19.00" in page.text and order["orderNo"] in page.text
        assert "<script" not in page.text and " on" + "click" not in page.text
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "form-action 'self'" in policy and "unsafe" not in policy
    assert httpx.get(f"{ann.server.address}/sandbox/cashier?orderNo=<b>x").status_code == 404


@ONE_SERVER
@pytest.mark.parametrize("wallet", WALLETS)
@pytest.mark.parametrize("body", [b"", b"{}", b"a=1&a=2", b"\xff\xfe", b"[" * 5000, b"sign=x&sign_type=RSA2"])
def test_strangers_notify_in_vain(each_server: Server, wallet: str, body: bytes) -> None:
    """Without Web-Tag, as gateways come; the answer is in their words and never a fault."""
    answer = httpx.post(each_server.address + NOTIFY[wallet], content=body)
    if wallet == "alipay":
        assert (answer.status_code, answer.text) == (200, "fail")
    else:
        assert (answer.status_code, answer.json()["code"]) == (400, "FAIL")
