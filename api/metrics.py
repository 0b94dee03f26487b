"""Metrics for Prometheus: the whole cluster's, so one target is enough, whichever process answers.

key             type  field → count
stats:requests  hash  `<method> <route> <status>` → requests
stats:answered  hash  `<route> <bucket>` → requests by seconds; `<route> sum` → ms

Other counts are read where they are kept: cluster.queue.stats, the queue, the SQL database. A process tells Redis its
requests every FLUSH seconds; one that is killed loses at most those.
"""

import asyncio
import hmac
import re
import shutil
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from ipaddress import IPv6Address, ip_address

import redis
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from sqlalchemy import func, select

from api import health
from api.database import reading
from api.member.records import MoneyEvent, Order, OrderStatus
from api.settings import settings
from api.web import LOCAL
from cluster import queue
from cluster.catalogue import TOOLS
from cluster.queue import stats
from cluster.queue.stats import Durations
from cluster.settings import settings as cluster_settings
from cluster.task import Status
from cluster.tool import Lane

CONTENT_TYPE = CONTENT_TYPE_LATEST
FLUSH = 1.0
#: Seconds that end a bucket of the answering times.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS")
_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")


def may_read(peer: str, host: str, headers: Mapping[str, str]) -> bool:
    """Whether this caller is the operator: with the token, or on this machine and not through a proxy."""
    token, given = settings().metrics_token, headers.get("authorization", "")
    if token and hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        return True
    near = _loopback(peer) and not any(name in headers for name in _FORWARDED)
    # A foreign page may lead the operator's own browser here under a name of its own.
    return near and re.sub(r":[0-9]+$", "", host) in LOCAL


def _loopback(peer: str) -> bool:
    try:
        address = ip_address(peer)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


class Requests:
    """What this process has answered since it last told Redis."""

    def __init__(self) -> None:
        #: (method, route, status) → requests by the bucket of BUCKETS that they ended in, and the sum of their seconds
        self.seen: dict[tuple[str, str, int], list[float]] = {}
        #: What could not be told: (key, field) → count
        self.untold: Counter[tuple[str, str]] = Counter()

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answer. `route` is the pattern, never the path."""
        key = method, route, status
        if key not in self.seen:
            self.seen[key] = [0] * (len(BUCKETS) + 2)
        seen = self.seen[key]
        seen[bisect_left(BUCKETS, seconds)] += 1
        seen[-1] += seconds

    async def flush_for_ever(self) -> None:
        """Tell Redis every FLUSH seconds."""
        while True:
            await asyncio.sleep(FLUSH)
            await asyncio.to_thread(self.flush)

    def flush(self) -> None:
        """Tell Redis; when it is away, the counts wait for the next time."""
        taken, self.untold = self.untold + self._counts(), Counter()
        if not taken:
            return
        try:
            with health.impatient() as client, client.pipeline() as pipe:
                for (key, field), count in taken.items():
                    pipe.hincrby(key, field, count)
                pipe.execute()
        except redis.RedisError:
            self.untold.update(taken)

    def _counts(self) -> Counter[tuple[str, str]]:
        """What was seen, as the fields' names say; it is forgotten here."""
        seen, self.seen = self.seen, {}
        counts: Counter[tuple[str, str]] = Counter()
        for (method, route, status), (*buckets, seconds) in seen.items():
            known = method if method in _METHODS else "other"
            counts["stats:requests", f"{known} {route} {status}"] += int(sum(buckets))
            for name, count in zip((*map(str, BUCKETS), "inf"), buckets, strict=True):
                counts["stats:answered", f"{route} {name}"] += int(count)
            counts["stats:answered", f"{route} sum"] += round(seconds * 1000)
        return +counts


async def text() -> bytes:
    """All metrics in Prometheus' text format. A database that is away has no numbers, and `papercrane_up` 0."""
    redis_up, sql_up = await health.reachable()
    found = [_up(redis_up, sql_up), _disk()]
    if redis_up:
        with suppress(redis.RedisError):
            found += await asyncio.to_thread(_cluster)
    if sql_up:
        found += await _money()
    registry = CollectorRegistry()
    registry.register(_Read(found))
    return generate_latest(registry)


class _Read(Collector):
    """Families that have been read already."""

    def __init__(self, families: list[Metric]) -> None:
        self.families = families

    def collect(self) -> Iterable[Metric]:
        return self.families


def _up(redis_up: bool, sql_up: bool) -> Metric:
    found = GaugeMetricFamily("papercrane_up", "Whether what we stand on answers", labels=["part"])
    found.add_metric(["redis"], redis_up)
    found.add_metric(["sql"], sql_up)
    return found


