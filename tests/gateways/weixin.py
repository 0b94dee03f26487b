"""WeChat Pay's v3 API in little: signed requests and answers, certificates under AES-GCM, sealed notifications.

Written from WeChat Pay's public rules, apart from our client and from wechatpayv3.
"""

import json
import re
import secrets
import time
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.x509.oid import NameOID

from tests.gateways.wire import Keys, Said, china

_RFC3339 = "%Y-%m-%dT%H:%M:%S+08:00"
_AUTHORIZATION = re.compile(
    r'WECHATPAY2-SHA256-RSA2048 mchid="(.+)",nonce_str="(.+)",signature="(.+)",timestamp="(\d+)",serial_no="(.+)"'
)


@dataclass
class Transaction:
    asked: dict[str, Any]
    number: str = field(default_factory=lambda: "42000" + str(secrets.randbelow(10**23)).zfill(23))
    state: str = "NOTPAY"
    paid_at: float = 0
    refund: dict[str, Any] = field(default_factory=dict)


@dataclass
class WeixinGateway:
    """Without `public_key_id` it signs with a platform certificate. `mood` besides the server's: unsigned, foreign.

    `refuses`: why no refund is taken; without `holds` one that is taken is done at once.
    """

    app_id: str = "wx0000000000000000"
    mchid: str = "1900000001"
    serial: str = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1"
    secret: str = field(default_factory=lambda: secrets.token_hex(16))
    api_key: str = field(default_factory=lambda: secrets.token_hex(16))
    public_key_id: str = ""
    merchant: Keys = field(default_factory=Keys)
    keys: Keys = field(default_factory=Keys)
    mood: str = "fine"
    refuses: str = ""
    holds: bool = False
    orders: dict[str, Transaction] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    codes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.certificate = _certificate(self.keys)

    @property
    def key_serial(self) -> str:
        return self.public_key_id or f"{self.certificate.serial_number:X}"

    def answer(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Said:
        if path.startswith("/sns/"):
            return self._account(urlsplit(path).path, dict(parse_qsl(urlsplit(path).query)))
        low = {name.lower(): value for name, value in headers.items()}
        if not self._authorized(method, path, low.get("authorization", ""), body):
            return self._said(401, {"code": "SIGN_ERROR", "message": "签名错误"})
        parts = urlsplit(path)
        self.asked.append(parts.path)
        status, told = self._route(method, parts.path, dict(parse_qsl(parts.query)), json.loads(body or b"null"))
        return self._said(status, told)

    def authorized(self) -> tuple[str, str]:
        """Somebody let us know who they are: the code that their page is given, and their openid."""
        code, openid = secrets.token_hex(16), f"o{secrets.token_hex(13)}"
        self.codes[code] = openid
        return code, openid

    def _account(self, path: str, query: dict[str, str]) -> Said:
        right = {"appid": self.app_id, "secret": self.secret, "grant_type": "authorization_code"}
        code = query.pop("code", "")
        told: dict[str, Any] = {"errcode": 40125, "errmsg": "invalid appsecret"}
        if path == "/sns/oauth2/access_token" and query == right:
            openid = self.codes.pop(code, "")
            told = {"errcode": 40029, "errmsg": "invalid code, rid: 6384"}
            if openid:
                told = {"access_token": "ACCESS", "expires_in": 7200, "openid": openid, "scope": "snsapi_base"}
        return Said(200, json.dumps(told).encode(), {"Content-Type": "text/plain"})

    def _authorized(self, method: str, path: str, header: str, body: bytes) -> bool:
        found = _AUTHORIZATION.fullmatch(header)
        if not found:
            return False
        mchid, nonce, signature, stamp, serial = found.groups()
        text = f"{method}\n{path}\n{stamp}\n{nonce}\n".encode() + body + b"\n"
        fresh = abs(time.time() - int(stamp)) < 300
        return (mchid, serial) == (self.mchid, self.serial) and fresh and self.merchant.signed(text, signature)

    def _route(self, method: str, path: str, query: dict[str, str], asked: Any) -> tuple[int, Any]:
        if (method, path) == ("GET", "/v3/certificates"):
            return 200, {"data": [self._sealed_certificate()]}
        if method == "POST" and path == "/v3/refund/domestic/refunds":
            return self._refund(asked)
        if method == "GET" and (found := re.fullmatch(r"/v3/refund/domestic/refunds/([^/]+)", path)):
            return self._refunded(found[1])
        if method == "POST" and (found := re.fullmatch(r"/v3/pay/transactions/(native|h5|jsapi)", path)):
            return self._open(found[1], asked)
        if found := re.fullmatch(r"/v3/pay/transactions/out-trade-no/([^/]+)(/close)?", path):
            if found[2]:
                return self._close(found[1], asked)
            return self._query(found[1], query)
        return 404, {"code": "RESOURCE_NOT_EXISTS", "message": "not found"}

    def _open(self, channel: str, asked: dict[str, Any]) -> tuple[int, Any]:
        right = (asked["appid"], asked["mchid"], asked["amount"]["currency"]) == (self.app_id, self.mchid, "CNY")
        assert right and 6 <= len(asked["out_trade_no"]) <= 32 and asked["time_expire"] > china(_RFC3339)
        if channel == "h5":
            assert asked["scene_info"]["payer_client_ip"] and asked["scene_info"]["h5_info"] == {"type": "Wap"}
        if channel == "jsapi":
            assert asked["payer"]["openid"]
        order = self.orders.setdefault(asked["out_trade_no"], Transaction({**asked, "channel": channel}))
        if order.asked != {**asked, "channel": channel}:
            return 400, {"code": "INVALID_REQUEST", "message": "请求重入时，参数与首次请求时不一致"}
        if order.state != "NOTPAY":
            return 400, {"code": "ORDERPAID" if order.paid_at else "ORDER_CLOSED", "message": "订单已支付或关闭"}
        number = asked["out_trade_no"]
        told = {
            "native": {"code_url": f"weixin://wxpay/bizpayurl?pr={number[:12]}"},
            "h5": {"h5_url": f"https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx{number}&package=1"},
            "jsapi": {"prepay_id": f"wx{number}"},
        }
        return 200, told[channel]

    def _query(self, number: str, query: dict[str, str]) -> tuple[int, Any]:
        assert query == {"mchid": self.mchid}
        order = self.orders.get(number)
        if order is None:
            return 404, {"code": "ORDER_NOT_EXIST", "message": "订单不存在"}
        return 200, self.told(number)

    def _close(self, number: str, asked: dict[str, Any]) -> tuple[int, Any]:
        assert asked == {"mchid": self.mchid}
        order = self.orders.get(number)
        if order is None or order.state == "CLOSED":
            return 400, {"code": "ORDER_CLOSED", "message": "订单已关闭"}
        if order.state != "NOTPAY":
            return 400, {"code": "ORDERPAID", "message": "订单已支付"}
        order.state = "CLOSED"
        return 204, None

    def _refund(self, asked: dict[str, Any]) -> tuple[int, Any]:
        order = self.orders.get(asked["out_trade_no"])
        if order is None or not order.paid_at:
            return 404, {"code": "RESOURCE_NOT_EXISTS", "message": "订单不存在"}
        if self.refuses:
            return 403, {"code": self.refuses, "message": "基本账户余额不足"}
        total = order.asked["amount"]["total"]
        assert asked["amount"] == {"refund": total, "total": total, "currency": "CNY"}
        assert asked["notify_url"].startswith("http") and "?" not in asked["notify_url"]
        if not order.refund:
            order.state, order.refund = "REFUND", {**asked, "status": "PROCESSING" if self.holds else "SUCCESS"}
        return 200, self._told_refund(asked["out_trade_no"])

    def _refunded(self, refund: str) -> tuple[int, Any]:
        for number, order in self.orders.items():
            if order.refund.get("out_refund_no") == refund:
                return 200, self._told_refund(number)
        return 404, {"code": "RESOURCE_NOT_EXISTS", "message": "退款单不存在"}

    def _told_refund(self, number: str) -> dict[str, Any]:
        order = self.orders[number]
        total = order.asked["amount"]["total"]
        amount = {"total": total, "refund": total, "payer_total": total, "payer_refund": total, "currency": "CNY"}
        told = {"refund_id": "50300008", "out_refund_no": order.refund["out_refund_no"], "out_trade_no": number}
        return {**told, "transaction_id": order.number, "status": order.refund["status"], "amount": amount}

    def told(self, number: str) -> dict[str, Any]:
        """A transaction as WeChat tells it."""
        order = self.orders[number]
        total = order.asked["amount"]["total"]
        found = {
            "appid": self.app_id,
            "mchid": self.mchid,
            "out_trade_no": number,
            "trade_state": order.state,
            "trade_state_desc": "支付成功" if order.paid_at else "订单未支付",
            "amount": {"total": total, "payer_total": total, "currency": "CNY", "payer_currency": "CNY"},
        }
        if order.paid_at:
            found |= {"transaction_id": order.number, "success_time": china(_RFC3339, order.paid_at)}
        return found

    def _said(self, status: int, told: Any) -> Said:
        body = b"" if told is None else json.dumps(told, ensure_ascii=False).encode()
        return Said(status, body, {"Content-Type": "application/json", **self.signature(body)})

    def signature(self, body: bytes, keys: Keys | None = None, at: float | None = None) -> dict[str, str]:
        """The headers that sign a body."""
        stamp, nonce = str(int(time.time() if at is None else at)), secrets.token_hex(16)
        used = keys or (Keys() if self.mood == "foreign" else self.keys)
        signed = used.sign(f"{stamp}\n{nonce}\n".encode() + body + b"\n")
        return {
            "Wechatpay-Timestamp": stamp,
            "Wechatpay-Nonce": nonce,
            "Wechatpay-Serial": self.key_serial,
            "Wechatpay-Signature-Type": "WECHATPAY2-SHA256-RSA2048",
            **({} if self.mood == "unsigned" else {"Wechatpay-Signature": signed}),
        }

    def _sealed_certificate(self) -> dict[str, Any]:
        pem = self.certificate.public_bytes(serialization.Encoding.PEM)
        return {
            "serial_no": f"{self.certificate.serial_number:X}",
            "effective_time": self.certificate.not_valid_before_utc.isoformat(),
            "expire_time": self.certificate.not_valid_after_utc.isoformat(),
            "encrypt_certificate": self._seal(pem, "certificate"),
        }

    def _seal(self, text: bytes, bound: str, api_key: str = "") -> dict[str, str]:
        nonce = secrets.token_hex(6)
        sealed = AESGCM((api_key or self.api_key).encode()).encrypt(nonce.encode(), text, bound.encode())
        return {
            "algorithm": "AEAD_AES_256_GCM",
            "ciphertext": b64encode(sealed).decode(),
            "nonce": nonce,
            "associated_data": bound,
        }

    def pay(self, number: str) -> None:
        """The payer pays; WeChat keeps it to itself until it notifies."""
        order = self.orders[number]
        assert order.state == "NOTPAY"
        order.state, order.paid_at = "SUCCESS", time.time()

    def give_back(self, number: str, status: str = "SUCCESS") -> None:
        """The refund that was asked for comes to its end."""
        self.orders[number].refund["status"] = status

    def refund_notification(self, number: str, part: int = 0) -> bytes:
        """The body that WeChat sends about a refund, of all or (in fen) part of it."""
        total, status = (
            self.orders[number].asked["amount"]["total"],
            self.orders[number].refund.get("status", "SUCCESS"),
        )
        told = {
            "mchid": self.mchid,
            "out_trade_no": number,
            "transaction_id": self.orders[number].number,
            "out_refund_no": number,
            "refund_id": "50300008",
            "refund_status": status,
            "success_time": china(_RFC3339),
            "user_received_account": "招商银行信用卡0403",
            "amount": {"total": total, "refund": part or total, "payer_total": total, "payer_refund": part or total},
        }
        return self._enveloped(told, f"REFUND.{status}", "refund")

    def notification(self, number: str, api_key: str = "", **changes: Any) -> bytes:
        """The body that WeChat sends about a transaction, with other facts on demand."""
        return self._enveloped({**self.told(number), **changes}, "TRANSACTION.SUCCESS", "transaction", api_key)

    def _enveloped(self, told: dict[str, Any], event: str, kind: str, api_key: str = "") -> bytes:
        sealed = self._seal(json.dumps(told, ensure_ascii=False).encode(), kind, api_key)
        whole = {
            "id": secrets.token_hex(16),
            "create_time": china(_RFC3339),
            "resource_type": "encrypt-resource",
            "event_type": event,
            "summary": "支付成功",
            "resource": {"original_type": kind, **sealed},
        }
        return json.dumps(whole, ensure_ascii=False).encode()

    def post(self, number: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> httpx.Response:
        """Send it where the order said, signed unless other headers are given."""
        content = body if body is not None else self.notification(number)
        sent = {"Content-Type": "application/json", **(self.signature(content) if headers is None else headers)}
        return httpx.post(self.orders[number].asked["notify_url"], content=content, headers=sent, timeout=60)


def taken(answer: httpx.Response) -> bool:
    """Whether the merchant said yes: WeChat goes by the HTTP status."""
    told = answer.json()
    assert (answer.status_code == 200) == (told["code"] == "SUCCESS"), (answer.status_code, told)
    return answer.status_code == 200


def _certificate(keys: Keys) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tenpay.com sign")])
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(keys.private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .sign(keys.private, hashes.SHA256())
    )
