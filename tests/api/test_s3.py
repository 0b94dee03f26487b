"""The S3 subset, asked by boto3, a client that knows nothing of us."""

import base64
import io
import os
import time
import zlib
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import httpx
import pytest
from boto3.s3.transfer import TransferConfig
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from api.file import grants
from api.file.sigv4 import Keys, presign
from cluster.store import store
from tests.api.conftest import Server, Visitor, s3_client, serving

MIB = 1 << 20
BUCKET = "papercrane"


def refused(call, **arguments) -> str:
    """The S3 error code of a call that must fail."""
    with pytest.raises(ClientError) as caught:
        call(**arguments)
    return caught.value.response["Error"]["Code"]


def stored(key: str) -> bytes:
    return b"".join(store().read(key))


def link(server: Server, key: str, seconds: int = 60, now: datetime | None = None, **query: str) -> str:
    """A download link as the API signs it."""
    url = f"{server.address}/s3/{BUCKET}/{quote(key, safe='/')}"
    moment = now or datetime.now(UTC)
    return presign(grants.reader(), "GET", url, region="us-east-1", seconds=seconds, now=moment, query=query)


@pytest.mark.parametrize("name", ["a.pdf", "合同 (1)+a&b=c%20.pdf", ".hidden", "~", "é" * 200, "x'\"<>.pdf"])
def test_one_put(visitor: Visitor, name: str) -> None:
    grant = visitor.grant(files=1, bytes=100)
    s3_client(grant).put_object(Bucket=BUCKET, Key=grant["prefix"] + name, Body=b"hello")
    assert stored(grant["prefix"] + name) == b"hello"


def test_multipart(visitor: Visitor) -> None:
    body = os.urandom(17 * MIB)
    grant = visitor.grant(files=1, bytes=len(body))
    config = TransferConfig(multipart_threshold=MIB, multipart_chunksize=5 * MIB, max_concurrency=4)
    s3_client(grant).upload_fileobj(io.BytesIO(body), BUCKET, f"{grant['prefix']}big.pdf", Config=config)
    assert stored(f"{grant['prefix']}big.pdf") == body
    assert [stat.key for stat in store().keys(grant["prefix"])] == [f"{grant['prefix']}big.pdf"]


def test_multipart_survives_a_killed_api(tmp_path, redis_server: str) -> None:
    with serving(tmp_path) as server:
        visitor = Visitor(server.address)
        grant = visitor.grant(files=1, bytes=12 * MIB)
        s3, where = s3_client(grant), {"Bucket": BUCKET, "Key": f"{grant['prefix']}a.pdf"}
        upload = s3.create_multipart_upload(**where)["UploadId"]
        first, second = os.urandom(5 * MIB), os.urandom(3 * MIB)
        s3.upload_part(**where, UploadId=upload, PartNumber=1, Body=first)
        server.kill()
        server.start()
        listed = s3.list_parts(**where, UploadId=upload)["Parts"]
        assert [(part["PartNumber"], part["Size"]) for part in listed] == [(1, 5 * MIB)]
        etag = s3.upload_part(**where, UploadId=upload, PartNumber=2, Body=second)["ETag"]
        parts = [{"PartNumber": 1, "ETag": listed[0]["ETag"]}, {"PartNumber": 2, "ETag": etag}]
        done = s3.complete_multipart_upload(**where, UploadId=upload, MultipartUpload={"Parts": parts})
        again = s3.complete_multipart_upload(**where, UploadId=upload, MultipartUpload={"Parts": parts})
        assert stored(where["Key"]) == first + second
        assert done["ETag"] == again["ETag"]
        renewed = visitor.grant(prefix=grant["prefix"])
        assert renewed["prefix"] == grant["prefix"]
        assert renewed["credentials"]["sessionToken"] != grant["credentials"]["sessionToken"]
        s3_client(renewed).put_object(Bucket=BUCKET, Key=f"{grant['prefix']}b.pdf", Body=b"b")


def test_parts_are_listed_in_pages_and_replaced(visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=MIB)
    s3, where = s3_client(grant), {"Bucket": BUCKET, "Key": f"{grant['prefix']}a.pdf"}
    upload = s3.create_multipart_upload(**where)["UploadId"]
    for number, size in ((3, 3), (1, 1), (2, 2), (2, 5)):
        s3.upload_part(**where, UploadId=upload, PartNumber=number, Body=os.urandom(size))
    pages = s3.get_paginator("list_parts").paginate(**where, UploadId=upload, PaginationConfig={"PageSize": 2})
    found = [(part["PartNumber"], part["Size"]) for page in pages for part in page["Parts"]]
    assert found == [(1, 1), (2, 5), (3, 3)]
    assert s3.list_multipart_uploads(Bucket=BUCKET)["Uploads"][0]["UploadId"] == upload


