"""Signatures against the worked examples that Amazon publishes with the algorithm."""

import hashlib
from datetime import UTC, datetime, timedelta

import pytest

from api.file.chunks import ChunkReader, ChunkSigner
from api.file.sigv4 import Keys, Request, Scope, Signature, Unsigned, authorize, check, presign, read, sign

SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
KEY = "AKIAIOSFODNN7EXAMPLE"
MOMENT = datetime(2013, 5, 24, tzinfo=UTC)
HOST = "examplebucket.s3.amazonaws.com"
EMPTY = hashlib.sha256(b"").hexdigest()


def get_object() -> Request:
    names = "host;range;x-amz-content-sha256;x-amz-date"
    mark = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    headers = {
        "host": HOST,
        "range": "bytes=0-9",
        "x-amz-content-sha256": EMPTY,
        "x-amz-date": "20130524T000000Z",
        "authorization": f"AWS4-HMAC-SHA256 Credential={KEY}/20130524/us-east-1/s3/aws4_request,"
        f"SignedHeaders={names},Signature={mark}",
    }
    return Request("GET", "/test.txt", (), headers)


def test_header() -> None:
    request = get_object()
    check(request, read(request), SECRET, MOMENT)


@pytest.mark.parametrize("change", ["method", "path", "range", "query"])
def test_a_changed_request_does_not_hold(change: str) -> None:
    good = get_object()
    changed = {
        "method": Request("PUT", good.path, (), good.headers),
        "path": Request("GET", "/test.txt2", (), good.headers),
        "range": Request("GET", good.path, (), {**good.headers, "range": "bytes=0-99"}),
        "query": Request("GET", good.path, [("acl", "")], good.headers),
    }[change]
    with pytest.raises(Unsigned, match="does not match"):
        check(changed, read(changed), SECRET, MOMENT)


def test_query() -> None:
    url = presign(Keys(KEY, SECRET), "GET", f"https://{HOST}/test.txt", region="us-east-1", seconds=86400,
                  now=MOMENT, query={})  # fmt: skip
    assert url.endswith("&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")


def test_query_in_force_for_its_time_only() -> None:
    url = presign(Keys(KEY, SECRET), "GET", f"https://{HOST}/t", region="us-east-1", seconds=60, now=MOMENT, query={})
    pairs = [tuple(pair.replace("%2F", "/").split("=")) for pair in url.partition("?")[2].split("&")]
    request = Request("GET", "/t", pairs, {"host": HOST})  # type: ignore[arg-type]
    check(request, read(request), SECRET, MOMENT + timedelta(seconds=60))
    with pytest.raises(Unsigned, match="expired"):
        check(request, read(request), SECRET, MOMENT + timedelta(seconds=61))


SEED = Signature(
    KEY,
    Scope("20130524", "us-east-1"),
    MOMENT,
    (
        "content-encoding",
        "content-length",
        "host",
        "x-amz-content-sha256",
        "x-amz-date",
        "x-amz-decoded-content-length",
        "x-amz-storage-class",
    ),
    "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
    "",
    "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
)
CHUNKS = [
    (b"a" * 65536, "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648"),
    (b"a" * 1024, "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497"),
    (b"", "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9"),
]


def chunked(chunks: list[tuple[bytes, str]]) -> bytes:
    return b"".join(b"%x;chunk-signature=%b\r\n%b\r\n" % (len(data), mark.encode(), data) for data, mark in chunks)


def test_the_seed_of_the_chunks() -> None:
    headers = {
        "host": "s3.amazonaws.com",
        "x-amz-date": "20130524T000000Z",
        "x-amz-storage-class": "REDUCED_REDUNDANCY",
        "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        "content-encoding": "aws-chunked",
        "x-amz-decoded-content-length": "66560",
        "content-length": "66824",
    }
    assert sign(Request("PUT", "/examplebucket/chunkObject.txt", (), headers), SEED, SECRET) == SEED.mark


@pytest.mark.parametrize("step", [1, 7, 4096, 10**6])
def test_signed_chunks(step: int) -> None:
    body = chunked(CHUNKS)
    reader = ChunkReader(ChunkSigner(SEED, SECRET))
    found = b"".join(piece for at in range(0, len(body), step) for piece in reader.feed(body[at : at + step]))
    reader.finish()
    assert found == b"a" * 66560


def test_a_changed_chunk_is_noticed() -> None:
    reader = ChunkReader(ChunkSigner(SEED, SECRET))
    with pytest.raises(Unsigned, match="chunk"):
        list(reader.feed(chunked([(b"b" * 65536, CHUNKS[0][1]), *CHUNKS[1:]])))


def test_a_missing_end_is_noticed() -> None:
    reader = ChunkReader(ChunkSigner(SEED, SECRET))
    list(reader.feed(chunked(CHUNKS[:2])))
    with pytest.raises(Unsigned, match="ended early"):
        reader.finish()


def test_trailers_and_malformed_sizes() -> None:
    reader = ChunkReader(None)
    assert b"".join(reader.feed(b"5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n")) == b"hello"
    reader.finish()
    assert reader.trailers == {"x-amz-checksum-crc32": "NhCmhg=="}
    for evil in (b"-5\r\nhello", b"zz\r\n", b"5\r\nhelloXX\r\n", b"1" * 5000):
        with pytest.raises(Unsigned, match="malformed"):
            list(ChunkReader(None).feed(evil))


def test_a_form_post_is_signed_as_sts_wants_it() -> None:
    """Against botocore's own signer."""
    from botocore.auth import SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    now = datetime.now(UTC).replace(microsecond=0)
    mine = authorize(Keys(KEY, SECRET), "https://sts.amazonaws.com/", b"Action=AssumeRole", region="us-east-1",
                     service="sts", now=now)  # fmt: skip
    theirs = AWSRequest("POST", "https://sts.amazonaws.com/", data=b"Action=AssumeRole",
                        headers={"content-type": mine["content-type"]})  # fmt: skip
    signer = SigV4Auth(Credentials(KEY, SECRET), "sts", "us-east-1")
    theirs.context["timestamp"] = mine["x-amz-date"]
    signer._modify_request_before_signing(theirs)
    theirs.headers.replace_header("X-Amz-Date", mine["x-amz-date"])
    text = signer.string_to_sign(theirs, signer.canonical_request(theirs))
    assert f"Signature={signer.signature(text, theirs)}" in mine["authorization"]
