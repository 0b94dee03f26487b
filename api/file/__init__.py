"""Uploads by the S3 protocol and downloads by signed addresses.

Decisions:
- Upload grants derive their secret from a signed session token, so neither is stored; asking again with `prefix=`
  renews the same prefix, so uploads longer than an hour go on.
- Alibaba OSS's own STS protocol is not spoken; S3's AssumeRole is. With the S3 store the size of an upload is
  checked by `createTask`, not while it uploads.
"""