def test_what_a_complete_refuses(visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=MIB)
    s3, where = s3_client(grant), {"Bucket": BUCKET, "Key": f"{grant['prefix']}a.pdf"}
    upload = s3.create_multipart_upload(**where)["UploadId"]
    etags = {n: s3.upload_part(**where, UploadId=upload, PartNumber=n, Body=b"x")["ETag"] for n in (1, 2)}
    one, two = ({"PartNumber": n, "ETag": etags[n]} for n in (1, 2))

    def code(*parts: dict) -> str:
        return refused(s3.complete_multipart_upload, **where, UploadId=upload, MultipartUpload={"Parts": list(parts)})

    assert code(one, two) == "EntityTooSmall"
    assert code(two, one) == "InvalidPartOrder"
    assert code({"PartNumber": 1, "ETag": '"wrong"'}) == "InvalidPart"
    other = {**where, "Key": f"{grant['prefix']}other.pdf"}
    assert refused(s3.list_parts, **other, UploadId=upload) == "NoSuchUpload"
    s3.abort_multipart_upload(**where, UploadId=upload)
    assert refused(s3.list_parts, **where, UploadId=upload) == "NoSuchUpload"
    assert refused(s3.upload_part, **where, UploadId="../../x", PartNumber=1, Body=b"") == "NoSuchUpload"
    assert refused(s3.upload_part, **where, UploadId=upload, PartNumber=10_001, Body=b"") == "NoSuchUpload"


def test_a_grant_writes_only_below_its_prefix(visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=100)
    s3, prefix = s3_client(grant), grant["prefix"]
    foreign = Visitor(visitor.address).grant(files=1, bytes=100)["prefix"]
    escapes = (
        f"{foreign}a.pdf",
        "results/a/b/0.1/0.pdf",
        "a.pdf",
        f"{prefix}../a.pdf",
        f"{prefix}a/../../b.pdf",
        prefix,
    )
    for key in escapes:
        assert refused(s3.put_object, Bucket=BUCKET, Key=key, Body=b"x") in ("AccessDenied", "InvalidArgument"), key
        assert refused(s3.create_multipart_upload, Bucket=BUCKET, Key=key) in ("AccessDenied", "InvalidArgument"), key
    s3.put_object(Bucket=BUCKET, Key=f"{prefix}a.pdf", Body=b"x")
    assert refused(s3.get_object, Bucket=BUCKET, Key=f"{prefix}a.pdf") == "AccessDenied"
    assert refused(s3.head_object, Bucket=BUCKET, Key=f"{prefix}a.pdf") == "403"
    assert refused(s3.list_objects_v2, Bucket=BUCKET) in ("AccessDenied", "NotImplemented")
    assert refused(s3.put_object, Bucket="other", Key=f"{prefix}a.pdf", Body=b"x") == "NoSuchBucket"
    copy = {"Bucket": BUCKET, "Key": f"{foreign}a.pdf"}
    assert refused(s3.copy_object, Bucket=BUCKET, Key=f"{prefix}b.pdf", CopySource=copy) == "NotImplemented"
    s3.delete_object(Bucket=BUCKET, Key=f"{prefix}a.pdf")
    assert store().stat(f"{prefix}a.pdf") is None


def test_the_size_of_a_grant_holds(visitor: Visitor) -> None:
    grant = visitor.grant(files=2, bytes=1000)
    s3, key = s3_client(grant), f"{grant['prefix']}a.pdf"
    assert refused(s3.put_object, Bucket=BUCKET, Key=key, Body=b"x" * 1001) == "EntityTooLarge"
    s3.put_object(Bucket=BUCKET, Key=key, Body=b"x" * 600)
    assert refused(s3.put_object, Bucket=BUCKET, Key=f"{key}2", Body=b"x" * 600) == "EntityTooLarge"
    s3.put_object(Bucket=BUCKET, Key=key, Body=b"y" * 900)
    upload = s3.create_multipart_upload(Bucket=BUCKET, Key=f"{key}2")["UploadId"]
    part = {"Bucket": BUCKET, "Key": f"{key}2", "UploadId": upload, "PartNumber": 1}
    assert refused(s3.upload_part, **part, Body=b"x" * 200) == "EntityTooLarge"
    s3.delete_object(Bucket=BUCKET, Key=key)
    s3.upload_part(**part, Body=b"x" * 200)


