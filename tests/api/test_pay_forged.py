"""Notifications that must not be believed: nothing is granted, each is kept for review with its reason."""

import time
from typing import Any

import httpx
import pytest

from cluster.queue import connect
from tests.api.conftest import ONE_SHOP
from tests.api.paying import NOTIFY, PAID, UNPAID, Buyer, buyer, rows_of
from tests.gateways.shop import Shop
from tests.gateways.wire import Keys, china

STRANGER = Keys()


@pytest.fixture
def ann(shop: Shop) -> Buyer:
    shop.alipay.mood = shop.weixin.mood = "fine"
    return buyer(shop.server)


def unpaid(ann: Buyer, wallet: str) -> str:
    """A year, at the price of a year, that nobody has paid."""
    channel = {"alipay": "qr", "weixin": "native"}[wallet]
    return str(ann.order(wallet, ann.preorder("year")["preorderId"], channel=channel)["orderNo"])


def refused(shop: Shop, wallet: str, number: str | None) -> list[str]:
    """Reasons kept under this order number."""
    statement = (
        "SELECT reason FROM money_event WHERE kind = 'refused' AND wallet = :w AND order_number = :n ORDER BY id"
    )
    return [reason for (reason,) in rows_of(shop.server, statement, w=wallet, n=number)]


ALIPAY_PAID = {"trade_status": "TRADE_SUCCESS", "gmt_payment": "2026-11-21 10:00:00"}


@ONE_SHOP
@pytest.mark.parametrize(
    ("changes", "key", "reason"),
    [
        ({}, STRANGER, "signature"),
        ({"total_amount": "0.01"}, None, "amount"),
        ({"total_amount": "118"}, STRANGER, "signature"),
        ({"total_amount": "1.18e2"}, None, "malformed"),
        ({"total_amount": "-118.00"}, None, "malformed"),
        ({"total_amount": "118.001"}, None, "malformed"),
        ({"total_amount": "１１８.00"}, None, "malformed"),
        ({"app_id": "2021000000000001"}, None, "app"),
        ({"seller_id": "2088000000000001"}, None, "merchant"),
        ({"trans_currency": "USD"}, None, "currency"),
        ({"trade_no": ""}, None, "malformed"),
        ({"gmt_payment": "yesterday"}, None, "malformed"),
    ],
)
def test_alipay(shop: Shop, ann: Buyer, changes: dict[str, str], key: Keys | None, reason: str) -> None:
    number = unpaid(ann, "alipay")
    body = shop.alipay.notification(number, key, **{**ALIPAY_PAID, **changes})
    assert not shop.taken("alipay", shop.alipay.post(number, body))
    assert refused(shop, "alipay", number) == [reason]
    assert ann.status(number) == UNPAID and not ann.member()["active"]
    shop.alipay.pay(number)
    assert shop.taken("alipay", shop.alipay.post(number)), "the true one is taken all the same"
    assert ann.status(number) == PAID


@ONE_SHOP
def test_alipay_altered_after_signing(shop: Shop, ann: Buyer) -> None:
    cheap, dear = (unpaid(ann, "alipay") for _ in range(2))
    true = shop.alipay.notification(cheap, **ALIPAY_PAID)
    for body in (
        true.replace(cheap.encode(), dear.encode()),
        true + b"&total_amount=118.00",
        true + b"&extra=1",
        true.replace(b"sign_type=RSA2", b"sign_type=RSA"),
        true.replace(b"sign=", b"sign=AAAA"),
        true.replace(b"TRADE_SUCCESS", b"TRADE_FINISHED"),
    ):
        assert body != true and not shop.taken("alipay", shop.alipay.post(cheap, body))
    assert not ann.member()["active"]


def weixin_paid() -> dict[str, Any]:
    return {
        "trade_state": "SUCCESS",
        "transaction_id": "4200000000000000000000000001",
        "success_time": china("%Y-%m-%dT%H:%M:%S+08:00"),
    }


def money(total: Any, currency: str = "CNY") -> dict[str, Any]:
    return {"amount": {"total": total, "payer_total": total, "currency": currency}}


@ONE_SHOP
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (money(1), "amount"),
        (money(-11800), "amount"),
        (money("11800"), "malformed"),
        (money(11800.0), "malformed"),
        (money(True), "malformed"),
        (money(11800, "USD"), "currency"),
        ({"amount": None}, "malformed"),
        ({"appid": "wx1111111111111111"}, "app"),
        ({"mchid": "1900000002"}, "merchant"),
        ({"transaction_id": None}, "malformed"),
        ({"success_time": "now"}, "malformed"),
    ],
)
def test_weixin(shop: Shop, ann: Buyer, changes: dict[str, Any], reason: str) -> None:
    number = unpaid(ann, "weixin")
    body = shop.weixin.notification(number, **{**weixin_paid(), **changes})
    assert not shop.taken("weixin", shop.weixin.post(number, body))
    assert refused(shop, "weixin", number) == [reason]
    assert ann.status(number) == UNPAID and not ann.member()["active"]
    shop.weixin.pay(number)
    assert shop.taken("weixin", shop.weixin.post(number)), "the true one is taken all the same"
    assert ann.status(number) == PAID


