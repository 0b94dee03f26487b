"""Buying: from a package to a wallet's payment page, and what came of it, as the calls answer."""

import asyncio
from collections.abc import Mapping
from urllib.parse import urlencode

import structlog
from typing_extensions import TypedDict

from api.calls import Asked, path_prefix
from api.member import asking, orders, packages, payer
from api.member.given import AlipayQuery, OpenidQuery, OrdersQuery, PayQuery, PreorderQuery, WeixinQuery
from api.member.membership import MemberView
from api.member.orders import find_preorder, key_of
from api.member.packages import PackageView
from api.member.records import Order, OrderStatus, Preorder
from api.member.wallet import Bill, GatewayError, Opened, WalletName
from api.member.wallets import is_sandbox, wallets
from api.problems import Refusal
from api.settings import settings
from api.user.tickets import qr_svg
from cluster.queue import now_ms
from cluster.words import Language

log = structlog.get_logger()


class PackagesView(TypedDict):
    """Answer of getMemberPackage; `membership` null for a visitor."""

    packages: list[PackageView]
    membership: MemberView | None


class PreorderView(TypedDict):
    """Answer of createPreorder; who has `unionUrl` may pay without being signed in."""

    preorderId: str
    amount: int
    expiresAt: int
    packageId: str
    packageName: str
    months: int
    unionUrl: str
    unionSvg: str


class PriceView(TypedDict):
    """Answer of getPreorder."""

    amount: int
    packageName: str
    months: int
    expiresAt: int


class OpenedView(TypedDict):
    """Answer of createAlipayOrder and createWeixinOrder: one of `payUrl`, `codeUrl`, `jsapi`."""

    orderNo: str
    amount: int
    packageName: str
    payUrl: str | None
    codeUrl: str | None
    codeSvg: str | None
    jsapi: Mapping[str, str] | None
    expiresAt: int


class OpenidView(TypedDict):
    """Answer of weixinOpenid."""

    openid: str


class StatusView(TypedDict):
    """Answer of checkPayStatus."""

    orderNo: str
    status: int
    paidAt: int | None
    amount: int
    packageName: str


class OrderView(TypedDict):
    orderNo: str
    preorderId: str
    packageId: str
    packageName: str
    months: int
    amount: int
    status: int
    wallet: str
    createdAt: int
    paidAt: int | None
    expiresAt: int
    payable: bool
    transferred: bool


class OrdersView(TypedDict):
    items: list[OrderView]
    total: int


def preorder_view(made: Preorder, site: str, language: Language) -> PreorderView:
    """A preorder, with the address that either wallet can scan."""
    url = union_url(made, site, language)
    return {
        "preorderId": made.id,
        "amount": made.amount,
        "expiresAt": made.expires_at,
        "packageId": made.package,
        "packageName": packages.name(made.package, language),
        "months": made.months,
        "unionUrl": url,
        "unionSvg": qr_svg(url),
    }


def union_url(preorder: Preorder, site: str, language: Language) -> str:
    """The cashier's page for whoever has this address."""
    query = urlencode({"preorderId": preorder.id, "key": key_of(preorder.id)})
    return f"{_base(site)}{path_prefix(language)}/pay/union?{query}"


async def price(asked: Asked[PreorderQuery]) -> PriceView:
    """What a preorder costs, for who may pay it. Raises Refusal."""
    account = asked.known.account if asked.known else None
    found = await find_preorder(asked.given.preorder_id, account, asked.given.key)
    return {
        "amount": found.amount,
        "packageName": packages.name(found.package, asked.language),
        "months": found.months,
        "expiresAt": found.expires_at,
    }


async def weixin_openid(asked: Asked[OpenidQuery]) -> OpenidView:
    """Who pays inside WeChat, by the code that it gave their page. Raises Refusal."""
    given, account = asked.given, asked.known.account if asked.known else None
    preorder = await find_preorder(given.preorder_id, account, given.key)
    try:
        openid = await payer.openid_of(given.code)
    except GatewayError as error:
        log.warning("gateway", wallet="weixin", code=error.code)
        raise Refusal("gateway_unavailable", retry=30) from None
    if openid is None:
        raise payer.unknown(union_url(preorder, asked.site, asked.language))
    return {"openid": openid}


