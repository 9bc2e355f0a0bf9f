#!/usr/bin/env bash
# The CSV responses, read by Python's csv module.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v python3 >/dev/null || { echo 'left out: python3 is not installed'; exit 77; }
. .ci/local-service.sh
start_service
python3 .ci/read-csv.py "$service_url" "$bench_key"
