# Sourced by steps that need the service: `start_service` starts it on a free port, with the sample or the data that its
# options name, in a folder that goes away, and sets `service_url`; it ends with the step. `bench_key` has no limits.
bench_key=$(node -p 'require("./local/demo-keys.json").bench')

start_service() {
  service_home=$(mktemp -d)
  # The first look may come before the service has opened it.
  touch "$service_home/log"
  node --import tsx bin/serve.ts --port 0 --data-dir "$service_home/data" "${@:---sample}" >"$service_home/log" 2>&1 &
  service_pid=$!
  trap 'kill "$service_pid" 2>/dev/null; wait "$service_pid" 2>/dev/null || true; rm -rf "$service_home"' EXIT
  service_url=
  for _ in $(seq 1800); do
    service_url=$(sed -n 's#.*ready.*\(http://127\.0\.0\.1:[0-9]*\).*#\1#p' "$service_home/log")
    [ -n "$service_url" ] && return
    kill -0 "$service_pid" 2>/dev/null || break
    sleep 0.1
  done
  cat "$service_home/log"
  exit 1
}
