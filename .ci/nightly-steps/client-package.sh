#!/usr/bin/env bash
# The client as it would be published: publint on the package, and Are The Types Wrong on every way to import it.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/node-tools.sh
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT
npm run --silent build -- client
npm pack ./packages/client --pack-destination "$packed" --silent
"$node_tools/publint" "$packed"/*.tgz --strict
# Node 10 knows no exports; the package needs Node 20.
"$node_tools/attw" "$packed"/*.tgz --profile node16
