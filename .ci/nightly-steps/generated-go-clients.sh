#!/usr/bin/env bash
# Clients in Go that ogen and oapi-codegen make from the plain OpenAPI document read dates, numbers and an error of the service.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/retried.sh
. .ci/local-service.sh
command -v go >/dev/null || { echo 'left out: go is not installed'; exit 77; }
tools=$PWD/dist/ci-tools/go
export GOBIN=$tools
for generator in github.com/ogen-go/ogen/cmd/ogen@v1.24.0 github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2; do
  name=${generator##*/}
  [ -e "$tools/${name%@*}" ] || retried go install "$generator" || {
    echo "left out: $generator cannot be installed from the Go module proxy here"
    exit 77
  }
done

start_service
clients=$service_home/clients
mkdir -p "$clients/ogen" "$clients/oapi"
cp .ci/generated-clients/go/main.go "$clients"
curl --silent --fail --output "$clients/openapi.json" "$service_url/openapi-3.0.json"
cd "$clients"
"$tools/ogen" --target ogen --clean --package ogen openapi.json 2>"$service_home/ogen" || { cat "$service_home/ogen"; exit 1; }
"$tools/oapi-codegen" -generate types,client -package oapi -o oapi/client.go openapi.json
printf 'module clients\n\ngo 1.25\n' >go.mod
retried go mod tidy 2>"$service_home/tidy" || { cat "$service_home/tidy"; exit 77; }
go run . "$service_url" "$bench_key"
