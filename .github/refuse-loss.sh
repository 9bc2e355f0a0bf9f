#!/usr/bin/env bash
# Prints the diff of the CDK that it reads, and fails where a deployment would remove or replace what cannot come back:
# a table, a bucket, an address, plan or key of callers, or a topic, whose subscribers would have to confirm again.
set -euo pipefail
types='AWS::(CloudFront::Distribution|DynamoDB::Table|S3::Bucket|SNS::Topic|ApiGateway::(ApiKey|DomainName|RestApi|Stage|UsagePlan|UsagePlanKey))'
diff=$(cat)
printf '%s\n' "$diff"
if lost=$(grep -E "^\[[-~]\] $types .*(destroy|orphan|replace|may be replaced)$" <<< "$diff"); then
  printf '\nRefused: this deployment would remove or replace\n%s\n' "$lost" >&2
  exit 1
fi
