"""Look for what should be gone: `printf '%s\n' MARKER… | python -m deploy.audit`, a word a line.

Prints each place that holds one, and ends with 1 when there is any. Looked through are names and contents of the store
(folder or S3), the data folder of this machine (scratch, Redis' and SQLite's own files, logs), Redis, every table of
the SQL database and what Ray keeps of its processes' words; on a cluster it is run on each machine. Words come by
standard input, for command lines are everybody's to read. A word inside a compressed stream is not seen: mark a file
with one that is not, such as a comment at a PDF's end. What Redis keeps of a task is sealed, so it finds none there
either; what a seal hides is gone with `deploy.backup`'s key.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import select

from api import database
from api.member import records
from api.user import accounts
from cluster.queue import connect
from cluster.settings import settings
from cluster.store import CHUNK, store
from deploy.node import RAY_FOLDER

#: Where a finding is, and which word.
Found = tuple[str, str]
#: What `database.Base` knows when these are imported: every table.
TABLES = (accounts, records)


def forms(word: str) -> list[bytes]:
    """The word as files may hold it."""
    plain = word.encode()
    escaped = json.dumps(word)[1:-1].encode()
    return [plain, escaped, escaped.upper(), quote(word).encode(), word.encode("utf-16-le"), plain.hex().encode()]


class Audit:
    """A search for some words."""

    def __init__(self, words: Sequence[str]) -> None:
        self.forms = {word: forms(word) for word in words}
        self.longest = max(len(each) for known in self.forms.values() for each in known)

    def everywhere(self) -> Iterator[Found]:
        """Each place once a word."""
        yield from self.files("data", settings().data)
        yield from self.files("ray", Path(RAY_FOLDER))
        if settings().store == "s3":
            yield from self.objects()
        yield from self.redis()
        yield from self.sql()

    def files(self, kind: str, folder: Path) -> Iterator[Found]:
        for path in folder.rglob("*"):
            if path.is_file() and not path.is_symlink():
                yield from self._told(f"{kind} {path}", chain([bytes(path), b"\0"], _pieces(path)))

    def objects(self) -> Iterator[Found]:
        for stat in store().keys(""):
            yield from self._told(f"store {stat.key}", chain([stat.key.encode(), b"\0"], store().read(stat.key)))

    def redis(self) -> Iterator[Found]:
        for key in connect().scan_iter(count=500):
            yield from self._told(f"redis {key}", [json.dumps([key, _value(key)], ensure_ascii=False).encode()])

    def sql(self) -> Iterator[Found]:
        for place, row in asyncio.run(_rows()):
            yield from self._told(place, [row.encode()])

    def _told(self, place: str, pieces: Iterable[bytes]) -> Iterator[Found]:
        left, tail = dict(self.forms), b""
        try:
            for piece in pieces:
                held = tail + piece
                for word in [word for word, known in left.items() if any(each in held for each in known)]:
                    del left[word]
                    yield place, word
                tail = held[-self.longest :]
        except FileNotFoundError:
            return  # it went while we looked


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while piece := stream.read(CHUNK):
            yield piece


def _value(key: str) -> Any:
    client = connect()
    read = {
        "string": client.get,
        "hash": client.hgetall,
        "set": lambda name: sorted(client.smembers(name)),
        "list": lambda name: client.lrange(name, 0, -1),
        "zset": lambda name: client.zrange(name, 0, -1),
        "stream": client.xrange,
    }
    return read.get(client.type(key), lambda name: None)(key)


async def _rows() -> list[tuple[str, str]]:
    """Every row of every table, as text."""
    try:
        async with database.reading() as session:
            return [
                (f"sql {table.name}", json.dumps([str(value) for value in row], ensure_ascii=False))
                for table in database.Base.metadata.sorted_tables
                for row in await session.execute(select(table))
            ]
    finally:
        await database.close()


def main() -> None:
    words = [word for word in sys.stdin.read().splitlines() if word.strip()]
    if not words:
        raise SystemExit("usage: printf '%s\\n' MARKER… | python -m deploy.audit")
    count = 0
    for place, word in Audit(words).everywhere():
        count += 1
        print(f"{place}: word {words.index(word) + 1}")
    print(f"{count} places hold what was looked for." if count else "Nothing of it is found.", file=sys.stderr)
    raise SystemExit(1 if count else os.EX_OK)


if __name__ == "__main__":
    main()
