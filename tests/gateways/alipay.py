"""Alipay's gateway.do in little: RSA2 both ways, trades with their states, notifications as forms.

Written from Alipay's public rules, apart from our client: what one gets wrong the other does not share.
"""

import json
import secrets
import time
from calendar import timegm
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote_plus, urlsplit

import httpx

from tests.gateways.wire import Keys, Said, china

_TIME = "%Y-%m-%d %H:%M:%S"


@dataclass
class Trade:
    amount: str
    subject: str
    notify_url: str
    number: str = field(default_factory=lambda: china("%Y%m%d") + "22001" + str(secrets.randbelow(10**15)).zfill(15))
    status: str = "WAIT_BUYER_PAY"
    paid_at: float = 0
    refunded: dict[str, str] = field(default_factory=dict)


@dataclass
class AlipayGateway:
    """`mood` besides the server's: unsigned, foreign (signed by another key), altered (after signing).

    `refuses`: why no refund is taken; `holds`: taken refunds wait for `give_back`.
    """

    app_id: str = "2021004100000000"
    seller: str = "2088000000000000"
    merchant: Keys = field(default_factory=Keys)
    keys: Keys = field(default_factory=Keys)
    mood: str = "fine"
    refuses: str = ""
    holds: bool = False
    trades: dict[str, Trade] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def answer(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Said:
        parts = urlsplit(path)
        if parts.path != "/gateway.do":
            return Said(404, b"")
        form = dict(parse_qsl(parts.query if method == "GET" else body.decode(), keep_blank_values=True))
        name, node = self._node(form)
        if form.get("method") in ("alipay.trade.page.pay", "alipay.trade.wap.pay"):
            return Said(200 if node["code"] == "10000" else 400, json.dumps(node).encode())
        return Said(200, self._signed(name, node), {"Content-Type": "text/html;charset=utf-8"})

    def _node(self, form: dict[str, str]) -> tuple[str, dict[str, Any]]:
        signature = form.pop("sign", "")
        text = "&".join(f"{key}={form[key]}" for key in sorted(form) if form[key])
        if not self.merchant.signed(text.encode(), signature):
            return "error_response", _no("40002", "isv.invalid-signature")
        sent, now = (timegm(time.strptime(each, _TIME)) for each in (form["timestamp"], china(_TIME)))
        fixed = {"app_id": self.app_id, "sign_type": "RSA2", "version": "1.0", "charset": "utf-8", "format": "JSON"}
        if any(form.get(key) != value for key, value in fixed.items()) or abs(now - sent) > 600:
            return "error_response", _no("40002", "isv.invalid-parameter")
        method = form["method"]
        self.asked.append(method)
        deed = getattr(self, f"_{method.removeprefix('alipay.trade.').replace('.', '_')}")
        return f"{method.replace('.', '_')}_response", deed(json.loads(form["biz_content"]), form)

    def _page_pay(self, asked: dict[str, Any], form: dict[str, str]) -> dict[str, Any]:
        assert asked["product_code"] == "FAST_INSTANT_TRADE_PAY" and form["return_url"].startswith("http")
        return self._made(asked, form)

    def _wap_pay(self, asked: dict[str, Any], form: dict[str, str]) -> dict[str, Any]:
        assert asked["product_code"] == "QUICK_WAP_WAY" and asked["quit_url"].startswith("http")
        return self._made(asked, form)

    def _precreate(self, asked: dict[str, Any], form: dict[str, str]) -> dict[str, Any]:
        # Alipay makes the trade when somebody scans; scanning is not simulated.
        return {**self._made(asked, form), "qr_code": f"https://qr.alipay.com/{asked['out_trade_no'].lower()}"}

    def _made(self, asked: dict[str, Any], form: dict[str, str]) -> dict[str, Any]:
        number = asked["out_trade_no"]
        if asked["time_expire"] <= china(_TIME):
            return _no("40004", "ACQ.INVALID_PARAMETER")
        made = Trade(asked["total_amount"], asked["subject"], form["notify_url"])
        trade = self.trades.setdefault(number, made)
        if (trade.amount, trade.subject) != (made.amount, made.subject):
            return _no("40004", "ACQ.CONTEXT_INCONSISTENT")
        if trade.status != "WAIT_BUYER_PAY":
            return _no("40004", "ACQ.TRADE_HAS_SUCCESS" if trade.paid_at else "ACQ.TRADE_HAS_CLOSE")
        return {"code": "10000", "msg": "Success", "out_trade_no": number}

    def _query(self, asked: dict[str, Any], form: dict[str, str]) -> dict[str, Any]:
        trade = self.trades.get(asked["out_trade_no"])
        if trade is None:
            return _no("40004", "ACQ.TRADE_NOT_EXIST")
        found = {
            "code": "10000",
            "msg": "Success",
            "buyer_logon_id": "159****5620",
            "out_trade_no": asked["out_trade_no"],
            "trade_no": trade.number,
            "trade_status": trade.status,
            "total_amount": trade.amount,
        }
        return found | ({"send_pay_date": china(_TIME, trade.paid_at)} if trade.paid_at else {})

    def _close(self, asked: dict[str, Any], form: dict[str, str]) -> dict[str, Any]:
        trade = self.trades.get(asked["out_trade_no"])
        if trade is None:
            return _no("40004", "ACQ.TRADE_NOT_EXIST")
        if trade.status != "WAIT_BUYER_PAY":
            return _no("40004", "ACQ.TRADE_STATUS_ERROR")
        trade.status = "TRADE_CLOSED"
        return {"code": "10000", "msg": "Success", "out_trade_no": asked["out_trade_no"]}

    def _refund(self, asked: dict[str, Any], form: dict[str, str]) -> dict[str, Any]:
        trade = self.trades.get(asked["out_trade_no"])
        if trade is None or not trade.paid_at:
            return _no("40004", "ACQ.TRADE_STATUS_ERROR")
        if self.refuses:
            return _no("40004", self.refuses)
        assert asked["refund_amount"] == trade.amount
        fresh = asked["out_request_no"] not in trade.refunded
        trade.refunded.setdefault(asked["out_request_no"], "")
        moved = fresh and not self.holds
        if moved:
            self.give_back(asked["out_trade_no"])
        return {"code": "10000", "msg": "Success", "fund_change": "Y" if moved else "N", "refund_fee": trade.amount}

    def _fastpay_refund_query(self, asked: dict[str, Any], form: dict[str, str]) -> dict[str, Any]:
        number, request = asked["out_trade_no"], asked["out_request_no"]
        status = self.trades[number].refunded.get(request)
        if not status:
            return {"code": "10000", "msg": "Success"}
        told = {"out_trade_no": number, "out_request_no": request, "refund_amount": self.trades[number].amount}
        return {"code": "10000", "msg": "Success", **told, "refund_status": status}

    def _signed(self, name: str, node: dict[str, Any]) -> bytes:
        # Alipay escapes as it likes: the signature is over these very bytes, not over what they mean.
        raw = json.dumps(node, ensure_ascii=False).replace("/", "\\/")
        signature = (Keys() if self.mood == "foreign" else self.keys).sign(raw.encode())
        if self.mood == "altered":
            raw = raw.replace("WAIT_BUYER_PAY", "TRADE_SUCCESS")
        sign = "" if self.mood == "unsigned" else f',"sign":"{signature}"'
        return f'{{"{name}":{raw}{sign}}}'.encode()

    def pay(self, number: str) -> None:
        """The payer pays; Alipay keeps it to itself until it notifies."""
        trade = self.trades[number]
        assert trade.status == "WAIT_BUYER_PAY"
        trade.status, trade.paid_at = "TRADE_SUCCESS", time.time()

    def give_back(self, number: str) -> None:
        """The refund that was asked for is done."""
        trade = self.trades[number]
        trade.refunded = dict.fromkeys(trade.refunded, "REFUND_SUCCESS")
        trade.status = "TRADE_CLOSED"

    def refund_notification(self, number: str, part: str = "") -> bytes:
        """What Alipay sends about a refund, of all or (in yuan) part of it."""
        status = "TRADE_SUCCESS" if part else "TRADE_CLOSED"
        refund = {"refund_fee": part or self.trades[number].amount, "gmt_refund": f"{china(_TIME)}.100"}
        return self.notification(number, out_biz_no=number, trade_status=status, **refund)

    def notification(self, number: str, keys: Keys | None = None, **changes: str) -> bytes:
        """What Alipay sends about a trade, with other facts and another key on demand."""
        trade = self.trades[number]
        form = {
            "gmt_create": china(_TIME),
            "charset": "utf-8",
            "gmt_payment": china(_TIME, trade.paid_at),
            "notify_time": china(_TIME),
            "subject": trade.subject,
            "buyer_id": "2088002000000000",
            "invoice_amount": trade.amount,
            "version": "1.0",
            "notify_id": secrets.token_hex(17),
            "fund_bill_list": f'[{{"amount":"{trade.amount}","fundChannel":"ALIPAYACCOUNT"}}]',
            "notify_type": "trade_status_sync",
            "out_trade_no": number,
            "total_amount": trade.amount,
            "trade_status": trade.status,
            "trade_no": trade.number,
            "auth_app_id": self.app_id,
            "app_id": self.app_id,
            "seller_id": self.seller,
            **changes,
        }
        text = "&".join(f"{key}={form[key]}" for key in sorted(form))
        form |= {"sign": (keys or self.keys).sign(text.encode()), "sign_type": "RSA2"}
        return "&".join(f"{key}={quote_plus(value)}" for key, value in form.items()).encode()

    def post(self, number: str, body: bytes | None = None) -> httpx.Response:
        """Send it where the trade said."""
        content = body if body is not None else self.notification(number)
        headers = {"Content-Type": "application/x-www-form-urlencoded;charset=utf-8"}
        return httpx.post(self.trades[number].notify_url, content=content, headers=headers, timeout=60)


def taken(answer: httpx.Response) -> bool:
    """Whether the merchant said yes; Alipay reads nothing but these words."""
    assert answer.status_code == 200 and answer.text in ("success", "fail"), (answer.status_code, answer.text)
    return answer.text == "success"


def _no(code: str, sub: str) -> dict[str, Any]:
    return {"code": code, "msg": "Business Failed", "sub_code": sub, "sub_msg": "失败"}
