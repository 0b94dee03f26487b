"""Calls about files: credentials to upload with, links to download by."""

from api.body import DownloadQuery, UploadQuery, ZipQuery
from api.calls import Asked, Call, Streamed
from api.file import downloads, grants
from api.file.downloads import DownloadInfo
from api.file.uploads import UploadCredentials, credentials


def get_sts_credentials(asked: Asked[UploadQuery]) -> UploadCredentials:
    given = asked.given
    if given.prefix:
        return credentials(grants.renew(asked.caller, given.prefix), asked.origin)
    return credentials(grants.issue(asked.caller, given.files, given.bytes), asked.origin)


def get_download_info(asked: Asked[DownloadQuery]) -> DownloadInfo:
    given = asked.given
    return downloads.download_info(asked.caller, given.task_id, given.index, asked.language, asked.origin)


def get_zip(asked: Asked[ZipQuery]) -> Streamed:
    given = asked.given
    return downloads.open_zip(given.task_id, given.until, given.language, given.mark)


CALLS = (
    Call(
        path="/api/file/upload/getStsCredentials",
        summary="Temporary credentials to upload below one prefix, for an hour",
        run=get_sts_credentials,
        answer=UploadCredentials,
        given=UploadQuery,
        identity="minted",
    ),
    Call(
        path="/api/file/download/getDownloadInfo",
        summary="A link to one result, or to a zip of all",
        run=get_download_info,
        answer=DownloadInfo,
        given=DownloadQuery,
    ),
)
#: Opened by the browser itself, so signed instead of tagged.
LINKS = (
    Call(
        path=downloads.ZIP_PATH,
        summary="All results of a task as one zip, by a signed link",
        run=get_zip,
        answer=bytes,
        given=ZipQuery,
        identity="open",
    ),
)
