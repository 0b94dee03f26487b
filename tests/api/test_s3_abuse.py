"""The S3 subset against who holds a small grant and wants more than that."""

from datetime import UTC, datetime

import httpx
import pytest
from botocore.exceptions import ClientError

from api.file.chunks import ChunkReader
from api.file.grants import LEAST_PART
from api.file.s3_problem import S3Problem
from api.file.s3 import wanted_parts
from api.file.sigv4 import Keys, Unsigned, presign
from cluster.queue import connect
from tests.api.conftest import Visitor, s3_client


def refused(error: pytest.ExceptionInfo[ClientError]) -> str:
    return str(error.value.response["Error"]["Code"])


def record(prefix: str) -> str:
    """The grant's key in Redis."""
    return f"grant:{prefix.split('/')[2]}"


def test_completing_asks_for_room_too(visitor: Visitor) -> None:
    """The room of the parts becomes the object's only if nothing else took it meanwhile."""
    grant = visitor.grant(files=1, bytes=LEAST_PART)
    s3, where = s3_client(grant), {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}a"}
    upload = s3.create_multipart_upload(**where)["UploadId"]
    etag = s3.upload_part(**where, UploadId=upload, PartNumber=1, Body=b"x" * LEAST_PART)["ETag"]
    connect().hset(record(grant["prefix"]), mapping={"use:=b": 1, "used": LEAST_PART + 1})
    parts = {"Parts": [{"PartNumber": 1, "ETag": etag}]}
    with pytest.raises(ClientError) as error:
        s3.complete_multipart_upload(**where, UploadId=upload, MultipartUpload=parts)
    assert refused(error) == "EntityTooLarge"


def test_a_grant_holds_so_many_uploads(visitor: Visitor) -> None:
    """Empty files and uploads that only begin cost no bytes, but a place on the disk."""
    grant = visitor.grant(files=1, bytes=100)
    key = record(grant["prefix"])
    connect().hset(key, mapping={f"use:={number}": 0 for number in range(MOST_SLOTS)})
    s3, where = s3_client(grant), {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}a"}
    for deed in (lambda: s3.put_object(**where, Body=b""), lambda: s3.create_multipart_upload(**where)):
        with pytest.raises(ClientError) as error:
            deed()
        assert refused(error) == "EntityTooLarge"
    connect().hdel(key, *(f"use:={number}" for number in range(100)))
    before = connect().hlen(key)
    upload = s3.create_multipart_upload(**where)["UploadId"]
    assert connect().hlen(key) > before
    s3.abort_multipart_upload(**where, UploadId=upload)
    assert not [each for each in connect().hkeys(key) if upload in each], "who gives up has the place back"


def test_trailers_without_end_are_not_remembered() -> None:
    reader = ChunkReader(None)
    with pytest.raises(Unsigned):
        list(reader.feed(b"0\r\n" + b"".join(b"%d:x\r\n" % number for number in range(1000))))
    assert len(reader.trailers) < 50


def test_no_declarations_in_any_encoding() -> None:
    """An entity may stand for any number of others."""
    part = "<Part><PartNumber>&b;</PartNumber><ETag>e</ETag></Part>"
    text = f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "5">]><a>{part}</a>'
    for body in (text.encode(), text.encode("utf-16")):
        with pytest.raises(S3Problem):
            wanted_parts(body)


def test_numbers_of_thousands_of_digits(visitor: Visitor) -> None:
    grant = visitor.grant()
    keys, url = grant["credentials"], f"{grant['endpoint']}/{grant['bucket']}/{grant['prefix']}a"
    upload = s3_client(grant).create_multipart_upload(Bucket=grant["bucket"], Key=f"{grant['prefix']}a")["UploadId"]
    signed = presign(
        Keys(keys["accessKeyId"], keys["secretAccessKey"], keys["sessionToken"]),
        "PUT",
        url,
        region=grant["region"],
        seconds=60,
        now=datetime.now(UTC),
        query={"partNumber": "1" * 5000, "uploadId": upload},
    )
    answer = httpx.put(signed, content=b"x")
    assert (answer.status_code, "<Code>InvalidArgument</Code>" in answer.text) == (400, True), answer.text
