# Sourced by `.ci/run` and `.ci/nightly`: runs steps, each within a time of its own, and counts how they end.
passed=0
failed=0
skipped=0

# step NAME SECONDS COMMAND...: exit status 0 counts as passed, 77 as skipped, any other as failed; 124 is the time limit.
step() {
  local name=$1 seconds=$2 started=$SECONDS status=0
  shift 2
  printf '\n=== %s\n' "$name"
  timeout --kill-after=20 "$seconds" "$@" || status=$?
  case $status in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
  esac
  printf '=== %s: exit %s after %s of %s s\n' "$name" "$status" $((SECONDS - started)) "$seconds"
}

# The last line is "N passed, N failed, N skipped".
finish() {
  printf '\n%s took %s min %s s\n' "$0" $((SECONDS / 60)) $((SECONDS % 60))
  printf '%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ]
}
