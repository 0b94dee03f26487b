#!/bin/sh
# Redis as it is started here: everything is on the disk before it answers, and what does not fit is refused, not dropped.
exec redis-server /run/secrets/redis_conf --dir /data --appendonly yes --appendfsync always --save "" \
  --maxmemory "${REDIS_MEMORY:-1gb}" --maxmemory-policy noeviction