# A stamp from the future is ten seconds nearer by the time a busy server reads it, and is cut to whole seconds.
@ONE_SHOP
@pytest.mark.parametrize("off", [-301, -86_400, 310])
def test_weixin_at_another_time(shop: Shop, ann: Buyer, off: int) -> None:
    number = unpaid(ann, "weixin")
    body = shop.weixin.notification(number, **weixin_paid())
    assert not shop.taken("weixin", shop.weixin.post(number, body, shop.weixin.signature(body, at=time.time() + off)))
    assert refused(shop, "weixin", number) == ["stale"] and not ann.member()["active"]


@ONE_SHOP
def test_weixin_replayed(shop: Shop, ann: Buyer) -> None:
    number = unpaid(ann, "weixin")
    shop.weixin.pay(number)
    body = shop.weixin.notification(number)
    headers = shop.weixin.signature(body)
    assert [shop.taken("weixin", shop.weixin.post(number, body, headers)) for _ in range(3)] == [True, False, False]
    assert refused(shop, "weixin", number) == ["replayed", "replayed"]
    assert shop.taken("weixin", shop.weixin.post(number, body)), "the gateway's own repetition bears a new nonce"


def test_weixin_signed_by_others(shop: Shop, ann: Buyer) -> None:
    number = unpaid(ann, "weixin")
    body = shop.weixin.notification(number, **weixin_paid())
    true = shop.weixin.signature(body)
    for headers in (
        shop.weixin.signature(body, keys=STRANGER),
        {**true, "Wechatpay-Serial": "1234ABCD"},
        {**true, "Wechatpay-Serial": "none"},
        {**true, "Wechatpay-Nonce": "0" * 32},
        {**true, "Wechatpay-Nonce": ""},
        {**true, "Wechatpay-Timestamp": str(int(true["Wechatpay-Timestamp"]) + 1)},
        {**true, "Wechatpay-Signature": "WECHATPAY/SIGNTEST/" + true["Wechatpay-Signature"][19:]},
        {**true, "Wechatpay-Signature-Type": "WECHATPAY2-SM2-WITH-SM3"},
        {},
    ):
        assert not shop.taken("weixin", shop.weixin.post(number, body, headers)), headers
    sealed = shop.weixin.notification(number, api_key="0" * 32, **weixin_paid())
    assert not shop.taken("weixin", shop.weixin.post(number, sealed)), "sealed under another key"
    altered = body.replace(b"TRANSACTION.SUCCESS", b"TRANSACTION.SUCCES5")
    assert not shop.taken("weixin", shop.weixin.post(number, altered, true))
    assert not ann.member()["active"]
    shop.weixin.pay(number)
    assert shop.taken("weixin", shop.weixin.post(number)), "strangers' serials have not cost us the certificates"


@ONE_SHOP
def test_orders_of_nobody_and_of_the_other_wallet(shop: Shop, ann: Buyer) -> None:
    number = unpaid(ann, "alipay")
    foreign = shop.alipay.notification(number, **{**ALIPAY_PAID, "out_trade_no": "26112100000000000000000000000000"})
    assert not shop.taken("alipay", shop.alipay.post(number, foreign))
    assert "order_unknown" in refused(shop, "alipay", "26112100000000000000000000000000")
    other = unpaid(ann, "weixin")
    crossed = shop.alipay.notification(number, **{**ALIPAY_PAID, "out_trade_no": other, "total_amount": "118.00"})
    assert not shop.taken("alipay", shop.alipay.post(number, crossed))
    assert refused(shop, "alipay", other) == ["wallet"]
    assert not ann.member()["active"]


@ONE_SHOP
def test_strangers_cannot_fill_the_ledger(shop: Shop, ann: Buyer) -> None:
    """What anybody can send without a key is kept up to a number in an hour."""

    def kept() -> int:
        return int(rows_of(shop.server, "SELECT count(*) FROM money_event WHERE reason = 'signature'")[0][0])

    connect().set("pay:strangers", 499, ex=3600)
    before = kept()
    for _ in range(4):
        httpx.post(shop.server.address + NOTIFY["alipay"], content=b"")
    connect().delete("pay:strangers")
    assert kept() - before == 1