def _disk() -> Metric:
    free = shutil.disk_usage(cluster_settings().data).free
    return GaugeMetricFamily("papercrane_disk_free_bytes", "Room in the answering machine's data folder", value=free)


def _cluster() -> list[Metric]:
    """What Redis knows."""
    return [*_lanes(), *_tasks(), *_requests(), _returned(), _lag()]


def _lanes() -> list[Metric]:
    ranked = ["lane", "rank"]
    waiting = GaugeMetricFamily("papercrane_waiting_parts", "Parts that no slot has claimed", labels=ranked)
    running = GaugeMetricFamily("papercrane_running_parts", "Parts that slots hold", labels=ranked)
    oldest = GaugeMetricFamily("papercrane_oldest_waiting_seconds", "Age of the oldest waiting part", labels=ranked)
    slots = GaugeMetricFamily("papercrane_slots", "Slots seen within the last lease", labels=["lane"])
    now = queue.now_ms()
    for lane in (each.value for each in Lane):
        slots.add_metric([lane], queue.slots(lane))
        for rank in queue.RANKS:
            count, since = queue.waiting(lane, rank)
            waiting.add_metric([lane, rank], count)
            running.add_metric([lane, rank], queue.running(lane, rank))
            oldest.add_metric([lane, rank], max(0, now - since) / 1000 if since else 0)
    return [waiting, running, oldest, slots]


def _tasks() -> list[Metric]:
    ended = CounterMetricFamily("papercrane_tasks", "Ended tasks", labels=["tool", "status", "reason"])
    for (tool, status, reason), count in stats.outcomes().items():
        key = TOOLS[tool].key if tool in TOOLS else str(tool)
        ended.add_metric([key, Status(status).name.lower(), reason], count)
    waited = _histogram("papercrane_task_waiting_seconds", "From creation to the first claim", "lane", stats.waited())
    worked = _histogram("papercrane_task_working_seconds", "From the first claim to the end", "lane", stats.worked())
    tools = {TOOLS[int(tool)].key: each for tool, each in stats.worked_by_tool().items() if int(tool) in TOOLS}
    took = _histogram("papercrane_tool_working_seconds", "From the first claim to the end", "tool", tools)
    return [ended, waited, worked, took]


def _requests() -> list[Metric]:
    counted = CounterMetricFamily("papercrane_requests", "Answered requests", labels=["method", "route", "status"])
    for name, count in queue.connect().hgetall("stats:requests").items():
        counted.add_metric(name.split(" "), int(count))
    raw = queue.connect().hgetall("stats:answered")
    took = _histogram("papercrane_request_seconds", "Time to the answer", "route", stats.durations(raw, BUCKETS))
    return [counted, took]


def _returned() -> Metric:
    found = CounterMetricFamily("papercrane_parts_returned", "Parts that slots lost", labels=["lane", "cause"])
    for names, count in stats.returned().items():
        found.add_metric(names, count)
    return found


def _lag() -> Metric:
    return GaugeMetricFamily("papercrane_sweeper_lag_seconds", "Age of the oldest overdue deletion", stats.overdue())


def _histogram(name: str, about: str, label: str, found: Mapping[str, Durations]) -> Metric:
    family = HistogramMetricFamily(name, about, labels=[label])
    for value, each in found.items():
        family.add_metric([value], list(each.buckets), each.seconds)
    return family


async def _money() -> list[Metric]:
    """What the SQL database knows about money."""
    labels = ["status", "wallet"]
    orders = GaugeMetricFamily("papercrane_orders", "Orders by state", labels=labels)
    amounts = GaugeMetricFamily("papercrane_orders_fen", "What the orders come to", labels=labels)
    events = CounterMetricFamily("papercrane_money_events", "What happened about money", labels=["kind", "wallet"])
    states = select(Order.status, Order.wallet, func.count(), func.sum(Order.amount))
    kinds = select(MoneyEvent.kind, MoneyEvent.wallet, func.count())
    async with reading() as session:
        for status, wallet, count, fen in await session.execute(states.group_by(Order.status, Order.wallet)):
            names = [OrderStatus(status).name.lower(), wallet]
            orders.add_metric(names, count)
            amounts.add_metric(names, int(fen))
        for kind, wallet, count in await session.execute(kinds.group_by(MoneyEvent.kind, MoneyEvent.wallet)):
            events.add_metric([kind, wallet], count)
    return [orders, amounts, events]
