"""Signatures that accounts keep: sealed rows, gone with the account."""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, String, Text, delete, func, select
from sqlalchemy.orm import Mapped, mapped_column

from api.caller import new_id
from api.database import Base, reading, scrub, writing
from api.problems import Refusal
from cluster.queue import now_ms
from cluster.seal import seal, unseal

#: Signatures of one account.
MOST = 20


class SavedSignature(Base):
    """One look of cluster.signing as JSON, sealed for the account; `created_at` in ms."""

    __tablename__ = "saved_signature"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), index=True)
    look: Mapped[str] = mapped_column(Text)
    created_at: Mapped[int] = mapped_column(BigInteger)


@dataclass(frozen=True)
class Kept:
    """A signature as its owner gets it back."""

    id: str
    look: Any
    created: int


async def of_account(account: str) -> list[Kept]:
    """The newest first."""
    newest = select(SavedSignature).where(SavedSignature.account_id == account)
    async with reading() as session:
        rows = (await session.execute(newest.order_by(SavedSignature.created_at.desc()))).scalars()
    return [Kept(row.id, json.loads(unseal(row.look, account)), row.created_at) for row in rows]


async def keep(account: str, look: Any) -> Kept:
    """Keep a look. Raises Refusal when the account has MOST."""
    made = Kept(new_id(), look, now_ms())
    sealed = seal(json.dumps(look, ensure_ascii=False), account)
    count = select(func.count()).where(SavedSignature.account_id == account)
    async with writing() as session:
        if (await session.execute(count)).scalar_one() >= MOST:
            raise Refusal("signatures_full", limit=MOST)
        session.add(SavedSignature(id=made.id, account_id=account, look=sealed, created_at=made.created))
    return made


async def drop(account: str, signature: str) -> None:
    """Delete one. Raises Refusal where the account has none of that id."""
    mine = SavedSignature.account_id == account, SavedSignature.id == signature
    async with writing() as session:
        if not (await session.execute(delete(SavedSignature).where(*mine).returning(SavedSignature.id))).all():
            raise Refusal("signature_unknown")
    await scrub()


async def forget(account: str) -> None:
    """Delete all of them; the account's end overwrites what is deleted."""
    async with writing() as session:
        await session.execute(delete(SavedSignature).where(SavedSignature.account_id == account))
