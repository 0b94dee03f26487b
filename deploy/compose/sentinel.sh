#!/bin/sh
# A Sentinel: it watches Redis' master, which was REDIS_MASTER (address and port) at its first start, and keeps in its
# configuration what it has learnt since. Who asks it shows Redis' password.
set -eu
if [ ! -e /data/sentinel.conf ]; then
  password=$(cat /run/secrets/redis_password)
  umask 077
  cat > /data/sentinel.conf.new <<CONFIGURATION
port ${SENTINEL_PORT:-26379}
dir /data
requirepass $password
sentinel announce-ip $REDIS_ANNOUNCE
sentinel monitor papercrane $REDIS_MASTER ${SENTINEL_QUORUM:-2}
sentinel auth-pass papercrane $password
sentinel down-after-milliseconds papercrane 5000
CONFIGURATION
  mv /data/sentinel.conf.new /data/sentinel.conf
fi
exec redis-server /data/sentinel.conf --sentinel
