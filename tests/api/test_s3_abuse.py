"""The S3 subset against who holds a small grant and wants more than that."""

from datetime import UTC, datetime

import httpx
import pytest

from api.file.chunks import ChunkReader
from api.file.s3 import wanted_parts
from api.file.s3_problem import S3Problem
from api.file.sigv4 import Keys, Unsigned, presign
from cluster.store import store
from tests.api.conftest import Visitor, s3_client


@pytest.mark.parametrize("what", ["acl", "tagging", "versionId=1", "policy", "torrent", "uploads&acl", "partNumber=1"])
def test_other_sub_resources_are_refused(visitor: Visitor, what: str) -> None:
    """Taken for the object itself, a question about its rights would replace it, or delete it."""
    grant = visitor.grant(files=1, bytes=100)
    s3, where = s3_client(grant), {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}a"}
    s3.put_object(**where, Body=b"kept")
    name, _, value = what.partition("=")
    for method in ("PUT", "DELETE", "POST", "GET"):
        query = dict.fromkeys(name.split("&"), value)
        answer = httpx.request(method, signed(grant, method, "a", query), content=b"x" if method == "PUT" else b"")
        assert answer.status_code == 501, (method, answer.text)
    assert b"".join(store().read(where["Key"])) == b"kept"


@pytest.mark.parametrize("number", ["0x2", "1_0", "1 0", "+1", "١", "true", "1.0", ""])
def test_numbers_are_digits(visitor: Visitor, number: str) -> None:
    """What Python's `int` is kind to is no number in S3's headers, query, chunks and XML."""
    grant = visitor.grant(files=1, bytes=100)
    s3, where = s3_client(grant), {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}a"}
    upload = s3.create_multipart_upload(**where)["UploadId"]
    asked = signed(grant, "PUT", "a", {"partNumber": number, "uploadId": upload})
    assert httpx.put(asked, content=b"x").status_code == 400
    with pytest.raises(S3Problem):
        wanted_parts(f"<C><Part><PartNumber>{number or '-'}</PartNumber><ETag>e</ETag></Part></C>".encode())
    with pytest.raises(Unsigned):
        list(ChunkReader(None).feed(f"{number}\r\n".encode()))
    late = signed(grant, "PUT", "a", {"X-Amz-Expires": number})
    assert httpx.put(late, content=b"x").status_code == 403


def signed(grant: dict, method: str, name: str, query: dict[str, str]) -> str:
    """A presigned request of the grant's."""
    keys, url = grant["credentials"], f"{grant['endpoint']}/{grant['bucket']}/{grant['prefix']}{name}"
    return presign(
        Keys(keys["accessKeyId"], keys["secretAccessKey"], keys["sessionToken"]),
        method,
        url,
        region=grant["region"],
        seconds=60,
        now=datetime.now(UTC),
        query=query,
    )


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
    upload = s3_client(grant).create_multipart_upload(Bucket=grant["bucket"], Key=f"{grant['prefix']}a")["UploadId"]
    asked = signed(grant, "PUT", "a", {"partNumber": "1" * 5000, "uploadId": upload})
    answer = httpx.put(asked, content=b"x")
    assert (answer.status_code, "<Code>InvalidArgument</Code>" in answer.text) == (400, True), answer.text
