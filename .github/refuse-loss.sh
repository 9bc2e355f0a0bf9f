#!/usr/bin/env bash
# Prints the diff of the CDK that it reads, and fails where a deployment would remove or replace what cannot come back:
# a table, a bucket, or an address, plan or key of callers.
set -euo pipefail
types='AWS::(DynamoDB::Table|S3::Bucket|ApiGateway::(ApiKey|DomainName|RestApi|Stage|UsagePlan|UsagePlanKey))'
diff=$(cat)
printf '%s\n' "$diff"
if lost=$(grep -E "^\[[-~]\] $types .*(destroy|orphan|replace|may be replaced)$" <<< "$diff"); then
  printf '\nRefused: this deployment would remove or replace\n%s\n' "$lost" >&2
  exit 1
fi
