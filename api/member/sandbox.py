"""Sandbox: both wallets without a merchant's account, for trying out and for tests. Nobody is charged.

Its gateway is a hash in Redis and a cashier page of ours; what it notifies has the real wallets' form, is signed
with generated keys, and is read by the real wallets' own code.

sandbox:{order}  hash  wallet, amount, title, state open | paid | closed | refunded, trade, at, notify, back, failed
"""

import asyncio
import json
import os
import secrets
import time
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from api.member.alipay import Alipay, AlipayMerchant
from api.member.keys import private_key, private_pem, sign
from api.member.membership import now_ms
from api.member.wallet import Bill, GatewayError, Opened, Paid, Returned, Seen, WalletName, china_time, yuan
from api.member.weixin import Weixin, WeixinMerchant
from api.settings import settings
from cluster.queue import connect
from cluster.seal import server_key
from cluster.settings import settings as cluster_settings

#: Seconds that the till remembers an order.
_KEPT = 30 * 86400
_NAME = "papercrane-sandbox"
_KEY_ID = "PUB_KEY_ID_SANDBOX"


@dataclass(frozen=True)
class Slip:
    """An order as the cashier page sees it. `back` and `failed`: where the payer goes afterwards."""

    number: str
    wallet: WalletName
    amount: int
    title: str
    state: str
    trade: str
    at: int
    notify: str
    back: str
    failed: str


class _Till:
    """The sandbox's gateway."""

    name: WalletName

    async def create(self, bill: Bill) -> Opened:
        await asyncio.to_thread(_open, self.name, bill)
        origin = f"{urlsplit(bill.return_url).scheme}://{urlsplit(bill.return_url).netloc}"
        cashier = f"{origin}/sandbox/cashier?{urlencode({'orderNo': bill.number})}"
        scanned = bill.channel in ("qr", "native")
        return Opened(code_url=cashier) if scanned else Opened(pay_url=cashier)

    async def query(self, number: str) -> Seen:
        slip = await asyncio.to_thread(find, number)
        if slip is None or slip.wallet != self.name:
            return Seen(open=True)
        paid = Paid(number, slip.trade, slip.amount, slip.at) if slip.state == "paid" else None
        return Seen(paid, slip.state == "open")

    async def close(self, number: str) -> bool:
        await asyncio.to_thread(_move, number, "open", "closed")
        slip = await asyncio.to_thread(find, number)
        return slip is None or slip.state == "closed"

    async def refund(self, paid: Paid, notify_url: str) -> Returned:
        await asyncio.to_thread(_move, paid.number, "paid", "refunded")
        return await self.refund_state(paid)

    async def refund_state(self, paid: Paid) -> Returned:
        slip = await asyncio.to_thread(find, paid.number)
        if slip is None or slip.state != "refunded":
            raise GatewayError("not_refunded")
        return Returned(paid.number, slip.amount, "done")


class SandboxAlipay(_Till, Alipay):
    """Alipay without Alipay."""

    name: WalletName = "alipay"

    def __init__(self) -> None:
        key = _key()
        super().__init__(AlipayMerchant(_NAME, _NAME, key, key.public_key(), ""))


class SandboxWeixin(_Till, Weixin):
    """WeChat Pay without WeChat Pay."""

    name: WalletName = "weixin"

    def __init__(self) -> None:
        key = _key()
        merchant = WeixinMerchant(_NAME, _NAME, "00", key, _api_key(), "", key.public_key(), _KEY_ID)
        super().__init__(merchant)


def find(number: str) -> Slip | None:
    """The till's slip of an order."""
    found: dict[str, Any] = connect().hgetall(f"sandbox:{number}")
    if not found:
        return None
    return Slip(**{**found, "number": number, "amount": int(found["amount"]), "at": int(found["at"])})


def pay(number: str) -> bool:
    """Take the money; False when the order is not open."""
    return _move(number, "open", "paid")


async def notify(slip: Slip) -> None:
    """Tell our own endpoint as the gateway would. A notification that fails is found by asking."""
    body, headers = notification(slip)
    with suppress(httpx.HTTPError):
        async with httpx.AsyncClient(timeout=10, trust_env=False) as client:
            url = urlsplit(slip.notify)
            own = f"http://{_own_host()}:{settings().port}{url.path}"
            await client.post(own, content=body, headers={**headers, "Host": url.netloc})


