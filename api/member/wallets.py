"""Which wallets there are: by settings the real ones, else the sandbox's, which production refuses."""

from functools import cache

from api.member.alipay import Alipay, AlipayMerchant
from api.member.keys import private_key, public_key
from api.member.records import Order
from api.member.sandbox import SandboxAlipay, SandboxWeixin
from api.member.wallet import Wallet, WalletName
from api.member.weixin import Weixin, WeixinMerchant
from api.settings import PREFIX, settings
from cluster.settings import settings as cluster_settings

#: What a merchant's account needs; WeChat's public key (both or neither) may be left out.
_NEEDED: dict[WalletName, tuple[str, ...]] = {
    "alipay": ("alipay_app_id", "alipay_key", "alipay_public_key"),
    "weixin": ("weixin_app_id", "weixin_mchid", "weixin_serial", "weixin_key", "weixin_api_key"),
}
_TOGETHER = ("weixin_public_key", "weixin_public_key_id")


@cache
def wallets() -> dict[WalletName, Wallet]:
    """This process's wallets. Raises SystemExit with a sentence that names the variables to set."""
    real = {name: _is_real(name) for name in _NEEDED}
    if not all(real.values()) and cluster_settings().production:
        missing = [_variable(each) for name in _NEEDED if not real[name] for each in _NEEDED[name]]
        raise SystemExit(
            "PAPERCRANE_ENV=production does not start with the sandbox in the place of a payment gateway. "
            f"Set {', '.join(missing)} and {_variable('public_url')}."
        )
    if any(real.values()) and not settings().public_url.startswith(("https://", "http://")):
        raise SystemExit(f"Payment gateways must reach us: set {_variable('public_url')}, e.g. https://example.com.")
    return {
        "alipay": _alipay() if real["alipay"] else SandboxAlipay(),
        "weixin": _weixin() if real["weixin"] else SandboxWeixin(),
    }


def name_of(order: Order) -> WalletName:
    """The wallet that collects this order."""
    return "alipay" if order.wallet == "alipay" else "weixin"


def is_sandbox(name: WalletName) -> bool:
    return isinstance(wallets()[name], SandboxAlipay | SandboxWeixin)


def _is_real(name: WalletName) -> bool:
    """Whether the merchant's account is set, and whole."""
    given = [each for each in _NEEDED[name] if getattr(settings(), each)]
    missing = [_variable(each) for each in _NEEDED[name] if each not in given]
    if given and missing:
        raise SystemExit(f"Settings for {name} are not whole: set {', '.join(missing)}, or none of them.")
    if name == "weixin" and len([each for each in _TOGETHER if getattr(settings(), each)]) == 1:
        raise SystemExit(f"{' and '.join(map(_variable, _TOGETHER))} go together: set both, or neither.")
    return bool(given)


def _alipay() -> Alipay:
    chosen = settings()
    return Alipay(
        AlipayMerchant(
            app_id=chosen.alipay_app_id,
            seller=chosen.alipay_seller_id,
            key=private_key(_variable("alipay_key"), chosen.alipay_key),
            gateway_key=public_key(_variable("alipay_public_key"), chosen.alipay_public_key),
            gateway=chosen.alipay_gateway,
        )
    )


def _weixin() -> Weixin:
    chosen = settings()
    if len(chosen.weixin_api_key.encode()) != 32:
        raise SystemExit(f"{_variable('weixin_api_key')} must be the 32 characters of the APIv3 key.")
    theirs = chosen.weixin_public_key
    return Weixin(
        WeixinMerchant(
            app_id=chosen.weixin_app_id,
            mchid=chosen.weixin_mchid,
            serial=chosen.weixin_serial,
            key=private_key(_variable("weixin_key"), chosen.weixin_key),
            api_key=chosen.weixin_api_key,
            gateway=chosen.weixin_gateway,
            public_key=public_key(_variable("weixin_public_key"), theirs) if theirs else None,
            public_key_id=chosen.weixin_public_key_id,
        )
    )


def _variable(name: str) -> str:
    return PREFIX + name.upper()
