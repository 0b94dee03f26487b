"""The sandbox's cashier page: plain HTML without script, in both languages."""

import hashlib
from base64 import b64encode
from html import escape
from pathlib import Path

from api.member.sandbox import Slip
from api.member.wallet import yuan
from cluster.words import Language

_ZH = {
    "title": "沙箱收银台",
    "alipay": "支付宝",
    "weixin": "微信支付",
    "note": "测试环境：不会真的扣款。",
    "what": "{title}",
    "order": "订单号",
    "pay": "付款",
    "fail": "付款失败",
    "silent": "付款，但不发送通知",
    "silent_note": "最后一种模拟通知丢失：网站会主动向网关查询。",
    "gone": "找不到这笔订单",
    "gone_note": "它可能已过期，请回到原页面重新下单。",
    "back": "返回",
    "paid": "这笔订单已付款",
    "closed": "这笔订单已关闭",
    "refunded": "这笔订单已退款",
}
_EN = {
    "title": "Sandbox cashier",
    "alipay": "Alipay",
    "weixin": "WeChat Pay",
    "note": "For testing: nobody is charged.",
    "what": "Papercrane membership",
    "order": "Order",
    "pay": "Pay",
    "fail": "Fail",
    "silent": "Pay, but never notify",
    "silent_note": "The last one loses the notification: the site asks the gateway by itself.",
    "gone": "There is no such order",
    "gone_note": "It may have expired. Go back to where you came from and order again.",
    "back": "Back",
    "paid": "This order is paid",
    "closed": "This order is closed",
    "refunded": "This order was refunded",
}
_STYLE = Path(__file__).with_name("cashier.css").read_text("utf-8")
POLICY = (
    "default-src 'none'; "
    f"style-src 'sha256-{b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)


def page(slip: Slip | None, language: Language) -> str:
    """The cashier for one order."""
    words = _ZH if language == "zh" else _EN
    if slip is None:
        inside = f"<section><h2>{words['gone']}</h2><p class=lead>{words['gone_note']}</p></section>"
        return _whole(inside, "alipay", words, language)
    deeds = _deeds(slip, words) if slip.state == "open" else _over(slip, words)
    inside = (
        f"<header><b>{words[slip.wallet]}</b><span>{words['title']}</span></header><section>"
        f"<p class=note>{words['note']}</p><h1>{escape(words['what'].format(title=slip.title))}</h1>"
        f"<p class=amount>¥{yuan(slip.amount)}</p>"
        f"<dl><dt>{words['order']}</dt><dd>{escape(slip.number)}</dd></dl>{deeds}</section>"
    )
    return _whole(inside, slip.wallet, words, language)


def _deeds(slip: Slip, words: dict[str, str]) -> str:
    buttons = "".join(
        f"<button name=deed value={deed} data-testid=cashier-{deed}{' class=first' if deed == 'pay' else ''}>"
        f"{words[deed]}</button>"
        for deed in ("pay", "fail", "silent")
    )
    hidden = f'<input type=hidden name=orderNo value="{escape(slip.number)}">'
    return f"<form method=post action=/sandbox/cashier>{hidden}{buttons}</form><small>{words['silent_note']}</small>"


def _over(slip: Slip, words: dict[str, str]) -> str:
    return f'<h2>{words[slip.state]}</h2><a class=go href="{escape(slip.back)}">{words["back"]}</a>'


def _whole(inside: str, wallet: str, words: dict[str, str], language: Language) -> str:
    return (
        f"<!doctype html><html lang={'zh-CN' if language == 'zh' else 'en'} class={wallet}><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width,initial-scale=1'><meta name=robots content=noindex>"
        f"<title>{words['title']}</title><style>{_STYLE}</style><main>{inside}</main></html>"
    )
