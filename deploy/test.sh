#!/bin/sh
# Set up what is missing, then check and test everything. The same by hand and in CI.
#   sh deploy/test.sh          all of it
#   sh deploy/test.sh quick    what needs no server, browser or engine: for the loop while one works
set -eu
cd "$(dirname "$0")/.."
sh deploy/setup.sh test
PATH="$PWD/.venv/bin:$PATH"
export PATH
if [ "${1:-}" = quick ]; then
  shift
  set -- -m "not started" "$@"
else
  sh deploy/easyocr.sh test || echo "papercrane: EasyOCR cannot be had here; its test is skipped"
fi
ruff check .
ruff format --check .
mypy
lint-imports
luacheck -q cluster/queue/lua --config cluster/queue/lua/.luacheckrc
(cd site && npm run --silent check && npm test --silent)
status=0
pytest -q -n 3 --dist loadfile --budget --durations=12 "$@" || status=$?
[ "$status" -eq 1 ] || exit "$status"
exec python -m tests.again
