#!/bin/sh
# Set up what is missing, start everything, print one address. Ctrl-C stops all of it.
set -eu
cd "$(dirname "$0")/.."
sh deploy/setup.sh run
exec .venv/bin/python -m deploy.up
