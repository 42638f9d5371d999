#!/usr/bin/env bash
# Builds the documentation site, for a test that opens it in Chromium: .ci/site.sh
set -uo pipefail

if ! npm ci --prefix docs --ignore-scripts --no-audit --no-fund --loglevel=error; then
  echo 'skipped: npm cannot install the packages of docs/ here'
  exit 77
fi
npm run build --prefix docs
