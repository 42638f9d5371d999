#!/usr/bin/env bash
# Installs an example that has packages of its own, from the registry of npm: .ci/examples.sh jest
set -uo pipefail

if ! npm install --prefix "examples/$1" --ignore-scripts --no-audit --no-fund --loglevel=error; then
  echo "skipped: npm cannot install examples/$1 here; its test skips"
  exit 77
fi
