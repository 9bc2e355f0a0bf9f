#!/usr/bin/env bash
# The key command and the key reconciliation against moto's emulation of API Gateway's control plane.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/python-tools.sh
python_tools moto 'moto[server]==5.2.5'

report=$(mktemp)
trap 'rm -f "$report"' EXIT
# The tests take moto from the first python3 on the path, and skip themselves without.
PATH="$tools/bin:$PATH" node --no-warnings node_modules/jest/bin/jest.js \
  test/store/control-planes --json --outputFile "$report"
node -e '
  const { numPassedTests, numPendingTests } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
  if (numPendingTests > 0 || numPassedTests === 0) throw new Error(`${numPendingTests} tests were skipped`);
' "$report"
