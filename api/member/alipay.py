"""Alipay's open platform: RSA2-signed calls to one gateway address, form notifications.

Signed is `k=v&k=v` in the order of the keys: of a request without `sign`, of a notification without `sign` and
`sign_type`, of an answer the node's own text.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from ssl import SSLContext
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey

from api.member.keys import sign, verified
from api.member.membership import CHINA
from api.member.wallet import (
    PATIENCE,
    Answer,
    Bill,
    Forged,
    GatewayError,
    Opened,
    Paid,
    Returned,
    Seen,
    china_time,
    moment,
    yuan,
)

_TIME = "%Y-%m-%d %H:%M:%S"
_DONE = ("TRADE_SUCCESS", "TRADE_FINISHED")
_PAGES = {
    "page": ("alipay.trade.page.pay", "FAST_INSTANT_TRADE_PAY"),
    "wap": ("alipay.trade.wap.pay", "QUICK_WAP_WAY"),
}


@dataclass(frozen=True)
class AlipayMerchant:
    """Who we are to Alipay. `key` is ours, `gateway_key` theirs; an empty seller is not compared."""

    app_id: str
    seller: str
    key: RSAPrivateKey
    gateway_key: RSAPublicKey
    gateway: str


class Alipay:
    """The wallet."""

    def __init__(self, merchant: AlipayMerchant) -> None:
        self.merchant = merchant

    async def create(self, bill: Bill) -> Opened:
        content = {
            "out_trade_no": bill.number,
            "total_amount": yuan(bill.amount),
            "subject": bill.title,
            "time_expire": china_time(bill.expires_at).strftime(_TIME),
        }
        if bill.channel == "qr":
            answer = await self._ask("alipay.trade.precreate", content, notify_url=bill.notify_url)
            _expect(answer)
            return Opened(code_url=_text(answer, "qr_code"))
        method, product = _PAGES[bill.channel]
        back = {"quit_url": bill.return_url} if bill.channel == "wap" else {}
        content |= {"product_code": product, **back}
        query = self._signed(method, content, notify_url=bill.notify_url, return_url=bill.return_url)
        return Opened(pay_url=f"{self.merchant.gateway}?{urlencode(query)}")

    async def query(self, number: str) -> Seen:
        answer = await self._ask("alipay.trade.query", {"out_trade_no": number})
        # Alipay knows a trade only when its payer has opened it.
        if answer.get("sub_code") == "ACQ.TRADE_NOT_EXIST":
            return Seen(open=True)
        _expect(answer)
        if answer.get("out_trade_no") != number:
            raise GatewayError("other_order")
        status = answer.get("trade_status")
        return Seen(_paid(answer, "send_pay_date") if status in _DONE else None, status == "WAIT_BUYER_PAY")

    async def close(self, number: str) -> bool:
        answer = await self._ask("alipay.trade.close", {"out_trade_no": number})
        return answer.get("code") == "10000" or answer.get("sub_code") == "ACQ.TRADE_NOT_EXIST"

    async def refund(self, paid: Paid, notify_url: str) -> Returned:
        content = {
            "out_trade_no": paid.number,
            "refund_amount": yuan(paid.amount),
            "out_request_no": paid.number,
        }
        answer = await self._ask("alipay.trade.refund", content)
        _expect(answer)
        # Success is of the question; without a change of funds it says nothing about the money.
        if answer.get("fund_change") == "Y":
            return Returned(paid.number, paid.amount, "done")
        return await self.refund_state(paid)

    async def refund_state(self, paid: Paid) -> Returned:
        content = {"out_trade_no": paid.number, "out_request_no": paid.number}
        answer = await self._ask("alipay.trade.fastpay.refund.query", content)
        _expect(answer)
        if answer.get("refund_status") != "REFUND_SUCCESS":
            return Returned(paid.number, paid.amount, "pending")
        if answer.get("out_trade_no") != paid.number:
            raise GatewayError("other_order")
        return Returned(paid.number, _fen(_text(answer, "refund_amount")), "done")

    async def read_notification(self, body: bytes, headers: Mapping[str, str]) -> Paid | Returned | None:
        form = _form(body)
        number = form.get("out_trade_no")
        text = "&".join(f"{name}={form[name]}" for name in sorted(form) if name not in ("sign", "sign_type"))
        signed = verified(self.merchant.gateway_key, text.encode(), form.get("sign", ""))
        if form.get("sign_type") != "RSA2" or not signed:
            raise Forged("signature", number)
        if form.get("app_id") != self.merchant.app_id:
            raise Forged("app", number)
        if self.merchant.seller and form.get("seller_id") != self.merchant.seller:
            raise Forged("merchant", number)
        try:
            if form.get("trade_status") == "TRADE_CLOSED" and form.get("refund_fee"):
                return Returned(_text(form, "out_trade_no"), _fen(form["refund_fee"]), "done")
            return _paid(form, "gmt_payment") if form.get("trade_status") in _DONE else None
        except GatewayError:
            raise Forged("malformed", number) from None

    async def remember(self, headers: Mapping[str, str]) -> None:
        """Alipay repeats itself word for word for a day: nothing marks one that was seen."""

    def answer(self, taken: bool) -> Answer:
        return Answer(200, "success" if taken else "fail", "text/plain")

    def _signed(self, method: str, content: Mapping[str, str], **more: str) -> dict[str, str]:
        asked = {
            "app_id": self.merchant.app_id,
            "method": method,
            "format": "JSON",
            "charset": "utf-8",
            "sign_type": "RSA2",
            "timestamp": datetime.now(CHINA).strftime(_TIME),
            "version": "1.0",
            "biz_content": json.dumps(content, ensure_ascii=False, separators=(",", ":")),
            **more,
        }
        text = "&".join(f"{name}={asked[name]}" for name in sorted(asked) if asked[name])
        return {**asked, "sign": sign(self.merchant.key, text.encode())}

    async def _ask(self, method: str, content: Mapping[str, str], **more: str) -> Mapping[str, Any]:
        """The verified node of the answer. Raises GatewayError."""
        try:
            async with httpx.AsyncClient(timeout=PATIENCE, verify=_trust()) as client:
                query = {"charset": "utf-8"}
                form = self._signed(method, content, **more)
                answer = await client.post(self.merchant.gateway, params=query, data=form)
        except httpx.HTTPError as error:
            raise GatewayError(type(error).__name__) from None
        if answer.status_code != 200:
            raise GatewayError(f"http_{answer.status_code}")
        return self._node(answer.content, f"{method.replace('.', '_')}_response")

    def _node(self, body: bytes, name: str) -> Mapping[str, Any]:
        try:
            text = body.decode()
            whole = json.loads(text)
            start = text.index(f'"{name}"') + len(name) + 2
            start = text.index("{", start)
            node, end = json.JSONDecoder().raw_decode(text, start)
            signature = whole["sign"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise GatewayError("answer_malformed") from None
        if not isinstance(signature, str) or not verified(
            self.merchant.gateway_key, text[start:end].encode(), signature
        ):
            raise GatewayError("answer_not_signed")
        # Only what the signature covers is used.
        return node if isinstance(node, dict) else {}


def _paid(told: Mapping[str, Any], when: str) -> Paid:
    """Raises GatewayError when a fact is missing."""
    try:
        at = moment(_text(told, when), _TIME)
    except ValueError:
        raise GatewayError("time_malformed") from None
    # A trade in another currency says so; without a word it is yuan.
    currency = str(told.get("trans_currency") or told.get("settle_currency") or "CNY")
    return Paid(
        _text(told, "out_trade_no"), _text(told, "trade_no")[:64], _fen(_text(told, "total_amount")), at, currency
    )


def _fen(text: str) -> int:
    """`19.00` as 1900, exactly. Raises GatewayError."""
    whole, _, part = text.partition(".")
    if not (whole.isascii() and whole.isdecimal() and len(whole) < 10 and len(part) <= 2):
        raise GatewayError("amount_malformed")
    if part and not (part.isascii() and part.isdecimal()):
        raise GatewayError("amount_malformed")
    return int(whole) * 100 + int(part.ljust(2, "0"))


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    if not isinstance(value, str) or not value:
        raise GatewayError(f"{name}_missing")
    return value[:512]


def _form(body: bytes) -> dict[str, str]:
    """Raises Forged for anything but a form whose names are distinct."""
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, strict_parsing=True, max_num_fields=100, errors="strict"
        )
    except ValueError:
        raise Forged("malformed") from None
    form = dict(pairs)
    if len(form) != len(pairs):
        raise Forged("malformed", form.get("out_trade_no"))
    return form


def _expect(answer: Mapping[str, Any]) -> None:
    if answer.get("code") != "10000":
        raise GatewayError(str(answer.get("sub_code") or answer.get("code"))[:60])


@cache
def _trust() -> SSLContext:
    return httpx.create_ssl_context()
