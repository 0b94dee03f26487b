"""What is kept about money: preorders, orders, and two ledgers whose rows are never changed.

    preorder ──< orders (one a wallet, channel and payer) ──< money_event
        └──────< membership_event          (unique: preorder and kind)

Amounts are whole fen, times are milliseconds. An erased account leaves its orders without a name.
"""

from enum import IntEnum

from sqlalchemy import BigInteger, ForeignKey, Identity, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from api.database import Base

#: Kinds of money events that say how a refund stands before it is done: the newest does.
REFUNDING = ("refund_asked", "refund_failed", "refund_part")


class OrderStatus(IntEnum):
    """UNPAID → PAID | CLOSED; PAID → REFUNDED; CLOSED → PAID when the money came after all."""

    UNPAID = 1
    PAID = 2
    CLOSED = 3
    REFUNDED = 4


def _account() -> Mapped[str | None]:
    return mapped_column(ForeignKey("account.id", ondelete="SET NULL"), index=True)


def _row_id() -> Mapped[int]:
    # SQLite counts up only an INTEGER key.
    return mapped_column(BigInteger().with_variant(Integer, "sqlite"), Identity(), primary_key=True)


class Preorder(Base):
    """A package at a frozen price."""

    __tablename__ = "preorder"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    account_id: Mapped[str | None] = _account()
    package: Mapped[str] = mapped_column(String(40))
    months: Mapped[int]
    amount: Mapped[int]
    created_at: Mapped[int] = mapped_column(BigInteger)
    expires_at: Mapped[int] = mapped_column(BigInteger)


class Order(Base):
    """A preorder as one wallet was asked to collect it; `status` and `paid_at` are all that ever changes.

    `payer` tells apart whom the gateway was told of, where it is told (orders.payer_mark), else it is empty.
    """

    __tablename__ = "orders"
    __table_args__ = (UniqueConstraint("preorder_id", "wallet", "channel", "payer"),)

    number: Mapped[str] = mapped_column(String(32), primary_key=True)
    preorder_id: Mapped[str] = mapped_column(ForeignKey("preorder.id"))
    wallet: Mapped[str] = mapped_column(String(10))
    channel: Mapped[str] = mapped_column(String(10))
    payer: Mapped[str] = mapped_column(String(32), default="", server_default="")
    account_id: Mapped[str | None] = _account()
    package: Mapped[str] = mapped_column(String(40))
    months: Mapped[int]
    amount: Mapped[int]
    status: Mapped[int] = mapped_column(index=True)
    created_at: Mapped[int] = mapped_column(BigInteger)
    expires_at: Mapped[int] = mapped_column(BigInteger)
    paid_at: Mapped[int | None] = mapped_column(BigInteger)


class MoneyEvent(Base):
    """What happened about money, also what we refused to believe. `trade` is the gateway's number.

    kind: created, paid, repeated, closed, refund_due, refund_asked (the gateway is still at it), refund_failed,
    refund_part (less than all came back), refunded, refused. `reason` of trouble: refund_due (already_granted,
    account_gone, paid_twice), refund_failed (the gateway's own word), refused (see notify.py).
    """

    __tablename__ = "money_event"

    id: Mapped[int] = _row_id()
    order_number: Mapped[str | None] = mapped_column(String(64), index=True)
    wallet: Mapped[str] = mapped_column(String(10))
    kind: Mapped[str] = mapped_column(String(20))
    reason: Mapped[str] = mapped_column(String(40), default="")
    trade: Mapped[str] = mapped_column(String(64), default="")
    amount: Mapped[int | None]
    at: Mapped[int] = mapped_column(BigInteger)


class MembershipEvent(Base):
    """One change of somebody's membership: `seconds` more or fewer, and until when it then lasts.

    kind: granted, sent, received, refunded. One of each kind a preorder: a grant cannot happen twice,
    and what was bought can be passed on once.
    """

    __tablename__ = "membership_event"
    __table_args__ = (UniqueConstraint("preorder_id", "kind"),)

    id: Mapped[int] = _row_id()
    account_id: Mapped[str | None] = _account()
    preorder_id: Mapped[str] = mapped_column(ForeignKey("preorder.id"))
    kind: Mapped[str] = mapped_column(String(10))
    package: Mapped[str] = mapped_column(String(40))
    seconds: Mapped[int] = mapped_column(BigInteger)
    expires_at: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[int] = mapped_column(BigInteger)
