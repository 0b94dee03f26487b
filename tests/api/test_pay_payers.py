"""Several people open one preorder's link inside WeChat: each gets an order that WeChat takes."""

from typing import Any

import httpx
import pytest

from api.member.orders import MOST_ORDERS
from tests.api.conftest import ONE_SHOP, Visitor
from tests.api.paying import ORDER, Buyer, buyer, rows_of
from tests.gateways.shop import Shop


@pytest.fixture
def ann(shop: Shop) -> Buyer:
    shop.alipay.mood = shop.weixin.mood = "fine"
    return buyer(shop.server)


def jsapi(ann: Buyer, preorder: str, openid: str) -> httpx.Response:
    query = {"preorderId": preorder, "channel": "jsapi", "openid": openid}
    return ann.browser.ask("GET", ORDER["weixin"], params=query)


def test_a_second_payer_gets_an_order_of_their_own(shop: Shop, ann: Buyer) -> None:
    preorder = ann.preorder()["preorderId"]
    first, second, again = (jsapi(ann, preorder, each).json()["data"] for each in ("oAnn", "oBen", "oAnn"))
    assert second["jsapi"] and second["orderNo"] != first["orderNo"]
    assert again["orderNo"] == first["orderNo"], "who comes back finds the one they had"
    numbers = [first["orderNo"], second["orderNo"]]
    assert [shop.weixin.orders[each].asked["payer"]["openid"] for each in numbers] == ["oAnn", "oBen"]
    for number in numbers:
        shop.weixin.pay(number)
        assert shop.taken("weixin", shop.weixin.post(number))
    assert ann.grants(preorder) == 1, "one membership, whoever pays first"
    assert ("refund_due", "already_granted") in ann.events(numbers[1])
    kept = rows_of(shop.server, "SELECT payer FROM orders WHERE preorder_id = :p", p=preorder)
    assert len(set(kept)) == 2 and not [each for (each,) in kept if each.startswith("o")], "nobody is named"


@ONE_SHOP
def test_a_phone_that_changes_its_network_can_still_pay(shop: Shop, ann: Buyer) -> None:
    """WeChat's h5 orders name the payer's address."""
    query = {"preorderId": ann.preorder()["preorderId"], "channel": "h5"}
    before = ann.browser.data(ORDER["weixin"], **query)
    moved = Visitor(ann.server.address)
    moved.http = httpx.Client(
        base_url=ann.server.address,
        headers=ann.browser.http.headers,
        cookies=ann.browser.http.cookies,
        transport=httpx.HTTPTransport(local_address="127.0.0.2"),
    )
    after = moved.data(ORDER["weixin"], **query)
    told = [shop.weixin.orders[each["orderNo"]].asked["scene_info"]["payer_client_ip"] for each in (before, after)]
    assert told == ["127.0.0.1", "127.0.0.2"]


@ONE_SHOP
def test_the_payers_of_one_link_are_counted(shop: Shop, ann: Buyer) -> None:
    preorder, made = ann.preorder()["preorderId"], []
    while (answer := jsapi(ann, preorder, f"o{len(made)}")).status_code == 200:
        made.append(answer.json()["data"]["orderNo"])
    refused: dict[str, Any] = answer.json()
    assert len(set(made)) == MOST_ORDERS and refused["data"]["reason"] == "too_many_requests"
    assert jsapi(ann, preorder, "o0").json()["data"]["orderNo"] == made[0]
