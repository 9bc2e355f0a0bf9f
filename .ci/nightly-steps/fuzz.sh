#!/usr/bin/env bash
# A slice of `npm run fuzz`, always with the same seed, so that a failure is caused by the change under test.
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=20261121
npm run --silent fuzz -- requests --runs 50000 --seed "$seed"
npm run --silent fuzz -- events --runs 20000 --seed "$seed"
npm run --silent fuzz -- http --runs 10000 --seed "$seed"
npm run --silent fuzz -- parsers --runs 5000 --seed "$seed"
