#!/bin/sh
# Set up what is missing, then check and test everything. The same by hand and in CI.
set -eu
cd "$(dirname "$0")/.."
sh deploy/setup.sh test
PATH="$PWD/.venv/bin:$PATH"
export PATH
ruff check .
ruff format --check .
mypy
lint-imports
(cd site && npm run --silent check && npm test --silent)
status=0
pytest -q --durations=12 "$@" || status=$?
# On a busy machine a browser or a cluster may be late once. What fails is tried again alone, in a fresh process:
# a defect fails twice, and the first run's report still names what was unsteady.
[ "$status" -eq 1 ] || exit "$status"
exec pytest -q --last-failed "$@"