def test_a_body_must_announce_its_length(visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=10)
    url = s3_client(grant).generate_presigned_url("put_object", Params={"Bucket": BUCKET, "Key": f"{grant['prefix']}a"})
    assert httpx.put(url, content=iter([b"x" * 100])).status_code == 411
    assert store().stat(f"{grant['prefix']}a") is None
    assert httpx.put(url, content=b"x" * 10).status_code == 200


def test_presigned_put_is_what_browsers_send(visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=100)
    key = f"{grant['prefix']}合同.pdf"
    url = s3_client(grant).generate_presigned_url("put_object", Params={"Bucket": BUCKET, "Key": key}, ExpiresIn=60)
    answer = httpx.put(url, content=b"bytes")
    assert answer.status_code == 200
    assert answer.headers["etag"].strip('"') == store().stat(key).etag
    assert httpx.put(url.replace("X-Amz-Signature=", "X-Amz-Signature=0"), content=b"bytes").status_code == 403
    assert httpx.get(url).status_code == 403


def test_wrong_keys(visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=100)
    target = {"Bucket": BUCKET, "Key": f"{grant['prefix']}a", "Body": b"x"}
    keys = grant["credentials"]
    other = Visitor(visitor.address).grant(files=1, bytes=100)["credentials"]

    def code(**changed: str) -> str:
        return refused(s3_client({**grant, "credentials": {**keys, **changed}}).put_object, **target)

    assert code(secretAccessKey="wrong") == "SignatureDoesNotMatch"
    assert code(sessionToken="wrong") == "InvalidAccessKeyId"
    assert code(sessionToken=other["sessionToken"]) == "InvalidAccessKeyId"
    assert code(accessKeyId="PCnobody") == "InvalidAccessKeyId"
    assert code(accessKeyId="PCREAD") == "SignatureDoesNotMatch"
    expired = f"{int(time.time()) - 1}{keys['sessionToken'][10:]}"
    assert code(sessionToken=expired) == "InvalidAccessKeyId"
    assert httpx.put(f"{visitor.address}/s3/{BUCKET}/{grant['prefix']}a", content=b"x").status_code == 403


def test_expired_credentials(visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=100)
    old = grants._token(grant["credentials"]["accessKeyId"].removeprefix("PC"), int(time.time()) - 1)
    keys = {**grant["credentials"], "sessionToken": old, "secretAccessKey": grants._secret(old)}
    client = s3_client({**grant, "credentials": keys})
    assert refused(client.put_object, Bucket=BUCKET, Key=f"{grant['prefix']}a", Body=b"x") == "ExpiredToken"


@pytest.mark.parametrize(("minutes", "status"), [(-14, 200), (-16, 403), (14, 200), (16, 403)])
def test_clock_skew(server: Server, visitor: Visitor, minutes: int, status: int) -> None:
    key = visitor.upload()
    now = datetime.now(UTC) + timedelta(minutes=minutes)
    seconds = 15 * 60
    assert httpx.get(link(server, key, seconds, now)).status_code == status


def test_a_body_that_is_not_what_was_announced(visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=100)
    target = {"Bucket": BUCKET, "Key": f"{grant['prefix']}a", "Body": b"hello"}
    s3 = s3_client(grant)
    assert refused(s3.put_object, **target, ContentMD5="AAAAAAAAAAAAAAAAAAAAAA==") == "BadDigest"
    assert refused(s3.put_object, **target, ChecksumCRC32="AAAAAA==") == "BadDigest"
    assert refused(s3.put_object, **target, ChecksumSHA256="A" * 43 + "=") == "BadDigest"
    s3.put_object(**target, ChecksumAlgorithm="SHA256")
    assert stored(target["Key"]) == b"hello"


