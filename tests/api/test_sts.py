"""With the S3 store: real temporary credentials by AssumeRole and presigned reads, moto's server as the service."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import boto3
import httpx
import pytest
from moto.server import ThreadedMotoServer

from api.file.uploads import policy
from cluster.settings import Settings
from cluster.store import S3Store
from tests.api.conftest import PDF, Server, Visitor, s3_client, serving

BUCKET = "papercrane"


@pytest.fixture(scope="module")
def s3_server(tmp_path_factory: pytest.TempPathFactory, redis_server: str) -> Iterator[tuple[Server, str]]:
    service = ThreadedMotoServer(port=0, verbose=False)
    service.start()
    address = f"http://127.0.0.1:{service.get_host_and_port()[1]}"
    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": "us-east-1"}
    boto3.client("s3", endpoint_url=address, **keys).create_bucket(Bucket=BUCKET)
    cluster = {"STORE": "s3", "S3_ENDPOINT": address, "S3_KEY": "test", "S3_SECRET": "test"}
    role = "arn:aws:iam::123456789012:role/upload"
    with serving(tmp_path_factory.mktemp("sts"), cluster=cluster, STS_ROLE=role) as server:
        yield server, address
    service.stop()


def test_upload_and_task(s3_server: tuple[Server, str]) -> None:
    server, address = s3_server
    visitor = Visitor(server.address)
    grant = visitor.grant(files=1, bytes=100)
    assert grant["endpoint"] == address
    assert grant["credentials"]["accessKeyId"].startswith("ASIA")
    assert grant["credentials"]["expiration"] > datetime.now(UTC).isoformat()
    key = f"{grant['prefix']}合同.pdf"
    s3_client(grant).put_object(Bucket=BUCKET, Key=key, Body=PDF)
    task = visitor.task(key)
    assert visitor.view(task)["inputs"][0]["size"] == len(PDF)
    visitor.data("/api/task/task/deleteTask", taskId=task)
    kept = S3Store(Settings(store="s3", s3_bucket=BUCKET, s3_endpoint=address, s3_key="test", s3_secret="test"))
    assert kept.stat(key) is None


def test_the_subset_is_not_served(s3_server: tuple[Server, str]) -> None:
    assert httpx.put(f"{s3_server[0].address}/s3/{BUCKET}/x").status_code == 405
    assert httpx.get(f"{s3_server[0].address}/s3/{BUCKET}/x").status_code == 404


def test_the_policy_is_write_only_and_of_one_prefix() -> None:
    (statement,) = json.loads(policy("uploads/o/g/"))["Statement"]
    assert statement["Resource"] == [f"arn:aws:s3:::{BUCKET}/uploads/o/g/*"]
    assert statement["Action"] == ["s3:PutObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"]
