#!/usr/bin/env bash
# The portal's tests in a real browser: Debian's Chromium, installed where that may be done. Then Lighthouse, as a telephone
# sees the pages.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/retried.sh
if ! command -v chromium >/dev/null; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo 'left out: chromium is not installed, and may not be installed from here'
    exit 77
  fi
  retried sh -c 'apt-get update -qq && apt-get install --yes -qq --no-install-recommends chromium >/dev/null' || {
    echo 'left out: chromium cannot be installed here'
    exit 77
  }
fi
TEST_EXTENT=portal node --no-warnings node_modules/jest/bin/jest.js

# The last version that runs on the oldest Node of the product.
lighthouse=12.8.2
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
retried npm install --prefix "$tools" --no-audit --no-fund --ignore-scripts --silent "lighthouse@$lighthouse" || {
  echo 'Lighthouse is left out: the registry cannot be reached'
  exit 0
}
CHROME_PATH=$(command -v chromium) node --import tsx test/portal/lighthouse.ts "$tools"
