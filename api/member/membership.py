"""Membership: a ledger of what accounts were granted, passed on and gave back."""

import time
from dataclasses import dataclass

from sqlalchemy import select

from api.database import reading
from api.member.records import MembershipEvent


@dataclass(frozen=True)
class Standing:
    """How an account stands now; `expires_at` in ms, None when it never was a member."""

    expires_at: int | None = None
    package: str | None = None

    @property
    def active(self) -> bool:
        return self.expires_at is not None and self.expires_at > now_ms()

    @property
    def expired(self) -> bool:
        return self.expires_at is not None and not self.active


async def standing(account: str) -> Standing:
    """The account's standing: its newest row tells."""
    newest = (
        select(MembershipEvent.expires_at, MembershipEvent.package)
        .where(MembershipEvent.account_id == account)
        .order_by(MembershipEvent.id.desc())
        .limit(1)
    )
    async with reading() as session:
        row = (await session.execute(newest)).first()
    return Standing(row.expires_at, row.package) if row else Standing()


def now_ms() -> int:
    return time.time_ns() // 1_000_000
