#!/usr/bin/env bash
# Every fault that Stryker plants in the token bucket, which decides over 429: the tests notice nine of ten and more.
set -euo pipefail
cd "$(dirname "$0")/../.."
npm run --silent study -- mutation limits -- --mutate core/access/token-bucket.ts
