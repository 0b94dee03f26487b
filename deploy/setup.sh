#!/bin/sh
# Install what is missing on Debian 12+ or Ubuntu 24.04+, then build the site. Safe to run again:
# each step is skipped when its stamp says that nothing it reads has changed.
#   sh deploy/setup.sh run    what the product needs
#   sh deploy/setup.sh test   and what its tests need besides
# For one part of it, as deploy/Containerfile builds them:
#   sh deploy/setup.sh api | worker | edge   what that part runs with; the site is built elsewhere
#   sh deploy/setup.sh packages              the Python packages alone, all of them
#   sh deploy/setup.sh site                  what builds the site, and the site
set -eu
cd "$(dirname "$0")/.."
what=${1:-run}

fail() { echo "papercrane: $1" >&2; exit 1; }

packages="python3 python3-venv"
worker="python3-uno libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui libreoffice-draw-nogui
bubblewrap iproute2 util-linux fontconfig fonts-noto-cjk fonts-noto-core fonts-liberation2 fonts-crosextra-carlito
fonts-crosextra-caladea"
edge="nginx-light libnginx-mod-http-brotli-static"
case $what in
  run | test) packages="$packages $worker redis-server" ;;
  worker) packages="$packages $worker" ;;
  edge) packages="$packages $edge" ;;
  api | packages | site) ;;
  *) fail "usage: sh deploy/setup.sh run|test|api|worker|edge|packages|site" ;;
esac
[ "$what" = test ] && packages="$packages git postgresql qpdf poppler-utils mupdf-tools ghostscript tesseract-ocr
tesseract-ocr-chi-sim tesseract-ocr-eng lua-check prometheus runc curl openssl $edge"
# Chromium without its windows does the same for half the time. Ubuntu has it as a snap alone; there Playwright brings it.
[ "$what" = test ] && grep -qi '^ID=debian' /etc/os-release && packages="$packages chromium-headless-shell"

missing=""
as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo"
installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
for package in $packages; do
  # On a desktop the full LibreOffice does as well, and the small one would throw it out.
  installed "$package" || installed "${package%-nogui}" || missing="$missing $package"
done
if [ -n "$missing" ]; then
  command -v apt-get >/dev/null || fail "this script knows Debian and Ubuntu; install by hand:$missing"
  [ -z "$as_root" ] || command -v sudo >/dev/null || fail "run as root or install sudo; missing packages:$missing"
  echo "papercrane: installing$missing"
  $as_root apt-get update -qq || fail "apt-get update failed; check the network and the package sources"
  # What is started is started by us, on ports of our own: no package starts a service beside it (101: not allowed).
  policy=/usr/sbin/policy-rc.d
  [ -e "$policy" ] && policy="" || printf '#!/bin/sh\nexit 101\n' | $as_root install -m 755 /dev/stdin "$policy"
  status=0
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    status=1
  [ -z "$policy" ] || $as_root rm -f "$policy"
  [ "$status" = 0 ] || fail "apt-get could not install:$missing"
fi

python=""
for each in python3.13 python3.12 python3.11 python3; do
  command -v "$each" >/dev/null && "$each" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
    2>/dev/null && python=$each && break
done
[ -n "$python" ] || fail "Python 3.11 or newer with venv is needed"

lock=deploy/requirements.lock
case $what in
  test) lock=deploy/requirements-test.lock ;;
  api | edge)
    # Of the lock only what these two import (tests/api/forked.py keeps it): a tenth of the megabytes.
    lock=.venv/api.lock
    mkdir -p .venv
    awk 'NR == FNR { wanted[$1]; next } /^[a-zA-Z]/ { split($1, name, "=="); on = name[1] in wanted } on' \
      deploy/api-packages.txt deploy/requirements.lock >"$lock"
    ;;
