"""Calls about the user: codes, sessions, sign-in by another device, rights, the end of an account."""

import asyncio

from typing_extensions import TypedDict

from api import caller
from api.body import Nothing, RightsQuery
from api.caller import Caller
from api.calls import Asked, Call, Signed
from api.toolkit.tools import tool_by_id
from api.user import accounts, codes, login, tickets
from api.user.erasing import erase_person
from api.user.login import CodeSent
from api.user.profile import User, user_view
from api.user.queries import ConfirmQuery, LoginQuery, PasswordQuery, SendQuery, TicketQuery
from api.user.rights import UserRights, user_rights
from api.user.tickets import State


class SignedIn(TypedDict):
    """Answer of dynamicPwdLogin."""

    user: User


class QrCode(TypedDict):
    """Answer of getLoginQrCode; `expiresAt` in ms."""

    qrId: str
    url: str
    svg: str
    expiresAt: int


class QrStatus(TypedDict):
    """Answer of checkLoginStatus; `user` only with the CONFIRMED that signs in."""

    status: State
    user: User | None


class QrAsker(TypedDict):
    """Answer of confirmLogin: how the ticket stands, and who wants to sign in from where."""

    status: State
    device: str
    place: str
    sameNetwork: bool
    createdAt: int


class Done(TypedDict):
    """Answer of calls that have nothing to tell."""


async def send_dynamic_pwd(asked: Asked[SendQuery]) -> CodeSent:
    return await login.send_code(asked.given.account, asked.caller, asked.language)


async def dynamic_pwd_login(asked: Asked[LoginQuery]) -> Signed:
    asker = asked.known.owner if asked.known else ""
    account = await login.check_code(asked.given.account, asked.given.pwd, asked.address, asker, asked.language)
    pair = await login.begin_session(account, asked.known, asked.client.token)
    return Signed({"user": await user_view(account, asked.language)}, pair)


def get_login_qr_code(asked: Asked[Nothing]) -> QrCode:
    ticket = tickets.issue(asked.caller, asked.client)
    url = f"{asked.pages}/UserInfo?qrId={ticket.id}"
    return {"qrId": ticket.id, "url": url, "svg": tickets.qr_svg(url), "expiresAt": ticket.expires}


async def check_login_status(asked: Asked[TicketQuery]) -> Signed | QrStatus:
    """CONFIRMED comes with the tokens, once."""
    ticket = await asyncio.to_thread(tickets.poll, asked.caller, asked.given.qr_id)
    account = await accounts.by_id(ticket.phone) if ticket.status == "CONFIRMED" else None
    if account is None:
        return {"status": "EXPIRED" if ticket.status == "CONFIRMED" else ticket.status, "user": None}
    pair = await login.begin_session(account, asked.known, asked.client.token)
    return Signed({"status": ticket.status, "user": await user_view(account, asked.language)}, pair)


def confirm_login(asked: Asked[ConfirmQuery]) -> QrAsker:
    ticket = tickets.answer(asked.caller.owner, asked.given.qr_id, asked.given.step)
    return {
        "status": ticket.status,
        "device": ticket.device,
        "place": ticket.place,
        "sameNetwork": ticket.near(asked.client.ip),
        "createdAt": ticket.created,
    }


async def get_user(asked: Asked[Nothing]) -> User:
    return await user_view(await login.account_of(asked.caller), asked.language)


async def log_out(asked: Asked[Nothing]) -> Signed:
    await asyncio.to_thread(caller.sign_out, asked.client.token)
    return Signed({}, None)


async def delete_account(asked: Asked[PasswordQuery]) -> Signed:
    account = await login.account_of(asked.caller)
    await asyncio.to_thread(codes.spend, account.name, asked.given.pwd, asked.address, account.id)
    await erase_person(account)
    return Signed({}, None)


async def get_user_rights(asked: Asked[RightsQuery]) -> UserRights:
    """The caller's rights, with any tool; before the first upload those of a new visitor at this address."""
    if asked.given.tool_id is not None:
        tool_by_id(asked.given.tool_id)
    return await user_rights(asked.known or Caller("", "visitor", asked.address))


CALLS = (
    Call(
        path="/api/user/user/sendDynamicPwd",
        summary="Send a one-time password to an e-mail address or a mobile number",
        run=send_dynamic_pwd,
        answer=CodeSent,
        given=SendQuery,
        identity="minted",
    ),
    Call(
        path="/api/user/user/dynamicPwdLogin",
        summary="Sign in with a one-time password; an unknown account begins to exist",
        run=dynamic_pwd_login,
        answer=SignedIn,
        given=LoginQuery,
        identity="open",
    ),
    Call(
        path="/api/user/user/getLoginQrCode",
        summary="A QR code by which a signed-in phone signs this browser in",
        run=get_login_qr_code,
        answer=QrCode,
        identity="minted",
    ),
    Call(
        path="/api/user/user/checkLoginStatus",
        summary="How this browser's QR code stands; CONFIRMED signs in, once",
        run=check_login_status,
        answer=QrStatus,
        given=TicketQuery,
    ),
    Call(
        path="/api/user/user/confirmLogin",
        summary="The phone's word about a QR code: scanned, confirmed or refused",
        run=confirm_login,
        answer=QrAsker,
        given=ConfirmQuery,
        identity="account",
    ),
    Call(
        path="/api/user/user/getUser",
        summary="The signed-in user",
        run=get_user,
        answer=User,
        identity="account",
    ),
    Call(
        path="/api/user/user/logout",
        summary="End this session",
        run=log_out,
        answer=Done,
    ),
    Call(
        path="/api/user/user/deleteAccount",
        summary="Erase the person: account, sessions, tasks and files at once",
        run=delete_account,
        answer=Done,
        given=PasswordQuery,
        identity="account",
    ),
    Call(
        path="/api/user/user/getUserRights",
        summary="What the caller may do",
        run=get_user_rights,
        answer=UserRights,
        given=RightsQuery,
        identity="open",
    ),
)
