"""Calls about packages, orders, payment and membership."""

import asyncio

from api.body import Nothing
from api.calls import Asked, Call
from api.member import buying, membership, orders, packages
from api.member.buying import OpenedView, OpenidView, OrdersView, PackagesView, PreorderView, PriceView, StatusView
from api.member.given import (
    AlipayQuery,
    OpenidQuery,
    OrdersQuery,
    PackageQuery,
    PayQuery,
    PreorderQuery,
    TransferQuery,
    WeixinQuery,
)
from api.member.transfer import Transferred, transfer


async def get_member_package(asked: Asked[Nothing]) -> PackagesView:
    account = asked.known.account if asked.known else None
    held = await membership.standing(account) if account else None
    return {
        "packages": [each.view(asked.language) for each in packages.packages()],
        "membership": membership.member_view(held, asked.language) if held else None,
    }


async def create_preorder(asked: Asked[PackageQuery]) -> PreorderView:
    made = await orders.make_preorder(asked.caller.owner, packages.package(asked.given.package_id))
    return await asyncio.to_thread(buying.preorder_view, made, asked.site, asked.language)


async def create_alipay_order(asked: Asked[AlipayQuery]) -> OpenedView:
    return await buying.open_order(asked, "alipay")


async def create_weixin_order(asked: Asked[WeixinQuery]) -> OpenedView:
    return await buying.open_order(asked, "weixin")


CALLS = (
    Call(
        path="/api/member/memberpackage/getMemberPackage",
        summary="Packages on sale, and how the caller's membership stands",
        run=get_member_package,
        answer=PackagesView,
        identity="open",
    ),
    Call(
        path="/api/member/preorder/createPreorder",
        summary="Keep a package's price for half an hour",
        run=create_preorder,
        answer=PreorderView,
        given=PackageQuery,
        identity="account",
    ),
    Call(
        path="/api/member/preorder/getPreorder",
        summary="What a preorder costs, for who may pay it",
        run=buying.price,
        answer=PriceView,
        given=PreorderQuery,
        identity="open",
    ),
    Call(
        path="/api/member/order/createAlipayOrder",
        summary="Pay a preorder by Alipay; the same preorder and channel twice give the same order",
        run=create_alipay_order,
        answer=OpenedView,
        given=AlipayQuery,
        identity="open",
    ),
    Call(
        path="/api/member/order/createWeixinOrder",
        summary="Pay a preorder by WeChat Pay; the same preorder, channel and payer twice give the same order",
        run=create_weixin_order,
        answer=OpenedView,
        given=WeixinQuery,
        identity="open",
    ),
    Call(
        path="/api/member/pay/weixinOpenid",
        summary="Who pays inside WeChat, by the code that its authorization gave",
        run=buying.weixin_openid,
        answer=OpenidView,
        given=OpenidQuery,
        identity="open",
    ),
    Call(
        path="/api/member/pay/checkPayStatus",
        summary="What became of an order, a preorder, or the newest order",
        run=buying.pay_status,
        answer=StatusView | None,
        given=PayQuery,
        identity="open",
    ),
    Call(
        path="/api/member/order/getUserOrders",
        summary="The account's orders, page by page",
        run=buying.order_page,
        answer=OrdersView,
        given=OrdersQuery,
        identity="account",
    ),
    Call(
        path="/api/member/member/transfer",
        summary="Pass what remains of the membership on to another account",
        run=transfer,
        answer=Transferred,
        given=TransferQuery,
        identity="account",
    ),
)
