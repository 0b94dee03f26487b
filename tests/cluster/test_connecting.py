"""The first words that a process's threads say to Redis, all at once."""

import threading
import time
from typing import Any

import pytest
import redis

from cluster import queue
from cluster.queue import link

THREADS = 30


def test_threads_that_begin_together_share_one_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with a pipeline, as a request without a token begins: it holds the pool, but not the client."""
    made, troubles, real, gate = [], [], redis.Redis.from_url, threading.Barrier(THREADS)

    def slow(*arguments: Any, **more: Any) -> Any:
        time.sleep(0.05)  # as on a machine with more threads than cores: all have come before the first is done
        made.append(arguments)
        return real(*arguments, **more)

    def begin(number: int) -> None:
        gate.wait()
        try:
            for _ in range(20):
                pipe = queue.connect().pipeline()
                pipe.incr(f"test:connecting:{number}").expire(f"test:connecting:{number}", 60)
                pipe.execute()
        except Exception as error:
            troubles.append(repr(error))

    monkeypatch.setattr(redis.Redis, "from_url", slow)
    link._client.cache_clear()
    threads = [threading.Thread(target=begin, args=(number,)) for number in range(THREADS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (len(made), troubles) == (1, [])
