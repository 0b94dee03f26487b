"""The bucket is made as an operator makes it, twice, and a browser's page may read what it needs of an answer."""

import os
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest
from moto.server import ThreadedMotoServer

from tests.stack import ROOT


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    service = ThreadedMotoServer(port=0, verbose=False)
    service.start()
    yield f"http://127.0.0.1:{service.get_host_and_port()[1]}"
    service.stop()


def make(bucket: str, **more: str) -> subprocess.CompletedProcess[str]:
    own = {"PAPERCRANE_STORE": "s3", "PAPERCRANE_S3_ENDPOINT": bucket, "PAPERCRANE_S3_BUCKET": "cranes"}
    own |= {"PAPERCRANE_S3_KEY": "test", "PAPERCRANE_S3_SECRET": "test", "PAPERCRANE_API_HOSTS": "papercrane.example"}
    command = [sys.executable, "-m", "deploy.bucket"]
    return subprocess.run(command, env=os.environ | own | more, cwd=ROOT, capture_output=True, text=True, check=False)


def test_pages_may_upload_into_a_new_bucket(bucket):
    for _ in range(2):
        made = make(bucket)
        assert made.returncode == 0, made.stderr
    asked = {"Origin": "http://merge.papercrane.example", "Access-Control-Request-Method": "PUT"}
    answer = httpx.options(f"{bucket}/cranes/uploads/x", headers=asked)
    assert answer.headers["Access-Control-Allow-Origin"] in ("*", asked["Origin"])
    assert httpx.options(f"{bucket}/cranes/x", headers={**asked, "Origin": "http://evil.example"}).status_code == 403


def test_trouble_is_a_sentence():
    assert "does not answer: ConnectError" in make("http://127.0.0.1:9").stderr
    assert "a folder needs no bucket" in make("", PAPERCRANE_STORE="folder").stderr
