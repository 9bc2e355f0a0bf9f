#!/usr/bin/env bash
# The README's two commands on a fresh clone of this commit: an empty folder, an empty home
# and an empty npm cache. Needs the npm registry. Uncommitted files are not included.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/retried.sh
repository=$PWD
commit=$(git rev-parse HEAD)
[ -z "$(git status --porcelain)" ] || echo "note: uncommitted files are not included, the clone has $commit"

folder=$(mktemp -d)
home=$(mktemp -d)
service=
end() {
  if [ -n "$service" ]; then kill -KILL -- "-$service" 2>/dev/null || true; fi
  rm -rf "$folder" "$home"
}
trap end EXIT

mkdir "$home/tmp" "$home/npm-cache"
export HOME=$home TMPDIR=$home/tmp npm_config_cache=$home/npm-cache
export XDG_CACHE_HOME=$home/.cache XDG_CONFIG_HOME=$home/.config
# The settings of npm in a home that is not used here.
unset npm_config_userconfig npm_config_prefix

git clone --quiet --no-hardlinks "file://$repository" "$folder/clone"
cd "$folder/clone"
git checkout --quiet "$commit"

echo "--- npm start, in a clone of $commit"
start=(npm start)
# Port 3000 is the default, but may be in use.
if (exec 3<>/dev/tcp/127.0.0.1/3000) 2>/dev/null; then start+=(-- --port 0); fi
# Starts the service and waits until it is ready or has ended; `address` is empty then.
start_service() {
  # The first look may come before the service has opened it.
  : >"$home/start.log"
  set -m
  "${start[@]}" >"$home/start.log" 2>&1 &
  service=$!
  set +m
  for _ in $(seq 600); do
    address=$(sed -n 's#.*ready.*\(http://127\.0\.0\.1:[0-9]*\).*#\1#p' "$home/start.log")
    if [ -n "$address" ] || ! kill -0 "$service" 2>/dev/null; then break; fi
    sleep 1
  done
  cat "$home/start.log"
}
start_service
if [ -z "$address" ] && grep -q '^npm ci failed' "$home/start.log"; then
  retried npm ping || {
    echo 'left out: the npm registry does not respond'
    exit 77
  }
  start_service
fi
[ -n "$address" ] || { echo 'npm start was not ready'; exit 1; }
key=$(node -p 'require("./local/demo-keys.json").demo')
response=$(curl -fsS -H "X-API-Key: $key" "$address/v1/ports/TWKHH/snapshot")
echo "$response"
node -e 'if (JSON.parse(process.argv[1]).port !== "TWKHH") throw new Error("no snapshot of TWKHH")' "$response"
kill -INT -- "-$service"
status=0
wait "$service" || status=$?
service=
# 130 is npm's own end at an interrupt.
[ "$status" -eq 0 ] || [ "$status" -eq 130 ] || { echo "npm start ended with $status"; exit 1; }

echo "--- npm test, in a clone of $commit"
npm test -- --coverage
echo "--- the lines that it ran: no room falls below its first share"
npm run coverage -- --read
