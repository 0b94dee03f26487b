"""S3Problem: what the S3 subset answers when it does not do what was asked."""


class S3Problem(Exception):
    """An S3 error; `code` is one of STATUS."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message or code)
        self.code, self.message = code, message or code


#: S3 error code -> HTTP status
STATUS = {
    "AccessDenied": 403,
    "BadDigest": 400,
    "EntityTooLarge": 400,
    "EntityTooSmall": 400,
    "ExpiredToken": 400,
    "IncompleteBody": 400,
    "InternalError": 500,
    "InvalidAccessKeyId": 403,
    "InvalidArgument": 400,
    "InvalidPart": 400,
    "InvalidPartOrder": 400,
    "InvalidRange": 416,
    "InvalidRequest": 400,
    "MalformedXML": 400,
    "MethodNotAllowed": 405,
    "MissingContentLength": 411,
    "NoSuchBucket": 404,
    "NoSuchKey": 404,
    "NoSuchUpload": 404,
    "NotImplemented": 501,
    "OperationAborted": 409,
    "RequestTimeTooSkewed": 403,
    "RequestTimeout": 400,
    "SignatureDoesNotMatch": 403,
    "SlowDown": 503,
    "StorageFull": 507,
    "XAmzContentSHA256Mismatch": 400,
}
