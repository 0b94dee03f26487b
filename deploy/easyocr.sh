#!/bin/sh
# Install EasyOCR, the second reader of pictures, with weights for English; PAPERCRANE_OCR=easy then uses it.
#   sh deploy/easyocr.sh        into .venv, with PyTorch's build for processors (0.2 GB to fetch, 0.9 GB on the disk)
#   sh deploy/easyocr.sh gpu    into .venv, with its build for GPUs (several GB)
#   sh deploy/easyocr.sh test   into .venv-easyocr, which sees the packages of .venv and leaves it as it is
# Only builds for processors have the mark +cpu in their version, and only PyTorch's own index or a folder (pip's
# find-links) has such: asked for by that version, pip takes one or says at once that there is none. Nothing else could
# bring the build for GPUs, as no package may fetch what it depends on.
set -eu
cd "$(dirname "$0")/.."
what=${1:-cpu}
torch=2.13.0 torchvision=0.28.0 # a pair

fail() { echo "papercrane: $1" >&2; exit 1; }

folder=.venv
build="$torch+cpu"
case $what in
  cpu) ;;
  gpu) build=$torch ;;
  test) folder=.venv-easyocr ;;
  *) fail "usage: sh deploy/easyocr.sh [gpu|test]" ;;
esac
lock=deploy/requirements-easyocr.lock
stamp="$folder/.papercrane-easyocr-$build-$(sha256sum "$lock" | cut -c1-16)"
[ -e "$stamp" ] && exit 0
[ -x .venv/bin/python ] || fail "run sh deploy/setup.sh run first"
echo "papercrane: installing EasyOCR"

packages=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
if [ "$what" = test ]; then
  rm -rf "$folder"
  .venv/bin/python -m venv --without-pip "$folder"
  echo "$packages" >"$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/papercrane.pth"
fi
pip() {
  timeout 300 "$folder/bin/python" -m pip install -qq --disable-pip-version-check --no-deps --only-binary :all: "$@"
}
pip "torch==$build" || fail "no torch==$build: show pip PyTorch's own index for processors (PIP_EXTRA_INDEX_URL) or a folder that has it (PIP_FIND_LINKS)"
pip "torchvision==$torchvision+cpu" 2>/dev/null || pip "torchvision==$torchvision" || fail "no torchvision==$torchvision"
pip --require-hashes -r "$lock" || fail "pip could not install $lock; check the network and the free space"
"$folder/bin/python" -c 'from cluster.engines.ocr.easy import imported; imported()' || fail "EasyOCR cannot be imported"
: >"$stamp"
