"""`python -m deploy.edge FOLDER`: one release for nginx; start it, or reload it, with what is printed."""

import argparse
import time
from pathlib import Path

from api.settings import settings
from deploy.edge.config import Edge, write
from deploy.edge.publish import publish


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m deploy.edge", description=__doc__)
    parser.add_argument("folder", type=Path, help="the edge's own, kept between releases")
    parser.add_argument("--api", action="append", default=[], metavar="ADDRESS", help="host:port; may stand often")
    parser.add_argument("--listen", type=int, default=8080, metavar="PORT")
    parser.add_argument("--tls", nargs=2, type=Path, metavar=("CERTIFICATE", "KEY"))
    parser.add_argument("--believe", action="append", default=[], metavar="ADDRESS", help="proxies before the edge")
    parser.add_argument("--plain", type=int, default=0, metavar="PORT", help="sends who comes without TLS to it")
    parser.add_argument("--store", nargs=2, metavar=("HOST", "ADDRESS"), help="an S3 store that is reached through us")
    chosen = parser.parse_args()
    folder = chosen.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tls = (chosen.tls[0].resolve(), chosen.tls[1].resolve()) if chosen.tls else None
    apis = tuple(chosen.api) or Edge(folder).apis
    laid = publish(settings().site, folder, today=int(time.time() // 86_400))
    store = (chosen.store[0], chosen.store[1]) if chosen.store else None
    edge = Edge(folder, apis, chosen.listen, tls, tuple(chosen.believe), chosen.plain, store)
    path = write(edge, laid)
    print(f"build {laid.build} is laid out: nginx -c {path}   (running already: add -s reload)")


if __name__ == "__main__":
    main()
