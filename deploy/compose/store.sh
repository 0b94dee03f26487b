#!/bin/sh
# The store's own keys come from files; its program knows only variables.
RUSTFS_ACCESS_KEY=$(cat /run/secrets/s3_key) RUSTFS_SECRET_KEY=$(cat /run/secrets/s3_secret)
export RUSTFS_ACCESS_KEY RUSTFS_SECRET_KEY
exec rustfs /data
