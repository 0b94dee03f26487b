"""The S3 subset: who may do what to which key, and the XML of its answers. No web framework here."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from api.file import grants
from api.file.chunks import ChunkReader, ChunkSigner
from api.file.grants import Access
from api.file.joining import Uploaded
from api.file.objects import MOST_PARTS, Bench
from api.file.s3_problem import S3Problem
from api.file.sigv4 import Request, Signature, Unsigned, check, read
from cluster.numbers import whole
from cluster.settings import settings
from cluster.store import FolderStore, store

_NAMESPACE = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'
#: Bytes of the XML of a Complete with every part named.
MAX_XML = 2 << 20
LIST_PAGE = 1000
Operation = Literal[
    "put", "get", "head", "delete", "create", "put_part", "list_parts", "list_uploads", "complete", "abort"
]
_READING = ("get", "head")
#: Method -> operation, by the parameter that chooses among S3's sub-resources.
_OPERATIONS: Mapping[str, Mapping[str, Operation]] = {
    "": {"PUT": "put", "GET": "get", "HEAD": "head", "DELETE": "delete"},
    "uploadId": {"PUT": "put_part", "GET": "list_parts", "POST": "complete", "DELETE": "abort"},
    "uploads": {"POST": "create", "GET": "list_uploads"},
}
#: Parameters that an operation takes beside the signature's; any other asks for something else (`acl`, `tagging`).
_TAKEN: Mapping[Operation, Sequence[str]] = {
    "get": ("response-content-disposition", "response-content-type"),
    "head": ("response-content-disposition", "response-content-type"),
    "put_part": ("uploadId", "partNumber"),
    "list_parts": ("uploadId", "max-parts", "part-number-marker", "encoding-type"),
    "complete": ("uploadId",),
    "abort": ("uploadId",),
    "create": ("uploads",),
    "list_uploads": ("uploads", "prefix", "max-uploads", "encoding-type"),
}


@dataclass(frozen=True)
class Opened:
    """A checked request: what it does, to which key, with whose keys."""

    operation: Operation
    key: str
    access: Access
    found: Signature
    request: Request

    @property
    def bench(self) -> Bench:
        return Bench(folder_store(), self.access)

    @property
    def upload(self) -> str:
        return self.request.asked["uploadId"]

    @property
    def part(self) -> int:
        """The part number. Raises S3Problem."""
        number = _number(self.request.asked.get("partNumber", ""), 0)
        if not 1 <= number <= MOST_PARTS:
            raise S3Problem("InvalidArgument", f"Part numbers are 1 to {MOST_PARTS}.")
        return number

    @property
    def length(self) -> int:
        """Bytes of the payload. Raises S3Problem when it is not announced."""
        name = "x-amz-decoded-content-length" if self.chunked else "content-length"
        text = self.request.headers.get(name, "")
        if (found := _number(text, -1)) < 0:
            raise S3Problem("MissingContentLength")
        return found

    @property
    def chunked(self) -> bool:
        return self.found.payload.startswith("STREAMING-")

    def reader(self) -> ChunkReader | None:
        """What takes the payload out of an aws-chunked body; None for a plain one."""
        if not self.chunked:
            return None
        signed = self.found.payload.startswith("STREAMING-AWS4-HMAC-SHA256-PAYLOAD")
        return ChunkReader(ChunkSigner(self.found, self.access.secret) if signed else None)


def folder_store() -> FolderStore:
    """The folder store that the subset serves. Raises S3Problem when the store is another."""
    kept = store()
    if not isinstance(kept, FolderStore):
        raise S3Problem("NoSuchBucket")
    return kept


def open_request(request: Request) -> Opened:
    """Check signature, clock, rights and key. Raises S3Problem."""
    bucket, _, key = unquote(request.path.removeprefix("/s3/")).partition("/")
    found, access = _authenticate(request)
    operation = _operation(request)
    if bucket != settings().s3_bucket:
        raise S3Problem("NoSuchBucket")
    allowed = access.reads if operation in _READING else access.writes(key or access.prefix + "-")
    if not allowed or (not key and operation != "list_uploads"):
        raise S3Problem("AccessDenied")
    if key:
        _check_key(key)
    return Opened(operation, key, access, found, request)


def _authenticate(request: Request) -> tuple[Signature, Access]:
    try:
        found = read(request)
        access = grants.access(found.key, found.token)
        if access is None:
            raise S3Problem("InvalidAccessKeyId")
        check(request, found, access.secret, datetime.now(UTC))
    except Unsigned as error:
        raise S3Problem(error.code, error.message) from None
    except grants.ExpiredToken:
        raise S3Problem("ExpiredToken", "The credentials have expired; ask for new ones.") from None
    except grants.UsedUp:
        raise S3Problem("AccessDenied", "So many requests are enough for this grant; ask for a new one.") from None
    return found, access


def _operation(request: Request) -> Operation:
    names = {name for name, _ in request.query if not name.startswith("X-Amz-") and name != "x-id"}
    table = _OPERATIONS[next((name for name in ("uploadId", "uploads") if name in names), "")]
    operation = table.get(request.method)
    if operation is None or "x-amz-copy-source" in request.headers or names - set(_TAKEN.get(operation, ())):
        raise S3Problem("NotImplemented")
    return operation


def _check_key(key: str) -> None:
    try:
        folder_store().path(key)
    except ValueError:
        raise S3Problem("InvalidArgument", "The key is not usable.") from None
    if len(key.encode("utf-8", "surrogatepass")) > 1024 or _SURROGATE.search(key):
        raise S3Problem("InvalidArgument", "The key is too long or not UTF-8.")


_SURROGATE = re.compile("[\ud800-\udfff]")


def error_xml(problem: S3Problem, request_id: str) -> str:
    """An error as S3 writes it."""
    return _xml(f"<Error>{_tags(Code=problem.code, Message=problem.message, RequestId=request_id)}</Error>")


def created_xml(key: str, upload: str) -> str:
    """Answer of CreateMultipartUpload."""
    tags = _tags(Bucket=settings().s3_bucket, Key=key, UploadId=upload)
    return _xml(f"<InitiateMultipartUploadResult {_NAMESPACE}>{tags}</InitiateMultipartUploadResult>")


def completed_xml(location: str, key: str, etag: str) -> str:
    """Answer of CompleteMultipartUpload."""
    tags = _tags(Location=location, Bucket=settings().s3_bucket, Key=key, ETag=f'"{etag}"')
    return _xml(f"<CompleteMultipartUploadResult {_NAMESPACE}>{tags}</CompleteMultipartUploadResult>")


def parts_xml(key: str, upload: str, parts: Sequence[Uploaded], asked: Mapping[str, str]) -> str:
    """Answer of ListParts: one page after the marker."""
    marker = _number(asked.get("part-number-marker", ""), 0)
    most = min(_number(asked.get("max-parts", ""), LIST_PAGE), LIST_PAGE)
    after = [part for part in parts if part.number > marker]
    page = after[:most]
    listed = "".join(
        f"<Part>{_tags(PartNumber=part.number, ETag=_quoted(part.etag), Size=part.size)}</Part>" for part in page
    )
    last = page[-1].number if page else marker
    head = _tags(Bucket=settings().s3_bucket, Key=key, UploadId=upload, PartNumberMarker=marker, MaxParts=most)
    tail = _tags(NextPartNumberMarker=last, IsTruncated=str(len(after) > most).lower(), StorageClass="STANDARD")
    return _xml(f"<ListPartsResult {_NAMESPACE}>{head}{tail}{listed}</ListPartsResult>")


def uploads_xml(uploads: Sequence[tuple[str, str]]) -> str:
    """Answer of ListMultipartUploads: (key, upload id) of a grant."""
    listed = "".join(f"<Upload>{_tags(Key=key, UploadId=upload)}</Upload>" for key, upload in uploads)
    head = _tags(Bucket=settings().s3_bucket, IsTruncated="false")
    return _xml(f"<ListMultipartUploadsResult {_NAMESPACE}>{head}{listed}</ListMultipartUploadsResult>")


def wanted_parts(body: bytes) -> list[tuple[int, str]]:
    """Number and ETag of each part in the XML of a Complete. Raises S3Problem."""
    # No declarations, neither in UTF-8 nor, where each has a zero byte, in UTF-16.
    if b"<!" in body or b"\0" in body:
        raise S3Problem("MalformedXML")
    try:
        root = ElementTree.fromstring(body)  # noqa: S314 - see above
        parts = [each for each in root if _local(each) == "Part"]
        fields = [{_local(child): (child.text or "").strip() for child in part} for part in parts]
        return [(whole(each["PartNumber"]), each["ETag"].strip('"')) for each in fields]
    except (ElementTree.ParseError, KeyError, ValueError):
        raise S3Problem("MalformedXML") from None


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _xml(text: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


def _tags(**values: object) -> str:
    return "".join(f"<{name}>{escape(str(value))}</{name}>" for name, value in values.items())


def _quoted(etag: str) -> str:
    return f'"{etag}"'


def _number(text: str, default: int) -> int:
    try:
        return whole(text)
    except ValueError:
        return default
