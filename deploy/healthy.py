"""`python -m deploy.healthy WHAT`: ends with 0 when it answers. For containers, which have no curl.

WHAT is an http address that must answer 200, tcp://host:port that must accept, or tcp://ray: this machine's node.
"""

import socket
import sys
import urllib.request
from urllib.parse import urlsplit

#: Seconds.
PATIENCE = 4


def healthy(what: str) -> bool:
    """Whether it answers. Raises ValueError on what is none of the three."""
    if what == "tcp://ray":
        from deploy import node  # reads the machine's variables

        return any(_accepts(node.NODE_IP, port) for port in (node.RAY_PORT, node.RAY_PORT + 1))
    url = urlsplit(what)
    if url.scheme == "tcp" and url.hostname and url.port:
        return _accepts(url.hostname, url.port)
    if url.scheme != "http":
        raise ValueError(what)
    try:
        with urllib.request.urlopen(what, timeout=PATIENCE) as answer:  # noqa: S310 - the scheme is looked at above
            return bool(answer.status == 200)
    except OSError:
        return False


def _accepts(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=PATIENCE):
            return True
    except OSError:
        return False


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m deploy.healthy http://…|tcp://host:port|tcp://ray")
    sys.exit(not healthy(sys.argv[1]))
