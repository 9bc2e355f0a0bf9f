#!/usr/bin/env bash
# A sample of `npm run mutation`, always the same one: what a new seed finds belongs to whoever runs it.
set -euo pipefail
cd "$(dirname "$0")/../.."
npm run --silent mutation -- --sample 60 --seed 20261122
