"""Who pays inside WeChat: its own script collects from an openid, which a silent authorization tells us."""

from urllib.parse import urlencode

import httpx

from api.member.wallet import PATIENCE, GatewayError
from api.problems import Refusal
from api.settings import settings

_AUTHORIZE = "https://open.weixin.qq.com/connect/oauth2/authorize"
#: The code is unknown, used or too old: the payer gets another one.
_STALE = (40029, 40163, 42003)


def unknown(page: str) -> Refusal:
    """WeChat must tell first who pays: `authorizeUrl` leads there and back to `page`; null where it is not set up."""
    return Refusal("openid_required", data={"authorizeUrl": _authorize_url(page) if settings().weixin_secret else None})


def _authorize_url(page: str) -> str:
    # WeChat compares the parameters in this order.
    query = urlencode(
        {
            "appid": settings().weixin_app_id,
            "redirect_uri": page,
            "response_type": "code",
            "scope": "snsapi_base",
            "state": "pay",
        }
    )
    return f"{_AUTHORIZE}?{query}#wechat_redirect"


async def openid_of(code: str) -> str | None:
    """The openid behind a code, None when the code is no longer good. Raises GatewayError."""
    chosen = settings()
    if not chosen.weixin_secret:
        raise GatewayError("no_secret")
    query = {
        "appid": chosen.weixin_app_id,
        "secret": chosen.weixin_secret,
        "code": code,
        "grant_type": "authorization_code",
    }
    try:
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            answer = await client.get(f"{chosen.weixin_accounts}/sns/oauth2/access_token", params=query)
        told = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        raise GatewayError(type(error).__name__) from None
    if not isinstance(told, dict) or answer.status_code != 200:
        raise GatewayError(f"http_{answer.status_code}")
    if told.get("errcode") in _STALE:
        return None
    openid = told.get("openid")
    if not isinstance(openid, str) or not 1 <= len(openid) <= 128:
        raise GatewayError(f"openid_{told.get('errcode')}"[:60])
    return openid
