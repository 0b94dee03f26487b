"""Upload credentials: a grant of the embedded subset, or real temporary ones through STS AssumeRole."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlencode
from xml.etree import ElementTree

import httpx
from typing_extensions import TypedDict

from api.file.grants import LIFE, Grant
from api.file.sigv4 import Keys, authorize
from api.settings import settings
from cluster.problem import FaultProblem
from cluster.settings import settings as cluster_settings
from cluster.store import Away


class CredentialFields(TypedDict):
    accessKeyId: str
    secretAccessKey: str
    sessionToken: str
    expiration: str


class UploadCredentials(TypedDict):
    """Answer of getStsCredentials: put objects below `prefix` at `endpoint`/`bucket` (path style)."""

    credentials: CredentialFields
    region: str
    endpoint: str
    bucket: str
    prefix: str
    maxBytes: int


@dataclass(frozen=True)
class Temporary:
    """Keys and the moment they end."""

    keys: Keys = field(repr=False)
    until: str = ""


def credentials(grant: Grant, origin: str) -> UploadCredentials:
    """What the browser needs to upload into `grant`."""
    chosen = cluster_settings()
    if chosen.store == "s3":
        given, endpoint = assume_role(grant.prefix), s3_endpoint()
    else:
        given = Temporary(grant.keys, datetime.fromtimestamp(grant.until, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
        endpoint = f"{origin}/s3"
    return {
        "credentials": {
            "accessKeyId": given.keys.key,
            "secretAccessKey": given.keys.secret,
            "sessionToken": given.keys.token,
            "expiration": given.until,
        },
        "region": chosen.s3_region,
        "endpoint": endpoint,
        "bucket": chosen.s3_bucket,
        "prefix": grant.prefix,
        "maxBytes": grant.bytes,
    }


def s3_endpoint() -> str:
    """Where the S3 service of the settings answers."""
    chosen = cluster_settings()
    return chosen.s3_endpoint or f"https://s3.{chosen.s3_region}.amazonaws.com"


def policy(prefix: str) -> str:
    """The session policy: write below the prefix, nothing else."""
    actions = ["s3:PutObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"]
    resource = f"arn:aws:s3:::{cluster_settings().s3_bucket}/{prefix}*"
    statement = {"Effect": "Allow", "Action": actions, "Resource": [resource]}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def assume_role(prefix: str) -> Temporary:
    """Temporary keys for one prefix. Raises FaultProblem when STS does not give them, Away when it does not answer."""
    chosen = cluster_settings()
    url = settings().sts_endpoint or chosen.s3_endpoint or f"https://sts.{chosen.s3_region}.amazonaws.com"
    url = url.rstrip("/") + "/"
    form = {
        "Action": "AssumeRole",
        "Version": "2011-06-15",
        "DurationSeconds": str(LIFE),
        "RoleArn": settings().sts_role,
        "RoleSessionName": "papercrane-upload",
        "Policy": policy(prefix),
    }
    body = urlencode(form).encode()
    keys = Keys(chosen.s3_key, chosen.s3_secret)
    headers = authorize(keys, url, body, region=chosen.s3_region, service="sts", now=datetime.now(UTC))
    try:
        answer = httpx.post(url, content=body, headers=headers, timeout=10).raise_for_status()
        return _read(answer.text)
    except httpx.TransportError:
        raise Away from None
    except (httpx.HTTPError, KeyError, ElementTree.ParseError) as error:
        raise FaultProblem(f"STS gave no credentials ({type(error).__name__}); check PAPERCRANE_API_STS_*") from None


def _read(text: str) -> Temporary:
    # The answer of a server that the operator named.
    fields = {each.tag.rpartition("}")[2]: each.text or "" for each in ElementTree.fromstring(text).iter()}  # noqa: S314
    return Temporary(
        Keys(fields["AccessKeyId"], fields["SecretAccessKey"], fields["SessionToken"]), fields["Expiration"]
    )