@pytest.mark.parametrize("good", [True, False])
def test_aws_chunked_bodies(visitor: Visitor, good: bool) -> None:
    """What SDKs send when they stream: chunks, the checksum last, signed by botocore."""
    grant = visitor.grant(files=1, bytes=MIB)
    key, body = f"{grant['prefix']}a.pdf", os.urandom(300_000)
    crc = base64.b64encode(zlib.crc32(body if good else b"x").to_bytes(4, "big")).decode()
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(each), each) for each in (body[:65536], body[65536:]))
    sent = chunks + f"0\r\nx-amz-checksum-crc32:{crc}\r\n\r\n".encode()
    headers = {
        "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        "x-amz-decoded-content-length": str(len(body)),
        "x-amz-trailer": "x-amz-checksum-crc32",
        "content-encoding": "aws-chunked",
    }
    request = AWSRequest("PUT", f"{grant['endpoint']}/{BUCKET}/{key}", data=sent, headers=headers)
    request.context["checksum"] = {"request_algorithm": {"in": "trailer"}}
    keys = grant["credentials"]
    credentials = Credentials(keys["accessKeyId"], keys["secretAccessKey"], keys["sessionToken"])
    S3SigV4Auth(credentials, "s3", "us-east-1").add_auth(request)
    answer = httpx.put(request.url, content=sent, headers=dict(request.headers.items()))
    if good:
        assert answer.status_code == 200, answer.text
        assert stored(key) == body
    else:
        assert "BadDigest" in answer.text
        assert store().stat(key) is None


def test_get_ranges(server: Server, visitor: Visitor) -> None:
    body = os.urandom(3 * MIB)
    url = link(server, visitor.upload(body=body))
    whole = httpx.get(url)
    assert whole.content == body
    assert whole.headers["content-disposition"].startswith("attachment")
    assert whole.headers["x-content-type-options"] == "nosniff"
    for asked, start, end in (("0-0", 0, 1), ("100-199", 100, 200), ("1000-", 1000, len(body)), ("-5", -5, len(body))):
        answer = httpx.get(url, headers={"Range": f"bytes={asked}"})
        assert (answer.status_code, answer.content) == (206, body[start:end]), asked
    first = len(body) - 10
    answer = httpx.get(url, headers={"Range": f"bytes={first}-99999999999"})
    assert answer.headers["content-range"] == f"bytes {first}-{len(body) - 1}/{len(body)}"
    for asked in (f"{len(body)}-", "-0"):
        assert httpx.get(url, headers={"Range": f"bytes={asked}"}).status_code == 416, asked
    for asked in ("5-2", "a-b", "0-1,3-4", "²-"):
        assert httpx.get(url, headers={"Range": f"bytes={asked}".encode()}).status_code == 200, asked
    stale = {"Range": "bytes=0-0", "If-Range": '"another"'}
    assert httpx.get(url, headers=stale).status_code == 200
    assert httpx.get(url, headers={"If-None-Match": whole.headers["etag"]}).status_code == 304


def test_reading_keys_read_and_do_nothing_else(server: Server, visitor: Visitor) -> None:
    key = visitor.upload(body=b"12345")
    reader = grants.reader()
    keys = {"accessKeyId": reader.key, "secretAccessKey": reader.secret, "sessionToken": ""}
    s3 = s3_client({"credentials": keys, "endpoint": f"{server.address}/s3", "region": "us-east-1"})
    head = s3.head_object(Bucket=BUCKET, Key=key)
    assert (head["ContentLength"], head["AcceptRanges"]) == (5, "bytes")
    assert s3.get_object(Bucket=BUCKET, Key=key, Range="bytes=1-3")["Body"].read() == b"234"
    assert refused(s3.get_object, Bucket=BUCKET, Key=f"{key}x") == "NoSuchKey"
    assert refused(s3.put_object, Bucket=BUCKET, Key=key, Body=b"x") == "AccessDenied"
    assert refused(s3.delete_object, Bucket=BUCKET, Key=key) == "AccessDenied"
    assert httpx.get(link(server, "../secret")).status_code in (400, 403)
    assert httpx.get(presign(Keys("PCREAD", "guess"), "GET", f"{server.address}/s3/{BUCKET}/{key}", region="us-east-1",
                             seconds=60, now=datetime.now(UTC), query={})).status_code == 403  # fmt: skip


def test_html_never_runs_in_our_origin(server: Server, visitor: Visitor) -> None:
    key = visitor.upload("evil.html", b"<script>alert(1)</script>")
    asked = {"response-content-disposition": "inline", "response-content-type": "text/html"}
    answer = httpx.get(link(server, key, **asked))
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in answer.headers["content-security-policy"]
