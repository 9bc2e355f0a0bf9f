#!/usr/bin/env bash
# A steady rate with the ingest running, then rude clients, and a look at what they left behind.
set -euo pipefail
cd "$(dirname "$0")/../.."
npm run --silent soak -- --minutes "${SOAK_MINUTES:-5}"
