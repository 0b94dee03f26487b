"""`python -m cluster.worker.drain NODE`: let a machine finish what it holds, and take nothing new, before it leaves.

NODE is its PAPERCRANE_NODE, by default its host name. `--undo` lets it work again. What it holds when it is stopped all
the same is claimed by other slots once its lease is over.
"""

import argparse
import time

from cluster import queue


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m cluster.worker.drain", description=__doc__)
    parser.add_argument("node")
    parser.add_argument("--undo", action="store_true")
    parser.add_argument("--wait", type=float, default=600, metavar="SECONDS", help="for what it holds, at most")
    chosen = parser.parse_args()
    queue.rest(chosen.node, on=not chosen.undo)
    if chosen.undo:
        return
    until = time.monotonic() + chosen.wait
    while held := _settled(chosen.node):
        if time.monotonic() > until:
            raise SystemExit(f"{chosen.node} still holds {held} parts after {chosen.wait:.0f} s.")
        time.sleep(0.5)
    print(f"{chosen.node} holds nothing and takes nothing: it may be stopped.")


def _settled(node: str) -> int:
    """Parts that it holds; looked at again, for a slot may have been waiting for one when it was told to rest."""
    held = queue.held_on(node)
    if not held:
        time.sleep(queue.BLOCK_MS / 1000 + 0.5)
        held = queue.held_on(node)
    return held


if __name__ == "__main__":
    main()
