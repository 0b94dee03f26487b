"""Calls about signatures: a pad on the phone, and what an account keeps."""

from typing import Any

from typing_extensions import TypedDict

from api.body import Nothing
from api.calls import Asked, Call
from api.sign import pads, saved
from api.sign.bodies import LookBody, PadBody, PadQuery, SignatureQuery
from api.sign.pads import State
from api.sign.saved import Kept
from api.user.login import account_of
from api.user.tickets import qr_svg


class PadCode(TypedDict):
    """Answer of getPad; `expiresAt` in ms."""

    padId: str
    url: str
    svg: str
    expiresAt: int


class PadStatus(TypedDict):
    """Answer of checkPad: what is drawn by now, `{strokes, width, height}`; DONE comes once."""

    status: State
    ink: Any


class PadDrawn(TypedDict):
    """Answer of drawPad: whether the pad still takes strokes (OPEN), has what it wanted (DONE), or is over."""

    status: State
    expiresAt: int


class Signature(TypedDict):
    """A kept signature; `createdAt` in ms."""

    id: str
    look: Any
    createdAt: int


class Signatures(TypedDict):
    """Answer of getSignatures, the newest first."""

    items: list[Signature]


class Done(TypedDict):
    """Answer of calls that have nothing to tell."""


def get_pad(asked: Asked[Nothing]) -> PadCode:
    pad = pads.issue(asked.caller)
    url = f"{asked.pages}/SignPad?padId={pad.id}"
    return {"padId": pad.id, "url": url, "svg": qr_svg(url), "expiresAt": pad.expires}


def check_pad(asked: Asked[PadQuery]) -> PadStatus:
    pad = pads.look(asked.caller, asked.given.pad_id)
    return {"status": pad.status, "ink": pad.ink}


def draw_pad(asked: Asked[PadBody]) -> PadDrawn:
    given = asked.given
    pad = pads.draw(asked.caller, given.pad_id, given.ink and given.ink.model_dump(), given.done)
    return {"status": pad.status, "expiresAt": pad.expires}


async def get_signatures(asked: Asked[Nothing]) -> Signatures:
    account = await account_of(asked.caller)
    return {"items": [_view(each) for each in await saved.of_account(account.id)]}


async def save_signature(asked: Asked[LookBody]) -> Signature:
    account = await account_of(asked.caller)
    return _view(await saved.keep(account.id, asked.given.look.model_dump()))


async def delete_signature(asked: Asked[SignatureQuery]) -> Done:
    account = await account_of(asked.caller)
    await saved.drop(account.id, asked.given.signature_id)
    return {}


def _view(kept: Kept) -> Signature:
    return {"id": kept.id, "look": kept.look, "createdAt": kept.created}


CALLS = (
    Call(
        path="/api/sign/pad/getPad",
        summary="A QR code by which a phone becomes a pad for this browser",
        run=get_pad,
        answer=PadCode,
        identity="minted",
    ),
    Call(
        path="/api/sign/pad/checkPad",
        summary="What is drawn on this browser's pad by now; DONE is told once",
        run=check_pad,
        answer=PadStatus,
        given=PadQuery,
    ),
    Call(
        path="/api/sign/pad/drawPad",
        summary="The phone's strokes",
        run=draw_pad,
        answer=PadDrawn,
        method="POST",
        given=PadBody,
        identity="minted",
    ),
    Call(
        path="/api/sign/saved/getSignatures",
        summary="The signatures that the account keeps",
        run=get_signatures,
        answer=Signatures,
        identity="account",
    ),
    Call(
        path="/api/sign/saved/saveSignature",
        summary="Keep a signature, sealed, for next time",
        run=save_signature,
        answer=Signature,
        method="POST",
        given=LookBody,
        identity="account",
    ),
    Call(
        path="/api/sign/saved/deleteSignature",
        summary="Delete a kept signature",
        run=delete_signature,
        answer=Done,
        given=SignatureQuery,
        identity="account",
    ),
)
