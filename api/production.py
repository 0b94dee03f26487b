"""What production does not start with: open ways for money, codes and sign-ins, or a site built for another address."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from api.settings import PREFIX, Settings, settings
from cluster.settings import settings as cluster_settings

#: Addresses to which we send what nobody else may read.
_GATEWAYS = ("text", "alipay_gateway", "weixin_gateway", "weixin_accounts", "sts_endpoint")
#: Where the build tells its public origin: {"origin": "https://example.com"}.
ORIGIN = Path("builds") / "origin.json"


def check() -> None:
    """Raises SystemExit with every reason not to start in production, each naming its variable."""
    chosen = cluster_settings()
    if chosen.production and (wrong := [*_faults(settings()), *_plain("PAPERCRANE_S3_ENDPOINT", chosen.s3_endpoint)]):
        raise SystemExit("PAPERCRANE_ENV=production does not start: " + "; ".join(wrong) + ".")


def _faults(chosen: Settings) -> Iterator[str]:
    yield from _address(chosen)
    for name in _GATEWAYS:
        yield from _plain(PREFIX + name.upper(), getattr(chosen, name))
    for origin in chosen.cors:
        yield from _plain(f"{PREFIX}CORS", origin)
    if not (chosen.mail or chosen.text):
        yield f"nobody could sign in, set {PREFIX}MAIL or {PREFIX}TEXT to what sends codes"


def _address(chosen: Settings) -> Iterator[str]:
    """The public address: of this server, and the one that the site was built for."""
    variable, url = f"{PREFIX}PUBLIC_URL", urlsplit(chosen.public_url.rstrip("/"))
    if url.scheme != "https" or not url.hostname or url.path or url.query or url.fragment or url.username:
        yield f"set {variable} to scheme and host of the site, as https://example.com"
        return
    if url.hostname not in chosen.hosts:
        yield f"{PREFIX}HOSTS does not have the host of {variable}"
    if (built := _built_for(chosen.site)) != url.geturl():
        yield f"the site was built for {built or 'no public address'}, build it with {variable}={url.geturl()}"


def _built_for(site: Path) -> str:
    try:
        return str(json.loads((site / ORIGIN).read_text("utf-8"))["origin"]).rstrip("/")
    except (OSError, ValueError, LookupError, TypeError):
        return ""


def _plain(variable: str, url: str) -> Iterator[str]:
    # The address itself may hold a password.
    if url and urlsplit(url).scheme != "https":
        yield f"{variable} must begin with https://"
