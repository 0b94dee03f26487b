"""The deletion audit finds a word wherever it is planted, and nothing once it is gone."""

import asyncio
import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer

from api.caller import new_id
from cluster import queue
from tests.stack import ROOT, free_port


def audit(environment: dict[str, str], *words: str) -> tuple[int, list[str]]:
    """The command's status, and where it found something."""
    command = [sys.executable, "-m", "deploy.audit"]
    said = subprocess.run(
        command, cwd=ROOT, env=environment, input="\n".join(words), capture_output=True, text=True, timeout=60
    )
    assert "Traceback" not in said.stderr, said.stderr
    return said.returncode, said.stdout.splitlines()


@pytest.fixture
def bucket() -> Iterator[dict[str, str]]:
    """An S3 service of our own, with a bucket; the settings that name it."""
    server = ThreadedMotoServer(port=free_port(), verbose=False)
    server.start()
    endpoint = f"http://127.0.0.1:{server._port}"
    keys = {"STORE": "s3", "S3_ENDPOINT": endpoint, "S3_BUCKET": "kept", "S3_KEY": "k", "S3_SECRET": "s"}
    yield {f"PAPERCRANE_{name}": text for name, text in keys.items()}
    server.stop()


def test_a_word_is_found_wherever_it_is(tmp_path: Path, bucket: dict[str, str], redis_server: str) -> None:
    word, other = f"工资 {secrets.token_hex(6)}", secrets.token_hex(6)
    url = f"sqlite+aiosqlite:///{tmp_path / 'elsewhere.db'}"
    own = {"PAPERCRANE_DATA": str(tmp_path / "data"), "PAPERCRANE_API_DATABASE": url}
    environment = {**os.environ, **bucket, **own}
    migrate = "from api import database; database.migrate()"
    subprocess.run([sys.executable, "-c", migrate], cwd=ROOT, env=environment, check=True, timeout=60)
    s3 = s3_of(bucket)
    s3.create_bucket(Bucket="kept")
    assert audit(environment, word, other) == (0, [])

    (tmp_path / "data" / "scratch" / "slot").mkdir(parents=True)
    (tmp_path / "data" / "log").mkdir()
    (tmp_path / "data" / "scratch" / "slot" / "part").write_bytes(bytes((1 << 20) - 5) + word.encode())
    (tmp_path / "data" / "log" / "api.log").write_text(json.dumps({"event": word}))
    s3.put_object(Bucket="kept", Key="results/a", Body=word.encode("utf-16-le"))
    s3.put_object(Bucket="kept", Key=f"uploads/{other}", Body=b"x")
    owner = new_id()
    asyncio.run(_account(url, owner, word))
    queue.connect().hset(f"task:{owner}", "name", word)
    queue.connect().sadd(f"tasks:{owner}", other)
    try:
        status, places = audit(environment, word, other)
    finally:
        queue.connect().delete(f"task:{owner}", f"tasks:{owner}")
    folder = tmp_path / "data"
    assert status == 1
    assert sorted(places) == sorted(
        [
            f"data {folder}/scratch/slot/part: word 1",
            f"data {folder}/log/api.log: word 1",
            "store results/a: word 1",
            f"store uploads/{other}: word 2",
            f"redis task:{owner}: word 1",
            f"redis tasks:{owner}: word 2",
            "sql account: word 1",
        ]
    )


async def _account(url: str, owner: str, nickname: str) -> None:
    from sqlalchemy import insert
    from sqlalchemy.ext.asyncio import create_async_engine

    from api.user.accounts import Account

    engine = create_async_engine(url)
    async with engine.begin() as connection:
        row = {"id": owner, "name": "a@b.example", "nickname": nickname, "created_at": 1}
        await connection.execute(insert(Account).values(**row))
    await engine.dispose()


def s3_of(bucket: dict[str, str]):  # type: ignore[no-untyped-def]
    where = {"endpoint_url": bucket["PAPERCRANE_S3_ENDPOINT"], "region_name": "us-east-1"}
    return boto3.client("s3", aws_access_key_id="k", aws_secret_access_key="s", **where)


def test_the_second_net_is_one_that_s3_takes(bucket: dict[str, str]) -> None:
    """deploy/s3-lifecycle.json, as the guide gives it to the bucket; it never comes before the sweeper."""
    s3 = s3_of(bucket)
    s3.create_bucket(Bucket="kept")
    rules = json.loads((ROOT / "deploy" / "s3-lifecycle.json").read_text())
    s3.put_bucket_lifecycle_configuration(Bucket="kept", LifecycleConfiguration=rules)
    (rule,) = s3.get_bucket_lifecycle_configuration(Bucket="kept")["Rules"]
    assert (rule["Status"], rule["Expiration"]["Days"]) == ("Enabled", 3)
    assert rule["AbortIncompleteMultipartUpload"]["DaysAfterInitiation"] == 1
