#!/usr/bin/env bash
# Builds the image of the Dockerfile without a registry, on a base of Debian's packages and this machine's Node, and runs it as
# compose.yaml does: read-only, without rights, with its data in a volume. It is asked from another network namespace under
# the names that it may be asked by, makes a key, and is stopped and started again.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/retried.sh
skip() {
  echo "left out: $1"
  exit 77
}
[ "$(id -u)" -eq 0 ] || skip 'only root can make the base and the namespaces'
missing=()
for program in debootstrap buildah runc ip jq curl; do command -v "$program" >/dev/null || missing+=("${program/#ip/iproute2}"); done
if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || skip "${missing[*]} are not installed"
  retried sh -c 'apt-get update -qq && apt-get install --yes -qq --no-install-recommends "$@" >/dev/null' install "${missing[@]}" ||
    skip "${missing[*]} cannot be installed here"
fi
unshare --net --mount --pid --fork true 2>/dev/null || skip 'namespaces cannot be made here'

work=$(mktemp -d)
inside=pcd-image-$$
outside=pcd-client-$$
id=pcd-$$
store=(--root "$work/store" --runroot "$work/run" --storage-driver vfs)
end() {
  runc --root "$work/runc" delete --force "$id" 2>/dev/null || true
  ip netns delete "$inside" 2>/dev/null || true
  ip netns delete "$outside" 2>/dev/null || true
  [ -z "${container:-}" ] || buildah "${store[@]}" rm "$container" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap end EXIT

echo '--- the base: Debian with the Node that runs here'
retried debootstrap --variant=minbase --include=ca-certificates bookworm "$work/base" >"$work/base.log" 2>&1 || {
  tail -n 5 "$work/base.log"
  skip "Debian's packages cannot be downloaded here"
}
cp "$(node -p process.execPath)" "$work/base/usr/local/bin/node"
mkdir -p "$work/base/usr/local/lib/node_modules"
cp -a "$(npm root --global)/npm" "$work/base/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
settings=(--env PATH=/usr/local/bin:/usr/bin:/bin)
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  cp "$NODE_EXTRA_CA_CERTS" "$work/base/etc/ssl/certs/ca-certificates.crt"
  settings+=(--env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt)
fi
container=$(buildah "${store[@]}" from scratch)
buildah "${store[@]}" add --quiet "$container" "$work/base" / >/dev/null
buildah "${store[@]}" config "${settings[@]}" "$container"
buildah "${store[@]}" commit --quiet --rm "$container" localhost/node-of-this-machine >/dev/null
rm -rf "$work/base"

echo '--- the image'
retried buildah "${store[@]}" build --quiet --isolation chroot --format docker --pull-never \
  --build-arg NODE_IMAGE=localhost/node-of-this-machine --tag localhost/port-congestion . >"$work/build.log" 2>&1 || {
  tail -n 40 "$work/build.log"
  exit 1
}
container=$(buildah "${store[@]}" from --pull-never localhost/port-congestion)
root=$(buildah "${store[@]}" mount "$container")
du -sh "$root/app" | sed 's#\t.*# in /app#'
[ ! -e "$root/app/node_modules/jest" ] || { echo 'the image has packages of development'; exit 1; }
buildah "${store[@]}" inspect --type image localhost/port-congestion | jq .Docker.config >"$work/config.json"

# Two namespaces and a line between them, of addresses for documentation (RFC 5737).
ip netns add "$inside"
ip netns add "$outside"
ip link add image netns "$inside" type veth peer name client netns "$outside"
ip -n "$inside" link set lo up
ip -n "$inside" address add 198.51.100.1/30 dev image
ip -n "$inside" link set image up
ip -n "$outside" address add 198.51.100.2/30 dev client
ip -n "$outside" link set client up

# The container's root is the image; what follows the options is what `docker run IMAGE` would be given.
mkdir "$work/bundle" "$work/volume"
cp -a "$root/data/." "$work/volume/"
chown --reference="$root/data" "$work/volume"
runc spec --bundle "$work/bundle"
node - "$work" "$root" "/run/netns/$inside" --host box.example <<'PROGRAM'
const { readFileSync, writeFileSync } = require('node:fs');
const [work, root, network, ...options] = process.argv.slice(2);
const image = JSON.parse(readFileSync(`${work}/config.json`, 'utf8'));
const file = `${work}/bundle/config.json`;
const spec = JSON.parse(readFileSync(file, 'utf8'));
const [uid, gid] = image.User.split(':').map(Number);
const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
const args = [...image.Entrypoint, ...(image.Cmd ?? []), ...options];
Object.assign(spec.process, { terminal: false, user: { uid, gid }, args, env: image.Env, cwd: image.WorkingDir });
Object.assign(spec.process, { capabilities: none, noNewPrivileges: true });
spec.root = { path: root, readonly: true };
spec.mounts.push(
  { destination: '/data', type: 'bind', source: `${work}/volume`, options: ['rbind', 'rw'] },
  { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['mode=1777'] },
);
for (const namespace of spec.linux.namespaces) if (namespace.type === 'network') namespace.path = network;
writeFileSync(file, JSON.stringify(spec));
PROGRAM
mapfile -t health < <(jq -r '.Healthcheck.Test[1:][]' "$work/config.json")

in_container() { runc --root "$work/runc" exec "$id" "$@"; }
# From outside, by a name that leads to the container, as through a published port.
ask() { ip netns exec "$outside" curl --silent --show-error --max-time 20 --resolve "$1:3000:198.51.100.1" "${@:3}" "http://$1:3000$2"; }
status_of() { ask "$@" --output /dev/null --write-out '%{http_code}'; }
expect() { [ "$2" = "$3" ] || { echo "$1: $2, expected $3"; cat "$work/log"; exit 1; }; }

start() {
  runc --root "$work/runc" run --bundle "$work/bundle" "$id" >"$work/log" 2>&1 &
  running=$!
  for _ in $(seq 240); do
    if in_container "${health[@]}" 2>/dev/null; then return; fi
    kill -0 "$running" 2>/dev/null || break
    sleep 0.5
  done
  cat "$work/log"
  echo 'the container is not healthy'
  exit 1
}
stop() {
  runc --root "$work/runc" kill "$id" TERM
  local status=0
  wait "$running" || status=$?
  expect 'end of the container' "$status" 0
}

key=$(node -p 'require("./local/demo-keys.json").demo')
echo '--- the first start'
start
cat "$work/log"
ask localhost /v1/ports/TWKHH/snapshot --header "X-API-Key: $key" | tee "$work/first.json"
echo
expect 'port of the snapshot' "$(jq -r .port "$work/first.json")" TWKHH
expect 'a name of --host' "$(status_of box.example /v1/health)" 200
expect 'another name' "$(status_of other.example /v1/health)" 403
expect 'the portal' "$(status_of localhost /)" 200
expect 'the MCP endpoint' "$(status_of localhost /mcp --header 'Content-Type: application/json' \
  --header 'Accept: application/json, text/event-stream' --data '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')" 200
in_container node --import tsx bin/keys.ts create --local --data-dir /data --plan pro --name image | tee "$work/key"
made=$(grep -o 'pcd_dev_[0-9A-Za-z]*' "$work/key" | head -n 1)
expect 'a key that was made inside' "$(status_of localhost /v1/ports --header "X-API-Key: $made")" 200
stop

echo '--- the second start, on the volume of the first'
start
cat "$work/log"
expect 'the key of the first start' "$(status_of localhost /v1/ports --header "X-API-Key: $made")" 200
ask localhost /v1/ports/TWKHH/snapshot --header "X-API-Key: $key" >"$work/second.json"
expect 'the snapshot' "$(cat "$work/second.json")" "$(cat "$work/first.json")"
stop
