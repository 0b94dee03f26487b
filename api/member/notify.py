"""Notifications: what gateways tell us by themselves. All are recorded, few are believed twice.

`refused` reasons: those of Forged (malformed, signature, stale, replayed, app, merchant) and of Mismatch
(order_unknown, wallet, amount, currency).
"""

import asyncio
from collections.abc import Mapping

import structlog

from api.member import settle
from api.member.settle import Mismatch
from api.member.wallet import Answer, Forged, GatewayError, Paid, Returned, WalletName
from api.member.wallets import wallets
from cluster.queue import connect

#: Unsigned notifications kept in an hour: anybody can send those.
_STRANGERS = 500

log = structlog.get_logger()


async def receive(name: WalletName, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Take one notification; the answer in the gateway's words. `headers` has lower-case names."""
    wallet = wallets()[name]
    told: Paid | Returned | None = None
    try:
        told = await wallet.read_notification(body, headers)
        outcome = await _settled(name, told)
    except Forged as error:
        await _refuse(name, error.reason, error.number, error.amount)
        return wallet.answer(False)
    except Mismatch as error:
        await _refuse(name, error.reason, told.number if told else None, told.amount if told else None)
        return wallet.answer(False)
    except GatewayError as error:
        # Its certificate could not be had: it will tell us again.
        log.warning("gateway", wallet=name, code=error.code)
        return wallet.answer(False)
    await wallet.remember(headers)
    log.info("notification", wallet=name, outcome=outcome)
    return wallet.answer(True)


async def _settled(name: WalletName, told: Paid | Returned | None) -> str:
    if isinstance(told, Returned):
        return await settle.returned(name, told)
    return await settle.settle(name, told) if told else "ignored"


async def _refuse(name: WalletName, reason: str, number: str | None, amount: int | None) -> None:
    log.warning("notification refused", wallet=name, reason=reason)
    if reason not in ("malformed", "signature") or await asyncio.to_thread(_has_room):
        await settle.refused(name, reason, number, amount)


def _has_room() -> bool:
    key = "pay:strangers"
    pipe = connect().pipeline()
    pipe.incr(key)
    pipe.expire(key, 3600, nx=True)
    return int(pipe.execute()[0]) <= _STRANGERS
