#!/usr/bin/env bash
# The engine on the real tracks of PyPI's package tracktable-data: the judged merchant stays are right.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v pip3 >/dev/null || { echo 'left out: pip is not installed'; exit 77; }
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
pip3 install --quiet --no-deps --only-binary :all: --target "$package" tracktable-data==1.7.3.1 || {
  echo 'left out: tracktable-data cannot be installed from PyPI here'
  exit 77
}
TRACKTABLE=$package/tracktable_data/python_example_data node --no-warnings \
  node_modules/jest/bin/jest.js studies/accuracy/tracktable
