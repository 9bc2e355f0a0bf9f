# Sourced by steps that need the programs of .ci/tools: installs them when they are missing or out of date, and sets
# `node_tools` to the folder of their commands. Exits 77, with the reason, where that cannot be done.
. .ci/retried.sh
node_tools=$PWD/.ci/tools/node_modules/.bin
if [ ! -e .ci/tools/node_modules/.package-lock.json ] ||
  [ .ci/tools/package-lock.json -nt .ci/tools/node_modules/.package-lock.json ]; then
  retried npm --prefix .ci/tools ci --ignore-scripts --no-audit --no-fund --loglevel=error || {
    echo 'left out: the tools cannot be installed from the npm registry here'
    exit 77
  }
fi
