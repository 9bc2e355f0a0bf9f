# Sourced by steps that download: `retried COMMAND...` tries three times, so that a bad moment of a registry does not count.
retried() {
  local pause
  for pause in 10 30; do
    "$@" && return
    echo "failed, tried again in $pause s: $*" >&2
    sleep "$pause"
  done
  "$@"
}