async def open_order(asked: Asked[AlipayQuery] | Asked[WeixinQuery], name: WalletName) -> OpenedView:
    """The wallet's order for a preorder, opened at its gateway. Raises Refusal."""
    given, account = asked.given, asked.known.account if asked.known else None
    preorder = await find_preorder(given.preorder_id, account, given.key)
    openid = given.openid or "" if isinstance(given, WeixinQuery) else ""
    if given.channel == "jsapi" and not openid and not is_sandbox(name):
        raise payer.unknown(union_url(preorder, asked.site, asked.language))
    order = await orders.order_for(preorder.id, name, given.channel, _payer(preorder, asked, openid))
    # Who is not signed in where the wallet sends them back to needs the key again to see the result.
    home = preorder.account_id == account and _base(asked.site) == asked.origin
    more = {} if home else {"preorderId": preorder.id, "key": key_of(preorder.id)}
    bill = _bill(order, asked, {"orderNo": order.number, **more}, openid)
    try:
        opened = await wallets()[name].create(bill)
    except GatewayError as error:
        log.warning("gateway", wallet=name, code=error.code)
        raise Refusal("gateway_unavailable", retry=30) from None
    # Drawing a QR code takes some milliseconds of one core.
    return await asyncio.to_thread(_opened_view, order, opened, asked.language)


def _payer(preorder: Preorder, asked: Asked[AlipayQuery] | Asked[WeixinQuery], openid: str) -> str:
    """WeChat is told of the payer at two channels, and refuses an order that comes back with another."""
    told = {"jsapi": openid, "h5": asked.client.ip}.get(asked.given.channel)
    return orders.payer_mark(preorder.id, told) if told else ""


def _bill(order: Order, asked: Asked[AlipayQuery] | Asked[WeixinQuery], query: dict[str, str], openid: str) -> Bill:
    """`query`: what the page shows that the payer comes back to."""
    base = _base(asked.site)
    site, wallet = f"{base}{path_prefix(asked.language)}/pay", order.wallet
    return Bill(
        number=order.number,
        amount=order.amount,
        # Gateways refuse an order that comes again under another title, so it depends on nothing else.
        title=f"纸鹤会员 {order.months} 个月",
        channel=order.channel,
        expires_at=order.expires_at,
        notify_url=f"{base}/api/member/pay/{wallet}Notify",
        return_url=f"{site}/{'union' if wallet == 'alipay' else 'weixin'}?{urlencode(query)}",
        error_url=f"{site}/error?{urlencode({**query, 'reason': 'declined'})}",
        openid=openid,
        client_ip=asked.client.ip,
    )


def _opened_view(order: Order, opened: Opened, language: Language) -> OpenedView:
    return {
        "orderNo": order.number,
        "amount": order.amount,
        "packageName": packages.name(order.package, language),
        "payUrl": opened.pay_url,
        "codeUrl": opened.code_url,
        "codeSvg": qr_svg(opened.code_url) if opened.code_url else None,
        "jsapi": opened.jsapi,
        "expiresAt": order.expires_at,
    }


async def pay_status(asked: Asked[PayQuery]) -> StatusView | None:
    """The order that is asked for, fresh from its gateway when it is not paid yet. Raises Refusal."""
    order = await _asked_order(asked)
    if order is None:
        return None
    order = await asking.freshened(order)
    return {
        "orderNo": order.number,
        "status": order.status,
        "paidAt": order.paid_at,
        "amount": order.amount,
        "packageName": packages.name(order.package, asked.language),
    }


async def _asked_order(asked: Asked[PayQuery]) -> Order | None:
    given, account = asked.given, asked.known.account if asked.known else None
    if given.preorder_id is not None:
        preorder = await find_preorder(given.preorder_id, account, given.key)
        if given.order_no is None:
            return await orders.newest_order(preorder=preorder.id)
        return _or_unknown(await orders.find_order(given.order_no), preorder_id=preorder.id)
    if account is None:
        raise Refusal("sign_in")
    if given.order_no is not None:
        return _or_unknown(await orders.find_order(given.order_no), account_id=account)
    return await orders.newest_order(account=account)


def _or_unknown(order: Order | None, **owned: str) -> Order:
    if order is None or any(getattr(order, name) != value for name, value in owned.items()):
        raise Refusal("order_unknown")
    return order


async def order_page(asked: Asked[OrdersQuery]) -> OrdersView:
    """One page of the account's orders, newest first."""
    found, total = await orders.listed(asked.caller.owner, asked.given.page, asked.given.size)
    items = [_order_view(order, passed, asked.language) for order, passed in found]
    return {"items": items, "total": total}


def _order_view(order: Order, passed: bool, language: Language) -> OrderView:
    open_still = order.status == OrderStatus.UNPAID and order.expires_at > now_ms()
    return {
        "orderNo": order.number,
        "preorderId": order.preorder_id,
        "packageId": order.package,
        "packageName": packages.name(order.package, language),
        "months": order.months,
        "amount": order.amount,
        "status": order.status,
        "wallet": order.wallet,
        "createdAt": order.created_at,
        "paidAt": order.paid_at,
        "expiresAt": order.expires_at,
        "payable": open_still,
        "transferred": passed,
    }


def _base(site: str) -> str:
    """Where payers and gateways reach us."""
    return settings().public_url.rstrip("/") or site
