"""`python -m deploy.bucket`: make the store's bucket, and let browsers on our pages upload into it. Safe to run again.

With the settings of the API, whose keys must be allowed to make buckets; a cloud's bucket is made there by its own
tools, with the rules that `rules` writes.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from xml.sax.saxutils import escape

import httpx

from api.file.sigv4 import Keys, presign
from api.file.uploads import s3_endpoint
from api.settings import SUB_SITES, settings
from cluster.settings import settings as cluster_settings

#: What a store answers when the bucket is ours already.
_THERE = 409


def main() -> None:
    if cluster_settings().store != "s3":
        raise SystemExit("PAPERCRANE_STORE is not s3: a folder needs no bucket.")
    made = _put({}, "")
    if made.status_code != _THERE:
        _check(made)
    _check(_put({"cors": ""}, rules()))
    print(f"bucket {cluster_settings().s3_bucket} is there, and our pages may upload into it")


def rules() -> str:
    """Who may upload from a page, as S3 writes it: our hosts; what they read of an answer is the part's ETag."""
    scheme = "https" if cluster_settings().production else "http"
    hosts = [f"{before}{host}" for host in settings().hosts for before in ("", *(f"{each}." for each in SUB_SITES))]
    origins = {f"{scheme}://{host}" for host in hosts} | {settings().public_url.rstrip("/")} - {""}
    inside = "".join(f"<AllowedOrigin>{escape(each)}</AllowedOrigin>" for each in sorted(origins))
    inside += "".join(f"<AllowedMethod>{each}</AllowedMethod>" for each in ("GET", "HEAD", "PUT", "POST", "DELETE"))
    inside += "<AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>3600</MaxAgeSeconds>"
    return f"<CORSConfiguration><CORSRule>{inside}</CORSRule></CORSConfiguration>"


def _put(query: Mapping[str, str], body: str) -> httpx.Response:
    chosen, now = cluster_settings(), datetime.now(UTC)
    url, keys = f"{s3_endpoint().rstrip('/')}/{chosen.s3_bucket}", Keys(chosen.s3_key, chosen.s3_secret)
    signed = presign(keys, "PUT", url, region=chosen.s3_region, seconds=60, now=now, query=query)
    try:
        return httpx.put(signed, content=body.encode(), timeout=30)
    except httpx.HTTPError as error:
        raise SystemExit(f"{url} does not answer: {type(error).__name__}") from None


def _check(answer: httpx.Response) -> None:
    if answer.is_error:
        # Its own words say what is wrong, the address holds a signature.
        raise SystemExit(f"The store refused with {answer.status_code}: {answer.text[:500]}")


if __name__ == "__main__":
    main()
