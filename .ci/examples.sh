#!/usr/bin/env bash
# Installs an example that has packages of its own, from npm: .ci/examples.sh NAME
set -uo pipefail

if ! npm install --prefix "examples/$1" --ignore-scripts --no-audit --no-fund --loglevel=error; then
  echo "skipped: npm cannot install examples/$1 here; its test skips"
  exit 77
fi
