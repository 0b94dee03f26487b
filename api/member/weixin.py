"""WeChat Pay v3: signed JSON calls (by wechatpayv3, which blocks and so runs in threads), sealed notifications."""

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import quote

import requests
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
from wechatpayv3.core import Core
from wechatpayv3.type import RequestType

from api.member.keys import private_pem, public_pem
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
)
from cluster.queue import connect

#: Seconds that a notification's clock may be off.
WINDOW = 300
#: Seconds before certificates are asked for again: strangers can make us want to.
_CERTIFICATES = 60
_PATHS = {
    "native": "/v3/pay/transactions/native",
    "h5": "/v3/pay/transactions/h5",
    "jsapi": "/v3/pay/transactions/jsapi",
}
#: Calls that wait for WeChat: its silence must not take the threads that everybody else needs.
_WAITING = ThreadPoolExecutor(16, "weixin")
T = TypeVar("T")
_GONE = ("ORDER_CLOSED", "ORDERCLOSED", "ORDER_NOT_EXIST", "ORDERNOTEXIST", "RESOURCE_NOT_EXISTS")


@dataclass(frozen=True)
class WeixinMerchant:
    """Who we are to WeChat Pay. Without their public key its platform certificates are asked for."""

    app_id: str
    mchid: str
    serial: str
    key: RSAPrivateKey
    api_key: str = field(repr=False)
    gateway: str
    public_key: RSAPublicKey | None = None
    public_key_id: str = ""


class _Gateway(Core):  # type: ignore[misc]
    """wechatpayv3's own client, at the address that was set, asking for certificates only when it needs one."""

    def __init__(self, merchant: WeixinMerchant) -> None:
        self._lock, self._asked = Lock(), -float(_CERTIFICATES)
        super().__init__(
            mchid=merchant.mchid,
            cert_serial_no=merchant.serial,
            private_key=private_pem(merchant.key),
            apiv3_key=merchant.api_key,
            timeout=(PATIENCE / 2, PATIENCE),
            public_key=public_pem(merchant.public_key) if merchant.public_key else None,
            public_key_id=merchant.public_key_id or None,
        )
        self._gate_way = merchant.gateway

    def _init_certificates(self) -> None:
        pass

    def _update_certificates(self) -> None:
        with self._lock:
            if time.monotonic() - self._asked < _CERTIFICATES:
                return
            self._asked = time.monotonic()
            kept = list(self._certificates)
            try:
                super()._update_certificates()
            finally:
                # The client forgets those it has before it asks; an answer that fails must not cost them.
                if not self._certificates:
                    self._certificates.extend(kept)


