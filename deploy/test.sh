#!/bin/sh
# Set up what is missing, then check and test everything. The same by hand and in CI.
#   sh deploy/test.sh          all of it
#   sh deploy/test.sh quick    what needs no server, browser or engine: for the loop while one works
set -eu
cd "$(dirname "$0")/.."
sh deploy/setup.sh test
PATH="$PWD/.venv/bin:$PATH"
export PATH
# Where Python may write no bytecode, each of pytest's workers reads the assertions of all test files anew: 6 s of CPU.
unset PYTHONDONTWRITEBYTECODE
if [ "${1:-}" = quick ]; then
  shift
  export PAPERCRANE_TEST_EXAMPLES="${PAPERCRANE_TEST_EXAMPLES:-0.34}" # tests/examples.py: the whole run draws them all
  # These tests hardly wait: a third worker on two cores only imports everything once more, 10 s of CPU.
  set -- -n 2 -m "not started" "$@"
else
  sh deploy/easyocr.sh test || echo "papercrane: EasyOCR cannot be had here; its test is skipped"
fi
# The site's checks take 28 s of one core, while Python's checks and the first tests take the other.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
(cd site && npm run --silent check && npm test --silent) >"$log" 2>&1 &
site=$!
ruff check .
ruff format --check .
mypy
lint-imports
luacheck -q cluster/queue/lua --config cluster/queue/lua/.luacheckrc
status=0
pytest -q -n 3 --dist loadfile --budget --durations=12 "$@" || status=$?
wait "$site" || { cat "$log"; exit 1; }
[ "$status" -eq 1 ] || exit "$status"
python -m tests.again
