#!/usr/bin/env bash
# The store's tests against DynamoDB Local, which AWS makes, beside the embedded store that they always run on.
set -euo pipefail
cd "$(dirname "$0")/../.."

. .ci/retried.sh
for program in java mvn; do
  command -v "$program" >/dev/null || { echo "left out: $program is not installed"; exit 77; }
done
libraries=$PWD/dist/ci-tools/dynamodb-local
if [ ! -e "$libraries/complete" ]; then
  retried mvn --quiet --batch-mode --file .ci/dynamodb-local/pom.xml dependency:copy-dependencies \
    -DoutputDirectory="$libraries" >&2 || { echo 'left out: DynamoDB Local cannot be downloaded from Maven here'; exit 77; }
  touch "$libraries/complete"
fi

log=$(mktemp)
java "-Djava.library.path=$libraries" -cp "$libraries/*" .ci/dynamodb-local/LoopbackServer.java >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null || true; rm -f "$log"' EXIT
for _ in $(seq 300); do
  port=$(sed -n 's/^listening on //p' "$log")
  [ -n "$port" ] && break
  kill -0 "$server" || { cat "$log"; exit 1; }
  sleep 0.1
done
[ -n "$port" ] || { cat "$log"; exit 1; }

export AWS_ENDPOINT_URL_DYNAMODB="http://127.0.0.1:$port"
node --no-warnings node_modules/jest/bin/jest.js --selectProjects store
