"""nginx's configuration, written from what the API itself says of its paths, hosts and headers."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from api.answer import HEADERS
from api.app import TLS_ONLY
from api.policy import page_policy
from api.problems import Refusal, failure
from api.settings import SUB_SITES, settings
from api.site import FOREVER, FRESH, HASHED, TYPES, Page
from cluster.words import Language
from deploy.edge.publish import Laid

HERE = Path(__file__).parent
_BROTLI = Path("/usr/lib/nginx/modules/ngx_http_brotli_static_module.so")
_LANGUAGES: tuple[Language, ...] = ("zh", "en")


@dataclass(frozen=True)
class Edge:
    """What an operator says of it. `apis`, `believed` (proxies before this one): addresses; `tls`: certificate, key."""

    folder: Path
    apis: tuple[str, ...] = ("127.0.0.1:8000",)
    listen: int = 8080
    tls: tuple[Path, Path] | None = None
    believed: tuple[str, ...] = ()


def write(edge: Edge, laid: Laid) -> Path:
    """Write nginx.conf and what it includes below `edge.folder`; the path of it."""
    (edge.folder / "temp").mkdir(exist_ok=True)
    for language in _LANGUAGES:
        body = json.dumps(failure(Refusal("unavailable", retry=60), language), ensure_ascii=False)
        (edge.folder / f"away-{language}.json").write_text(body)
    (edge.folder / "headers.conf").write_text("\n".join(_headers(edge)) + "\n")
    path = edge.folder / "nginx.conf"
    path.write_text(_fill("nginx.conf", **_values(edge), servers="\n".join(_servers(edge, laid))))
    return path


def _values(edge: Edge) -> dict[str, str]:
    return {
        "modules": f"load_module {_BROTLI};" if _BROTLI.exists() else "",
        "brotli": "brotli_static on;" if _BROTLI.exists() else "",
        "folder": str(edge.folder),
        "types": _types(),
        "connections": str(settings().address_connections),
        "believed": "".join(f"set_real_ip_from {each}; " for each in edge.believed)
        + ("real_ip_header X-Forwarded-For; real_ip_recursive on;" if edge.believed else ""),
        "upstreams": " ".join(f"server {each} max_fails=1 fail_timeout=2s;" for each in edge.apis),
        "hashed": HASHED.pattern,
        "forever": FOREVER,
        "fresh": FRESH,
        "plain": HEADERS["Content-Security-Policy"],
        "script": page_policy(""),
        "listen": _listen(edge),
        "tls": _tls(edge),
        "plain_server": _plain_server(edge),
    }


def _servers(edge: Edge, laid: Laid) -> Iterator[str]:
    """One server for the main hosts, one for each sub-site's."""
    hosts = [host for host in settings().hosts if ":" not in host]
    own = {path: each for path, each in laid.pages.items() if not path.startswith(("/sub/", "/404", "/500"))}
    yield _server(edge, laid, hosts, own)
    for sub in SUB_SITES:
        inner = {path: each for path, each in laid.pages.items() if path.startswith(f"/sub/{sub}")}
        rooted = {path.removeprefix(f"/sub/{sub}") or "/": each for path, each in inner.items()}
        yield _server(edge, laid, [f"{sub}.{host}" for host in hosts], rooted)


def _server(edge: Edge, laid: Laid, names: Sequence[str], pages: dict[str, Page]) -> str:
    away = laid.pages.get("/500")
    return _fill(
        "server.conf",
        listen=_listen(edge),
        names=" ".join(names),
        tls=_tls(edge),
        folder=str(edge.folder),
        build=laid.build,
        pages=str(laid.folder),
        away_policy=away.policy if away else page_policy(""),
        locations="\n".join(_location(path, page, laid, edge) for path, page in sorted(pages.items())),
    )


def _location(path: str, page: Page, laid: Laid, edge: Edge) -> str:
    policy = f'add_header Content-Security-Policy "{page.policy or HEADERS["Content-Security-Policy"]}" always;'
    return (
        f'        location = "{path}" {{ root {laid.folder}; try_files "{page.path}" =404; '
        f"include {edge.folder}/headers.conf; {policy} add_header Cache-Control $cache; add_header Cache-Tag $build; }}"
    )


def _headers(edge: Edge) -> Iterator[str]:
    """What stands in every answer; nginx forgets an outer level's headers where an inner one adds its own."""
    for name, value in HEADERS.items():
        if name != "Content-Security-Policy":
            yield f'add_header {name} "{value}" always;'
    if edge.tls:
        yield f'add_header Strict-Transport-Security "{TLS_ONLY}" always;'


def _types() -> str:
    named = (f"{kind.partition(';')[0]} {suffix[1:]};" for suffix, kind in TYPES.items())
    more = ("image/png png;", "image/x-icon ico;", "image/jpeg jpg;", "font/ttf ttf;", "application/gzip gz;")
    return "types { " + " ".join((*named, *more)) + " }"


def _listen(edge: Edge) -> str:
    return f"{edge.listen} ssl http2" if edge.tls else str(edge.listen)


def _tls(edge: Edge) -> str:
    if not edge.tls:
        return ""
    certificate, key = edge.tls
    return f"ssl_certificate {certificate}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3;"


def _plain_server(edge: Edge) -> str:
    """With TLS on its usual port, who comes without is sent there."""
    sends = edge.tls and edge.listen == 443
    return "server { listen 80; server_name _; return 301 https://$host$request_uri; }" if sends else ""


def _fill(template: str, **values: str) -> str:
    text = (HERE / template).read_text()
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    if left := re.search(r"@[a-z_]+@", text):
        raise ValueError(f"{template} asks for {left[0]}")
    return text
