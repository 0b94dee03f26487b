"""Paying inside WeChat: who pays is found out by one silent authorization, and only for who may pay."""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from tests.api.conftest import ONE_SHOP, Server, Visitor, serving
from tests.api.paying import ORDER, PREORDER, Buyer, buyer
from tests.gateways.shop import Shop

OPENID = "/api/member/pay/weixinOpenid"


@pytest.fixture
def ann(shop: Shop) -> Buyer:
    shop.alipay.mood = shop.weixin.mood = "fine"
    return buyer(shop.server)


def phone(ann: Buyer) -> tuple[Visitor, dict[str, str]]:
    """A browser that nobody has signed in to, and what the scanned code gave it."""
    return Visitor(ann.server.address), query_of(ann.preorder()["unionUrl"])


def query_of(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query))


def refused(answer: httpx.Response) -> dict[str, Any]:
    """What a refusal for want of an openid says."""
    assert (answer.status_code, answer.json()["data"]["reason"]) == (400, "openid_required"), answer.text
    return dict(answer.json()["data"])


@ONE_SHOP
def test_from_the_scanned_code_to_the_payment_sheet(shop: Shop, ann: Buyer) -> None:
    scanned, link = phone(ann)
    english = {"Accept-Language": "en"}
    data = refused(scanned.ask("GET", ORDER["weixin"], params={**link, "channel": "jsapi"}, headers=english))
    leads = urlsplit(data["authorizeUrl"])
    asked = query_of(data["authorizeUrl"])
    assert (leads.netloc, leads.path, leads.fragment) == (
        "open.weixin.qq.com",
        "/connect/oauth2/authorize",
        "wechat_redirect",
    )
    assert (asked["appid"], asked["response_type"], asked["scope"]) == (shop.weixin.app_id, "code", "snsapi_base")
    back = urlsplit(asked["redirect_uri"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == f"{shop.server.address}/en/pay/union"
    assert query_of(asked["redirect_uri"]) == link

    code, openid = shop.weixin.authorized()
    assert scanned.data(OPENID, **link, code=code) == {"openid": openid}
    order = scanned.data(ORDER["weixin"], **link, channel="jsapi", openid=openid)
    assert order["jsapi"]["package"] == f"prepay_id=wx{order['orderNo']}"
    assert shop.weixin.orders[order["orderNo"]].asked["payer"] == {"openid": openid}
    shop.weixin.pay(order["orderNo"])
    assert shop.taken("weixin", shop.weixin.post(order["orderNo"])) and ann.member()["active"]


@ONE_SHOP
def test_a_code_is_good_once(shop: Shop, ann: Buyer) -> None:
    scanned, link = phone(ann)
    code, _ = shop.weixin.authorized()
    assert scanned.ask("GET", OPENID, params={**link, "code": code}).status_code == 200
    for stale in (code, "made-up"):
        data = refused(scanned.ask("GET", OPENID, params={**link, "code": stale}))
        assert data["authorizeUrl"], "the way to another code"


@ONE_SHOP
@pytest.mark.parametrize("key", [None, "x", "A" * 32])
def test_a_stranger_learns_nothing(shop: Shop, ann: Buyer, key: str | None) -> None:
    """Neither somebody's openid nor, by the address to authorize at, the key of a preorder."""
    preorder, (code, _) = ann.preorder()["preorderId"], shop.weixin.authorized()
    query = {"preorderId": preorder, **({"key": key} if key else {})}
    for stranger in (Visitor(ann.server.address), buyer(shop.server).browser):
        for path, more in ((OPENID, {"code": code}), (ORDER["weixin"], {"channel": "jsapi"})):
            answer = stranger.ask("GET", path, params={**query, **more})
            assert (answer.status_code, answer.json()["data"]["reason"]) == (404, "preorder_unknown")
            assert "key=" not in answer.text
    assert code in shop.weixin.codes, "the code was not spent"
    assert ann.browser.data(OPENID, preorderId=preorder, code=code)["openid"], "the owner needs no key"


@ONE_SHOP
@pytest.mark.parametrize("mood", ["down", "broken"])
def test_wechat_in_trouble(shop: Shop, ann: Buyer, mood: str) -> None:
    scanned, link = phone(ann)
    code, openid = shop.weixin.authorized()
    shop.weixin.mood = mood
    answer = scanned.ask("GET", OPENID, params={**link, "code": code})
    assert (answer.status_code, answer.json()["data"]["reason"]) == (503, "gateway_unavailable")
    shop.weixin.mood = "fine"
    assert scanned.data(OPENID, **link, code=code)["openid"] == openid


@ONE_SHOP
def test_a_wrong_secret_is_no_endless_round(shop: Shop, ann: Buyer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another authorization would not help: the payer is not sent for one."""
    scanned, link = phone(ann)
    code, _ = shop.weixin.authorized()
    monkeypatch.setattr(shop.weixin, "secret", "another")
    answer = scanned.ask("GET", OPENID, params={**link, "code": code})
    assert answer.json()["data"]["reason"] == "gateway_unavailable"


@ONE_SHOP
def test_the_log_tells_neither_code_nor_payer_nor_secret(shop: Shop, ann: Buyer) -> None:
    scanned, link = phone(ann)
    code, openid = shop.weixin.authorized()
    for _ in range(2):
        scanned.ask("GET", OPENID, params={**link, "code": code})
    scanned.ask("GET", OPENID, params={**link, "code": "x" * 200})
    log = shop.server.log.read_text()
    assert not [each for each in (code, openid, shop.weixin.secret, link["key"]) if each in log]


def test_the_sandbox_asks_for_nobody(server: Server) -> None:
    scanned, link = phone(buyer(server))
    order = scanned.data(ORDER["weixin"], **link, channel="jsapi")
    assert order["payUrl"] and not order["jsapi"]
    assert scanned.ask("GET", OPENID, params={**link, "code": "x"}).status_code == 503


@pytest.mark.parametrize("host", ["merge.papercrane.example", "pdf.papercrane.example:8443"])
def test_a_sub_site_sells_at_the_whole_sites_cashier(
    tmp_path_factory: pytest.TempPathFactory, redis_server: str, host: str
) -> None:
    """Its own host serves one page only: no /pay/… is there."""
    with serving(tmp_path_factory.mktemp("sub"), HOSTS="papercrane.example,127.0.0.1") as running:
        ann, whole = buyer(running), host.partition(".")[2]
        made = ann.browser.ask("GET", PREORDER, params={"packageId": "month"}, headers={"Host": host}).json()["data"]
        assert made["unionUrl"].startswith(f"http://{whole}/pay/union?")
        query = {"preorderId": made["preorderId"], "channel": "page"}
        order = ann.browser.ask("GET", ORDER["alipay"], params=query, headers={"Host": host}).json()["data"]
        assert order["payUrl"].startswith(f"http://{whole}/sandbox/cashier?")
        deed = {"orderNo": order["orderNo"], "deed": "pay"}
        back = httpx.post(f"{running.address}/sandbox/cashier", data=deed, headers={"Host": whole}, timeout=30)
        assert back.headers["location"].startswith(f"http://{whole}/pay/union?")
        # The whole site may not know the sub-site's cookies: the key lets its page see the result.
        told = Visitor(running.address).data("/api/member/pay/checkPayStatus", **query_of(back.headers["location"]))
        assert told["status"] == 2
