"""`python -m api`: serve the API, the built site and (with the folder store) the S3 subset."""

import logging

import structlog
from sanic import Sanic
from sanic.worker.loader import AppLoader

from api.app import create_app
from api.settings import settings


def main() -> None:
    """Run until told to stop."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )
    chosen = settings()
    loader = AppLoader(factory=create_app)
    app = loader.load()
    single = chosen.workers == 1
    app.prepare(chosen.host, chosen.port, workers=chosen.workers, single_process=single, motd=False, access_log=False)
    if single:
        Sanic.serve_single(primary=app)
    else:
        Sanic.serve(primary=app, app_loader=loader)


if __name__ == "__main__":
    main()
