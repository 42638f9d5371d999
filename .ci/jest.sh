#!/usr/bin/env bash
# Installs Jest for the test of examples/jest, from the registry of npm: .ci/jest.sh
set -uo pipefail

if ! npm install --prefix examples/jest --ignore-scripts --no-audit --no-fund --loglevel=error; then
  echo 'skipped: npm cannot install Jest here; the test of examples/jest skips'
  exit 77
fi
node examples/jest/node_modules/jest/bin/jest.js --version
