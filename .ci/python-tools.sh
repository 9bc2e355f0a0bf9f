# Sourced by steps that need programs from PyPI: `python_tools NAME PACKAGE...` makes a virtual environment, once, and
# sets `tools` to its folder. Exits 77, with the reason, where that cannot be done.
. .ci/retried.sh
python_tools() {
  local name=$1
  shift
  tools=$PWD/dist/ci-tools/$name
  if [ -e "$tools/complete" ] && [ "$(cat "$tools/complete")" = "$*" ]; then return; fi
  rm -rf "$tools"
  if ! python3 -m venv "$tools" >&2; then
    echo "left out: python3 with venv is not installed"
    exit 77
  fi
  if ! retried "$tools/bin/pip" install --quiet --disable-pip-version-check "$@" >&2; then
    echo "left out: $* cannot be installed from PyPI here"
    exit 77
  fi
  echo "$*" >"$tools/complete"
}