class Weixin:
    """The wallet."""

    def __init__(self, merchant: WeixinMerchant) -> None:
        self.merchant = merchant

    @cached_property
    def gateway(self) -> _Gateway:
        return _Gateway(self.merchant)

    async def create(self, bill: Bill) -> Opened:
        asked: dict[str, Any] = {
            "appid": self.merchant.app_id,
            "mchid": self.merchant.mchid,
            "description": bill.title,
            "out_trade_no": bill.number,
            "time_expire": china_time(bill.expires_at).isoformat(),
            "notify_url": bill.notify_url,
            "amount": {"total": bill.amount, "currency": "CNY"},
        }
        if bill.channel == "h5":
            asked["scene_info"] = {"payer_client_ip": bill.client_ip, "h5_info": {"type": "Wap"}}
        if bill.channel == "jsapi":
            asked["payer"] = {"openid": bill.openid}
        answer = _expect(await self._ask(f"/v3/pay/transactions/{bill.channel}", asked))
        if bill.channel == "native":
            return Opened(code_url=_text(answer, "code_url"))
        if bill.channel == "h5":
            return Opened(pay_url=f"{_text(answer, 'h5_url')}&redirect_url={quote(bill.return_url, safe='')}")
        return Opened(jsapi=self._jsapi(_text(answer, "prepay_id")))

    def _jsapi(self, prepay: str) -> dict[str, str]:
        """What WeixinJSBridge takes, signed by us."""
        package, now, nonce = f"prepay_id={prepay}", str(int(time.time())), prepay[-32:]
        signature = self.gateway.sign([self.merchant.app_id, now, nonce, package])
        return {
            "appId": self.merchant.app_id,
            "timeStamp": now,
            "nonceStr": nonce,
            "package": package,
            "signType": "RSA",
            "paySign": str(signature),
        }

    async def query(self, number: str) -> Seen:
        status, answer = await self._ask(f"/v3/pay/transactions/out-trade-no/{number}?mchid={self.merchant.mchid}")
        if status == 404 and answer.get("code") in _GONE:
            return Seen(open=True)
        told = _expect((status, answer))
        if told.get("out_trade_no") != number or told.get("mchid") != self.merchant.mchid:
            raise GatewayError("other_order")
        state = told.get("trade_state")
        return Seen(_paid(told) if state == "SUCCESS" else None, state in ("NOTPAY", "USERPAYING", "PAYERROR"))

    async def close(self, number: str) -> bool:
        path = f"/v3/pay/transactions/out-trade-no/{number}/close"
        status, answer = await self._ask(path, {"mchid": self.merchant.mchid})
        return status in (200, 204) or answer.get("code") in _GONE

    async def refund(self, paid: Paid, notify_url: str) -> Returned:
        asked = {
            "out_trade_no": paid.number,
            "out_refund_no": paid.number,
            "amount": {"refund": paid.amount, "total": paid.amount, "currency": "CNY"},
            "notify_url": notify_url,
        }
        return _own(paid, _returned(_expect(await self._ask("/v3/refund/domestic/refunds", asked)), "status"))

    async def refund_state(self, paid: Paid) -> Returned:
        answer = _expect(await self._ask(f"/v3/refund/domestic/refunds/{paid.number}"))
        return _own(paid, _returned(answer, "status"))

    async def read_notification(self, body: bytes, headers: Mapping[str, str]) -> Paid | Returned | None:
        told = await _waiting(self._opened, body, headers)
        nonce = f"weixin:nonce:{headers.get('wechatpay-nonce', '')}"
        if abs(time.time() - _stamp(headers)) > WINDOW:
            raise Forged("stale", _number(told))
        if await asyncio.to_thread(connect().exists, nonce):
            raise Forged("replayed", _number(told))
        # One about a refund does not name the app.
        refund = "refund_status" in told
        if not refund and told.get("appid") != self.merchant.app_id:
            raise Forged("app", _number(told))
        if told.get("mchid") != self.merchant.mchid:
            raise Forged("merchant", _number(told))
        try:
            if refund:
                return _returned(told, "refund_status")
            return _paid(told) if told.get("trade_state") == "SUCCESS" else None
        except GatewayError:
            raise Forged("malformed", _number(told)) from None

    async def remember(self, headers: Mapping[str, str]) -> None:
        """This notification has been dealt with: it is not taken a second time."""
        nonce = f"weixin:nonce:{headers.get('wechatpay-nonce', '')}"
        await asyncio.to_thread(connect().set, nonce, 1, ex=2 * WINDOW + 60)

    def answer(self, taken: bool) -> Answer:
        words = {"code": "SUCCESS"} if taken else {"code": "FAIL", "message": "not accepted"}
        return Answer(200 if taken else 400, json.dumps(words), "application/json")

    def _opened(self, body: bytes, headers: Mapping[str, str]) -> Mapping[str, Any]:
        """The sealed resource of a notification whose signature holds. Raises Forged."""
        if not re.fullmatch(r"[\x21-\x7e]{8,128}", headers.get("wechatpay-nonce", "")):
            raise Forged("signature")
        try:
            told = self.gateway.callback(dict(headers), body)
        except requests.RequestException as error:
            raise GatewayError(type(error).__name__) from None
        # The client raises plain Exception for an algorithm it does not know.
        except Exception:
            raise Forged("signature") from None
        if not told:
            raise Forged("signature")
        resource = told.get("resource")
        return resource if isinstance(resource, dict) else {}

    async def _ask(self, path: str, data: Mapping[str, Any] | None = None) -> tuple[int, Mapping[str, Any]]:
        """HTTP status and JSON of an answer whose signature holds. Raises GatewayError."""
        method = RequestType.GET if data is None else RequestType.POST
        try:
            status, text = await _waiting(self.gateway.request, path, method, data)
        except requests.RequestException as error:
            raise GatewayError(type(error).__name__) from None
        # The client raises plain Exception when a signature does not hold.
        except Exception:
            raise GatewayError("answer_not_signed") from None
        if status >= 500 or status == 429:
            raise GatewayError(f"http_{status}")
        try:
            told = json.loads(text) if text else {}
        except ValueError:
            raise GatewayError("answer_malformed") from None
        return status, told if isinstance(told, dict) else {}


async def _waiting(ask: Callable[..., T], *given: Any) -> T:
    return await asyncio.get_running_loop().run_in_executor(_WAITING, ask, *given)


def _expect(answer: tuple[int, Mapping[str, Any]]) -> Mapping[str, Any]:
    status, told = answer
    if status != 200:
        raise GatewayError(str(told.get("code") or f"http_{status}")[:60])
    return told


def _paid(told: Mapping[str, Any]) -> Paid:
    """Raises GatewayError when a fact is missing."""
    amount = told.get("amount")
    total = amount.get("total") if isinstance(amount, dict) else None
    currency = amount.get("currency") if isinstance(amount, dict) else None
    if type(total) is not int or not isinstance(currency, str):
        raise GatewayError("amount_malformed")
    try:
        at = moment(_text(told, "success_time"))
    except ValueError:
        raise GatewayError("time_malformed") from None
    return Paid(_text(told, "out_trade_no"), _text(told, "transaction_id")[:64], total, at, currency)


def _returned(told: Mapping[str, Any], where: str) -> Returned:
    """Raises GatewayError when a fact is missing."""
    amount = told.get("amount")
    refund = amount.get("refund") if isinstance(amount, dict) else None
    if type(refund) is not int:
        raise GatewayError("amount_malformed")
    state = _text(told, where)
    known = {"SUCCESS": "done", "PROCESSING": "pending"}
    return Returned(_text(told, "out_trade_no"), refund, known.get(state, state))


def _own(paid: Paid, found: Returned) -> Returned:
    if found.number != paid.number:
        raise GatewayError("other_order")
    return found


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    if not isinstance(value, str) or not value:
        raise GatewayError(f"{name}_missing")
    return value[:512]


def _number(told: Mapping[str, Any]) -> str | None:
    number = told.get("out_trade_no")
    return number if isinstance(number, str) else None


def _stamp(headers: Mapping[str, str]) -> float:
    stamp = headers.get("wechatpay-timestamp", "")
    return float(stamp) if stamp.isascii() and stamp.isdecimal() and len(stamp) < 12 else 0.0
