"""The API as a merchant of both simulated gateways."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import httpx

from tests.api.conftest import Server, serving
from tests.api.forked import ran
from tests.conftest import free_port
from tests.gateways import alipay, weixin
from tests.gateways.alipay import AlipayGateway
from tests.gateways.weixin import WeixinGateway
from tests.gateways.wire import listening

Trust = Literal["public key", "certificates"]


@dataclass
class Shop:
    """A server whose unpaid orders are asked for after a second."""

    server: Server
    alipay: AlipayGateway
    weixin: WeixinGateway

    def gateway(self, wallet: str) -> Any:
        return self.alipay if wallet == "alipay" else self.weixin

    def taken(self, wallet: str, answer: httpx.Response) -> bool:
        """Whether the notification was accepted, as its gateway reads the answer."""
        return alipay.taken(answer) if wallet == "alipay" else weixin.taken(answer)

    def refund(self, argument: str) -> "subprocess.CompletedProcess[str]":
        """The operator's command."""
        return ran("api.member.refund", argument, environment=self.server.environment)


@contextmanager
def opened(folder: Path, database: str, trust: Trust) -> Iterator[Shop]:
    """A shop over this database (SQLAlchemy's URL), trusting WeChat's one key or its certificates."""
    ours, theirs = AlipayGateway(), WeixinGateway(public_key_id="PUB_KEY_ID_0119" if trust == "public key" else "")
    with listening(ours) as alipay_address, listening(theirs) as weixin_address:
        port = free_port()
        settings = {
            "PORT": str(port),
            "PUBLIC_URL": f"http://127.0.0.1:{port}",
            "DATABASE": database,
            "PAY_LATE": "1",
            "ALIPAY_APP_ID": ours.app_id,
            "ALIPAY_SELLER_ID": ours.seller,
            "ALIPAY_KEY": ours.merchant.private_file(folder / "alipay-merchant.pem"),
            "ALIPAY_PUBLIC_KEY": ours.keys.public_file(folder / "alipay.txt"),
            "ALIPAY_GATEWAY": f"{alipay_address}/gateway.do",
            "WEIXIN_APP_ID": theirs.app_id,
            "WEIXIN_MCHID": theirs.mchid,
            "WEIXIN_SERIAL": theirs.serial,
            "WEIXIN_KEY": theirs.merchant.private_file(folder / "weixin-merchant.pem"),
            "WEIXIN_API_KEY": theirs.api_key,
            "WEIXIN_GATEWAY": weixin_address,
            "WEIXIN_SECRET": theirs.secret,
            "WEIXIN_ACCOUNTS": weixin_address,
        }
        if trust == "public key":
            settings["WEIXIN_PUBLIC_KEY"] = theirs.keys.public_file(folder / "weixin.txt")
            settings["WEIXIN_PUBLIC_KEY_ID"] = theirs.public_key_id
        with serving(folder, **settings) as server:
            yield Shop(server, ours, theirs)
