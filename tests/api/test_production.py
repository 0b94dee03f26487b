"""Production starts only when it is closed, and only by its own name."""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from api import production
from api.settings import read
from cluster.settings import read as read_cluster
from cluster.settings import settings as cluster_settings
from tests.api.conftest import built_site, serving
from tests.gateways.alipay import AlipayGateway
from tests.gateways.weixin import WeixinGateway

ORIGIN = "https://papercrane.example"
SECRET = secrets.token_hex(32)


@pytest.mark.parametrize("word", ["Production", "prod", "PRODUCTION", "production ", "staging", "test", "1", ""])
def test_an_unknown_word_does_not_start_as_development(word: str) -> None:
    with pytest.raises(SystemExit, match="PAPERCRANE_ENV"):
        read_cluster({"PAPERCRANE_ENV": word, "PAPERCRANE_SECRET": SECRET})


def test_the_known_words() -> None:
    assert read_cluster({"PAPERCRANE_ENV": "production", "PAPERCRANE_SECRET": SECRET}).production
    assert not read_cluster({"PAPERCRANE_ENV": "development"}).production
    assert not read_cluster({}).production


@pytest.mark.parametrize("module", ["api", "cluster.worker", "deploy.up"])
def test_no_process_starts_under_an_unknown_word(tmp_path: Path, module: str) -> None:
    own = {**os.environ, "PAPERCRANE_DATA": str(tmp_path), "PAPERCRANE_ENV": "Production"}
    told = subprocess.run([sys.executable, "-m", module], env=own, capture_output=True, text=True, timeout=120)
    assert told.returncode and "PAPERCRANE_ENV='Production' does not fit" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize("secret", [None, "", "changeme", "a" * 31])
def test_production_wants_a_long_secret(secret: str | None) -> None:
    given = {"PAPERCRANE_ENV": "production"} | ({} if secret is None else {"PAPERCRANE_SECRET": secret})
    with pytest.raises(SystemExit, match="PAPERCRANE_SECRET") as told:
        read_cluster(given)
    assert not secret or secret not in str(told.value)


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, str]:
    """Settings that production starts with, as PAPERCRANE_API_<name>."""
    site = built_site(tmp_path / "site")
    (site / "builds").mkdir()
    (site / "builds" / "origin.json").write_text(json.dumps({"origin": ORIGIN}))
    return {
        "SITE": str(site),
        "PUBLIC_URL": ORIGIN,
        "HOSTS": "papercrane.example,127.0.0.1",
        "MAIL": "smtps://user:password@mail.example",
    }


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], str]:
    """What production says to these settings, empty when it starts."""

    def told(given: dict[str, str]) -> str:
        chosen = read({f"PAPERCRANE_API_{name}": each for name, each in given.items()})
        monkeypatch.setattr(production, "settings", lambda: chosen)
        monkeypatch.setattr(production, "cluster_settings", lambda: replace(cluster_settings(), production=True))
        try:
            production.check()
        except SystemExit as stopped:
            return str(stopped)
        return ""

    return told


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"PUBLIC_URL": ""}, "PAPERCRANE_API_PUBLIC_URL"),
        ({"PUBLIC_URL": "http://papercrane.example"}, "PAPERCRANE_API_PUBLIC_URL"),
        ({"PUBLIC_URL": f"{ORIGIN}/zh"}, "PAPERCRANE_API_PUBLIC_URL"),
        ({"PUBLIC_URL": "https://other.example"}, "PAPERCRANE_API_HOSTS"),
        ({"PUBLIC_URL": "https://127.0.0.1"}, f"built for {ORIGIN}"),
        ({"SITE": "/none"}, "no public address"),
        ({"MAIL": ""}, "PAPERCRANE_API_MAIL or PAPERCRANE_API_TEXT"),
        ({"TEXT": "http://:token@sms.example/send"}, "PAPERCRANE_API_TEXT must begin with https://"),
        ({"ALIPAY_GATEWAY": "http://openapi.alipay.com/gateway.do"}, "PAPERCRANE_API_ALIPAY_GATEWAY"),
        ({"WEIXIN_GATEWAY": "http://api.mch.weixin.qq.com"}, "PAPERCRANE_API_WEIXIN_GATEWAY"),
        ({"WEIXIN_ACCOUNTS": "http://api.weixin.qq.com"}, "PAPERCRANE_API_WEIXIN_ACCOUNTS"),
        ({"STS_ENDPOINT": "http://sts.example"}, "PAPERCRANE_API_STS_ENDPOINT"),
        ({"CORS": "https://a.example, http://b.example"}, "PAPERCRANE_API_CORS"),
    ],
)
def test_production_refuses(
    whole: dict[str, str], refused: Callable[[dict[str, str]], str], change: dict[str, str], word: str
) -> None:
    assert refused(whole) == ""
    told = refused(whole | change)
    assert word in told and "token@" not in told


def test_it_tells_everything_at_once(refused: Callable[[dict[str, str]], str]) -> None:
    told = refused({"TEXT": "", "WEIXIN_GATEWAY": "http://x"})
    assert all(word in told for word in ("PUBLIC_URL", "WEIXIN_GATEWAY", "_MAIL"))


def test_a_public_address_may_end_with_a_slash(whole: dict[str, str], refused: Callable[[dict[str, str]], str]) -> None:
    assert refused(whole | {"PUBLIC_URL": f"{ORIGIN}/"}) == ""


def test_production_runs(whole: dict[str, str], tmp_path: Path, redis_server: str) -> None:
    """Closed as it must be it starts, and tells browsers to come back by TLS only."""
    ours, theirs = AlipayGateway(), WeixinGateway(public_key_id="PUB_KEY_ID_0119")
    keys = {
        "ALIPAY_APP_ID": ours.app_id,
        "ALIPAY_KEY": ours.merchant.private_file(tmp_path / "alipay-merchant.pem"),
        "ALIPAY_PUBLIC_KEY": ours.keys.public_file(tmp_path / "alipay.txt"),
        "WEIXIN_APP_ID": theirs.app_id,
        "WEIXIN_MCHID": theirs.mchid,
        "WEIXIN_SERIAL": theirs.serial,
        "WEIXIN_KEY": theirs.merchant.private_file(tmp_path / "weixin-merchant.pem"),
        "WEIXIN_API_KEY": theirs.api_key,
        "WEIXIN_PUBLIC_KEY": theirs.keys.public_file(tmp_path / "weixin.txt"),
        "WEIXIN_PUBLIC_KEY_ID": theirs.public_key_id,
    }
    cluster = {"ENV": "production", "SECRET": SECRET}
    with serving(tmp_path, cluster=cluster, **whole, **keys, PROXIES="1") as server:
        plain = httpx.get(server.address)
        assert plain.status_code == 200 and "strict-transport-security" not in plain.headers
        secure = httpx.get(server.address, headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"})
        assert "max-age=" in secure.headers["strict-transport-security"]
