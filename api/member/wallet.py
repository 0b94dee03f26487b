"""Wallet: what we ask of a payment gateway, and what it tells us. Alipay and WeChat Pay are wallets; so is the sandbox.

Amounts are fen, times are ms. Every gateway's own words end here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from api.member.membership import CHINA

WalletName = Literal["alipay", "weixin"]
#: Seconds that a gateway may take to answer.
PATIENCE = 8


@dataclass(frozen=True)
class Bill:
    """What is to be collected, until when, and where payer and gateway come back to."""

    number: str
    amount: int
    title: str
    channel: str
    expires_at: int
    notify_url: str
    return_url: str
    error_url: str
    openid: str = ""
    client_ip: str = field(default="", repr=False)


@dataclass(frozen=True)
class Opened:
    """How the payer gets to the gateway: a page to go to, a code to scan, or what WeChat's own script takes."""

    pay_url: str | None = None
    code_url: str | None = None
    jsapi: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Paid:
    """What a gateway says it was paid; `trade` is its own number. `currency` as ISO 4217."""

    number: str
    trade: str
    amount: int
    at: int
    currency: str = "CNY"


@dataclass(frozen=True)
class Returned:
    """What a gateway says about giving money back: `done`, `pending`, or its own word for why it will not be."""

    number: str
    amount: int
    state: str


@dataclass(frozen=True)
class Seen:
    """What a gateway says about an order: who asks sees it paid, open, or (neither) closed for good."""

    paid: Paid | None = None
    open: bool = False


@dataclass(frozen=True)
class Answer:
    """What we answer a notification, in the gateway's own words."""

    status: int
    body: str
    content_type: str


class GatewayError(Exception):
    """The gateway did not answer, or not as it should; `code` is its own word for that."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Forged(Exception):
    """A notification that is not believed.

    reason: malformed, signature, stale, replayed, app, merchant. `number`: the order it claims to be about.
    """

    def __init__(self, reason: str, number: str | None = None, amount: int | None = None) -> None:
        super().__init__(reason)
        self.reason, self.number, self.amount = reason, number, amount


class Wallet(Protocol):
    """A gateway; every method but `answer` may raise GatewayError."""

    async def create(self, bill: Bill) -> Opened:
        """Open `bill` for payment; the same bill again is the same payment."""

    async def query(self, number: str) -> Seen:
        """What became of an order."""

    async def close(self, number: str) -> bool:
        """Close it; False when the gateway would not, because it is just being paid."""

    async def refund(self, paid: Paid, notify_url: str) -> Returned:
        """Give all of it back; the same refund again is the same."""

    async def refund_state(self, paid: Paid) -> Returned:
        """What became of the refund that was asked for."""

    async def read_notification(self, body: bytes, headers: Mapping[str, str]) -> Paid | Returned | None:
        """What a notification says was paid or given back, None when it speaks of neither. Raises Forged."""

    async def remember(self, headers: Mapping[str, str]) -> None:
        """A notification has been dealt with."""

    def answer(self, taken: bool) -> Answer:
        """The gateway's words for yes and no."""


def yuan(fen: int) -> str:
    """`1900` as `19.00`."""
    return f"{fen // 100}.{fen % 100:02d}"


def china_time(ms: int) -> datetime:
    """A moment on China's clocks, in whole seconds."""
    return datetime.fromtimestamp(ms // 1000, CHINA)


def moment(text: str, form: str = "") -> int:
    """A gateway's time as ms: in `form` on China's clocks, or ISO 8601. Raises ValueError."""
    read = datetime.strptime(text, form).replace(tzinfo=CHINA) if form else datetime.fromisoformat(text)
    return int(read.timestamp() * 1000)