esac
stamp_of() { echo ".venv/.papercrane-$(basename "$1" .lock)-$(sha256sum "$1" | cut -c1-16)"; }
stamp=$(stamp_of "$lock")
# Who has the packages of the tests has those that run.
[ "$what" = run ] && [ -e "$(stamp_of deploy/requirements-test.lock)" ] && stamp=$(stamp_of deploy/requirements-test.lock)
if [ ! -e "$stamp" ]; then
  [ -x .venv/bin/python ] || "$python" -m venv .venv
  echo "papercrane: installing Python packages"
  .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r "$lock" ||
    fail "pip could not install $lock; check the network and the free space"
  : >"$stamp"
fi

# Where Python may write no bytecode, each of our processes would compile all of this again.
case $what in run | test) .venv/bin/python -m compileall -q api cluster deploy tests || fail "our code does not compile" ;; esac

# The packages without windows lack the descriptions of windows (.ui), and LibreOffice aborts at a document with a
# comment, to which it wants to draw one. They are taken out of the full packages, which are not installed, and laid
# beside links to all the rest; cluster/engines/office.py points LibreOffice there.
share=/usr/lib/libreoffice/share
stamp=""
installed libreoffice-writer-nogui && version=$(dpkg-query -W -f '${Version}' libreoffice-writer-nogui) &&
  stamp=".venv/.papercrane-ui-$version"
if [ -n "$stamp" ] && [ ! -e "$stamp" ]; then
  echo "papercrane: completing LibreOffice"
  work=$(mktemp -d) made="$PWD/.venv/share/libreoffice"
  full="libreoffice-writer libreoffice-calc libreoffice-impress libreoffice-draw"
  fetch() { (cd "$work" && rm -f ./*.deb && apt-get download -qq -o APT::Sandbox::User=root "$@" 2>/dev/null); }
  # shellcheck disable=SC2086
  fetch $(printf "%s=$version " $full) || { $as_root apt-get update -qq && fetch $full; } ||
    fail "apt-get could not download the windows of LibreOffice ($full); check the network and the package sources"
  rm -rf "$made" && mkdir -p "$made" && cp -rs "$share" "$made"
  for each in "$work"/*.deb; do
    dpkg-deb --fsys-tarfile "$each" | tar -x -C "$made/share" --strip-components=5 --wildcards ".$share/*.ui"
  done
  rm -rf "$work"
  : >"$stamp"
fi

if [ "$what" = test ] && ! command -v chromium-headless-shell >/dev/null; then
  .venv/bin/playwright install --with-deps --only-shell chromium || fail "no Chromium: install one, or let Playwright download its own"
fi

case $what in api | worker | edge | packages) exit 0 ;; esac

# Node comes from its PyPI package: a machine with Python alone builds the site.
PATH="$PWD/.venv/bin:$PATH"
export PATH ASTRO_TELEMETRY_DISABLED=1
stamp=".venv/.papercrane-npm-$(sha256sum site/package-lock.json | cut -c1-16)"
if [ ! -e "$stamp" ] || [ ! -d site/node_modules ]; then
  [ ! -L site/node_modules ] || fail "site/node_modules is a link: npm would empty the folder it leads to; remove the link"
  echo "papercrane: installing the site's packages"
  (cd site && npm ci --silent --no-audit --no-fund) || fail "npm ci failed; check the network and the free space"
  : >"$stamp"
fi
# What the build reads: its files, not what it makes, and the settings that stand in every page.
sources=$({
  made='-path site/node_modules -o -path site/dist -o -path site/.astro -o -path site/public/pdfjs'
  find site \( $made \) -prune -o -type f -print |
    LC_ALL=C sort | xargs sha256sum
  echo "${PAPERCRANE_ENV:-} ${PAPERCRANE_API_PUBLIC_URL:-}"
} | sha256sum | cut -c1-16)
if [ ! -e "site/dist/.built-$sources" ]; then
  echo "papercrane: building the site"
  log=$(mktemp)
  (cd site && npm run --silent build) >"$log" 2>&1 || { tail -n 40 "$log" >&2; fail "the site did not build"; }
  rm -f "$log"
  : >"site/dist/.built-$sources"
fi
