#!/bin/sh
# Redis as it is started here: everything is on the disk before it answers, and what does not fit is refused, not dropped.
# REDIS_FOLLOW is the master that it follows; of two that follow each other a master takes nothing that only it would know.
exec redis-server /run/secrets/redis_conf --dir /data --appendonly yes --appendfsync always --save "" \
  --port "${REDIS_PORT:-6379}" --maxmemory "${REDIS_MEMORY:-1gb}" --maxmemory-policy noeviction \
  ${REDIS_ANNOUNCE:+--replica-announce-ip "$REDIS_ANNOUNCE"} ${REDIS_FOLLOW:+--replicaof $REDIS_FOLLOW} \
  ${REDIS_REPLICAS:+--min-replicas-to-write "$REDIS_REPLICAS" --min-replicas-max-lag 10}
