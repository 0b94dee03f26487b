"""Uploads by the S3 protocol and downloads by signed addresses.

Decisions:
- Upload grants derive their secret from a signed session token, so neither is stored; asking again with `prefix=`
  renews the same prefix, so uploads longer than an hour go on.
- Alibaba OSS's own STS protocol is not spoken; S3's AssumeRole is. With the S3 store the size of an upload is
  checked by `createTask`, not while it uploads.
- A grant's folder is the only account of what it holds, under one file lock; a body counts with its announced size
  from its first byte. Upload keys are one name under the prefix; the file's name is what createTask says.
- Who sends a body again takes the place of the first; in a full grant the older object goes before the new one
  comes.
- Putting parts together uses up the parts, so an upload is never held twice, and goes on after a crash.
- A grant has 10 + 6 files + 2 a 5-MiB part places and 20 requests a place; guests get 6,000 files an hour from one
  address.
"""
