#!/usr/bin/env bash
# A steady rate with the ingest running, then clients that disconnect or stall, and a check for leaks.
set -euo pipefail
cd "$(dirname "$0")/../.."
npm run --silent soak -- --minutes "${SOAK_MINUTES:-5}"