def notification(slip: Slip) -> tuple[bytes, dict[str, str]]:
    """Body and headers as the slip's wallet sends them."""
    return _alipay_words(slip) if slip.wallet == "alipay" else _weixin_words(slip)


def _alipay_words(slip: Slip) -> tuple[bytes, dict[str, str]]:
    now = china_time(now_ms()).strftime("%Y-%m-%d %H:%M:%S")
    form = {
        "app_id": _NAME,
        "seller_id": _NAME,
        "charset": "utf-8",
        "version": "1.0",
        "notify_type": "trade_status_sync",
        "notify_id": secrets.token_hex(16),
        "notify_time": now,
        "gmt_payment": china_time(slip.at).strftime("%Y-%m-%d %H:%M:%S"),
        "trade_no": slip.trade,
        "out_trade_no": slip.number,
        "subject": slip.title,
        "total_amount": yuan(slip.amount),
        "trade_status": "TRADE_SUCCESS",
    }
    text = "&".join(f"{name}={form[name]}" for name in sorted(form))
    body = urlencode({**form, "sign_type": "RSA2", "sign": sign(_key(), text.encode())})
    return body.encode(), {"Content-Type": "application/x-www-form-urlencoded"}


def _weixin_words(slip: Slip) -> tuple[bytes, dict[str, str]]:
    told = {
        "appid": _NAME,
        "mchid": _NAME,
        "out_trade_no": slip.number,
        "transaction_id": slip.trade,
        "trade_state": "SUCCESS",
        "success_time": china_time(slip.at).isoformat(),
        "amount": {"total": slip.amount, "payer_total": slip.amount, "currency": "CNY"},
    }
    iv, bound = secrets.token_hex(6), "transaction"
    sealed = AESGCM(_api_key().encode()).encrypt(iv.encode(), json.dumps(told).encode(), bound.encode())
    resource = {
        "algorithm": "AEAD_AES_256_GCM",
        "ciphertext": b64encode(sealed).decode(),
        "nonce": iv,
        "associated_data": bound,
    }
    whole = {"event_type": "TRANSACTION.SUCCESS", "resource_type": "encrypt-resource", "resource": resource}
    body, stamp, nonce = json.dumps(whole), str(int(time.time())), secrets.token_hex(16)
    return body.encode(), {
        "Content-Type": "application/json",
        "Wechatpay-Timestamp": stamp,
        "Wechatpay-Nonce": nonce,
        "Wechatpay-Serial": _KEY_ID,
        "Wechatpay-Signature-Type": "WECHATPAY2-SHA256-RSA2048",
        "Wechatpay-Signature": sign(_key(), f"{stamp}\n{nonce}\n{body}\n".encode()),
    }


def _open(name: WalletName, bill: Bill) -> None:
    key = f"sandbox:{bill.number}"
    fixed = {"wallet": name, "amount": bill.amount, "title": bill.title, "state": "open", "at": 0}
    pipe = connect().pipeline()
    for field, value in {**fixed, "trade": secrets.token_hex(14)}.items():
        pipe.hsetnx(key, field, value)
    pipe.hset(key, mapping={"notify": bill.notify_url, "back": bill.return_url, "failed": bill.error_url})
    pipe.expire(key, _KEPT)
    pipe.execute()


def _move(number: str, before: str, after: str) -> bool:
    return bool(connect().eval(_MOVE, 1, f"sandbox:{number}", before, after, now_ms() // 1000 * 1000))


_MOVE = """
    if redis.call('HGET', KEYS[1], 'state') ~= ARGV[1] then return 0 end
    redis.call('HSET', KEYS[1], 'state', ARGV[2])
    if ARGV[2] == 'paid' then redis.call('HSET', KEYS[1], 'at', ARGV[3]) end
    return 1"""


def _own_host() -> str:
    host = settings().host
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _api_key() -> str:
    return server_key("sandbox").hex()[:32]


@cache
def _key() -> RSAPrivateKey:
    """The sandbox's key, made once and kept in the data folder."""
    path = cluster_settings().data / "sandbox.pem"
    if not path.exists():
        _keep(path, private_pem(generate_private_key(65537, 2048)))
    return private_key("PAPERCRANE_DATA", str(path))


def _keep(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    mine = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    with suppress(FileExistsError):  # another process was first: its key is the key
        path.hardlink_to(mine)
    mine.unlink()
