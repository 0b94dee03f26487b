"""Static pages a second: the generated edge configuration beside an nginx that only has a root, in turns."""

import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from api.settings import ROOT
from deploy.edge.config import Edge, write
from deploy.edge.publish import publish
from tests.bench.load.running import asking, load
from tests.conftest import free_port, wait_until

SECONDS, TURNS, CONNECTIONS = 1.5, 5, 64
_BARE = """worker_processes auto; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 8192; }}
http {{ include /etc/nginx/mime.types; access_log off; sendfile on; tcp_nopush on; gzip_static on;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{ listen 127.0.0.1:{port}; location / {{ root {pages}; try_files $uri/index.html =404; }}
    location /assets/ {{ root {files}; }} }} }}"""


@dataclass(frozen=True)
class Nginx:
    folder: Path
    port: int

    @property
    def pid(self) -> int:
        return int((self.folder / "nginx.pid").read_text())


def rows() -> Iterator[str]:
    site = ROOT / "site" / "dist"
    if not (site / "index.html").exists() or not shutil.which("nginx"):
        yield "The site is not built, or there is no nginx."
        return
    yield "| path | pages a second, edge ÷ bare nginx | by CPU | edge a second | slowest 1 % |"
    yield "|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as name, _edge(Path(name), site) as edge, _bare(Path(name), edge) as bare:
        Path(name).chmod(0o755)
        for path in ("/PdfMerge", "/en/PdfMerge", _asset(site)):
            yield _row(path, edge, bare)


def _row(path: str, edge: Nginx, bare: Nginx) -> str:
    mine, theirs = [], []
    for _ in range(TURNS):
        for server, told in ((bare, theirs), (edge, mine)):
            asked = [asking(path)]
            told.append(load(f"http://127.0.0.1:{server.port}", server.pid, asked, SECONDS, CONNECTIONS))
    assert not sum(each.refused for each in (*mine, *theirs)), f"{path} was refused"
    clock = statistics.median(a.rate / b.rate for a, b in zip(mine, theirs, strict=True))
    cpu = statistics.median(b.cpu / a.cpu for a, b in zip(mine, theirs, strict=True))
    rate, slow = (statistics.median(getattr(each, name) for each in mine) for name in ("rate", "slow"))
    return f"| {path} | **{clock:.2f}** | {cpu:.2f} | {rate:.0f} | {slow:.1f} ms |"


def _asset(site: Path) -> str:
    return f"/assets/{max((site / 'assets').glob('*.js'), key=lambda path: path.stat().st_size).name}"


@contextmanager
def _edge(folder: Path, site: Path) -> Iterator[Nginx]:
    folder.chmod(0o755)
    edge = Edge(folder / "edge", ("127.0.0.1:9",), free_port())
    edge.folder.mkdir()
    write(edge, publish(site, edge.folder, 20_000))
    with _running(Nginx(edge.folder, edge.listen)) as nginx:
        yield nginx


@contextmanager
def _bare(folder: Path, edge: Nginx) -> Iterator[Nginx]:
    own = folder / "bare"
    own.mkdir()
    port = free_port()
    (pages,) = edge.folder.glob("pages-*")
    (own / "nginx.conf").write_text(_BARE.format(folder=own, port=port, pages=pages, files=edge.folder / "files"))
    with _running(Nginx(own, port)) as nginx:
        yield nginx


@contextmanager
def _running(nginx: Nginx) -> Iterator[Nginx]:
    command = ["nginx", "-c", str(nginx.folder / "nginx.conf")]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    try:
        wait_until((nginx.folder / "nginx.pid").exists, what="nginx")
        yield nginx
    finally:
        subprocess.run([*command, "-s", "quit"], check=True, stderr=subprocess.DEVNULL)
