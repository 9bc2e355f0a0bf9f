#!/usr/bin/env bash
# The commands of docs/deploy.md, settings.md, releases.md, runbook.md and keys.md, from an empty account to an empty account, on
# MiniStack, an emulator of AWS, without containers and credentials. What MiniStack lacks is patched in .ci/ministack/server.py, never in the product.
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/python-tools.sh
python_tools aws-cli 'awscli==1.45.11'
aws=$tools/bin
python_tools ministack 'ministack==1.5.33'

"$tools/bin/python" .ci/ministack/server.py --gaps
AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED=true \
  node --import tsx test/emulated-deploy/emulated-deploy.ts "$tools/bin/python" "$aws"
