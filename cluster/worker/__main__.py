"""`python -m cluster.worker`: keep the lanes' slots on the Ray cluster and sweep what expired."""

import threading

import structlog

from cluster.log import log_json
from cluster.room import keep_private
from cluster.worker.lane import keep_lanes
from cluster.worker.sandbox import check_host
from cluster.worker.sweep import sweep_for_ever


def main() -> None:
    keep_private()
    log_json()
    warning = check_host()
    if warning:
        structlog.get_logger().warning("weak_sandbox", detail=warning)
    threading.Thread(target=sweep_for_ever, daemon=True).start()
    keep_lanes()


if __name__ == "__main__":
    main()
