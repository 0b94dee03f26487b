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
exec pytest -q --durations=12 "$@"
