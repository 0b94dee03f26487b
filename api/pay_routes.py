"""Payment beyond the calls: notifications of gateways (their bodies, their answers) and the sandbox's cashier page."""

import asyncio
from typing import Any, cast

from sanic import HTTPResponse, Request, Sanic
from sanic.response import html, redirect

from api.member import asking, cashier, notify, sandbox
from api.member.wallet import WalletName
from api.member.wallets import is_sandbox, wallets
from api.web import language

NOTIFICATIONS: dict[WalletName, str] = {
    "alipay": "/api/member/pay/alipayNotify",
    "weixin": "/api/member/pay/weixinNotify",
}
_CASHIER = "/sandbox/cashier"
_HEADERS = {"Cache-Control": "no-store", "Content-Security-Policy": cashier.POLICY}


def add_payment(app: Sanic[Any, Any]) -> None:
    """Serve both gateways' notifications, and the cashier of those that are sandboxes."""
    for name, path in NOTIFICATIONS.items():
        app.add_route(_notified(name), path, methods=["POST"], name=f"notify_{name}")
    if any(is_sandbox(name) for name in wallets()):
        app.add_route(show, _CASHIER, methods=["GET"], name="cashier")
        app.add_route(decide, _CASHIER, methods=["POST"], name="cashier_deed")
    app.before_server_start(_watch)
    app.before_server_stop(_rest)


def _notified(name: WalletName) -> Any:
    async def take(request: Request) -> HTTPResponse:
        headers = {key.lower(): value for key, value in request.headers.items()}
        answer = await notify.receive(name, request.body, headers)
        return HTTPResponse(answer.body, answer.status, {"Cache-Control": "no-store"}, answer.content_type)

    return take


async def show(request: Request) -> HTTPResponse:
    """The cashier page."""
    slip = await asyncio.to_thread(sandbox.find, request.args.get("orderNo") or "")
    return html(cashier.page(slip, language(request)), 200 if slip else 404, _HEADERS)


async def decide(request: Request) -> HTTPResponse:
    """What the payer chose; they go back where the gateway would send them."""
    form = cast(Any, request.form)
    deed, number = form.get("deed"), form.get("orderNo") or ""
    slip = await asyncio.to_thread(sandbox.find, number)
    if slip is None or slip.state != "open" or deed not in ("pay", "fail", "silent"):
        return html(cashier.page(slip, language(request)), 409 if slip else 404, _HEADERS)
    if deed == "fail":
        return redirect(slip.failed, _HEADERS, 303)
    await asyncio.to_thread(sandbox.pay, number)
    paid = await asyncio.to_thread(sandbox.find, number)
    if deed == "pay" and paid:
        await sandbox.notify(paid)
    return redirect(slip.back, _HEADERS, 303)


async def _watch(app: Sanic[Any, Any]) -> None:
    app.ctx.watch = asyncio.create_task(asking.watch())


async def _rest(app: Sanic[Any, Any]) -> None:
    app.ctx.watch.cancel()
