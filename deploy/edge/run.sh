#!/bin/sh
# In a container: lay out the image's build, then be nginx. Arguments are those of `python -m deploy.edge`.
set -eu
folder=${PAPERCRANE_EDGE:-/data/edge}
python -m deploy.edge "$folder" "$@"
exec nginx -c "$folder/nginx.conf" -g 'daemon off;'
