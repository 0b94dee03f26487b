"""`python -m api`: serve the API, the built site and (with the folder store) the S3 subset.

One process by default. With more, each is a fork that accepts on the same socket; one that dies is replaced.
"""

import os
import resource
import signal
import socket
import sys
import time

from sanic import Sanic
from sanic.worker.loader import AppLoader

from api import database, production
from api.app import create_app
from api.connection import Connection
from api.member.packages import packages
from api.member.wallets import wallets
from api.settings import settings
from api.user import sending
from cluster.log import log_json
from cluster.room import keep_private

#: Seconds before a process that died is replaced, so that a broken start does not spin.
PAUSE = 1.0


def main() -> None:
    """Run until told to stop."""
    keep_private()
    log_json()
    _take_all_handles()
    chosen = settings()
    production.check()
    sending.check_settings()
    packages()
    wallets()
    database.migrate()
    listening = _listen(chosen.host, chosen.port)
    if chosen.workers == 1:
        _serve(listening)
    else:
        _keep(listening, chosen.workers)


def _serve(listening: socket.socket) -> None:
    app = AppLoader(factory=create_app).load()
    app.prepare(sock=listening, single_process=True, motd=False, access_log=False, protocol=Connection)
    Sanic.serve_single(primary=app)


def _keep(listening: socket.socket, count: int) -> None:
    """Keep `count` serving processes until SIGTERM or SIGINT, which they get too."""
    children: set[int] = set()
    stopping = False

    def stop(number: int, _: object) -> None:
        nonlocal stopping
        stopping = True
        for child in children:
            os.kill(child, signal.SIGTERM)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    while not stopping or children:
        while not stopping and len(children) < count:
            children.add(_fork(listening))
        ended, status = os.wait()
        children.discard(ended)
        if status and not stopping:
            time.sleep(PAUSE)


def _fork(listening: socket.socket) -> int:
    child = os.fork()
    if child:
        return child
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _serve(listening)
    sys.exit(0)


def _take_all_handles() -> None:
    """Each connection and open file needs a handle; shells give programs 1,024 of those that the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=1024)
    listening.setblocking(False)
    return listening


if __name__ == "__main__":
    main()
