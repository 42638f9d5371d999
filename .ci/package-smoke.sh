#!/usr/bin/env bash
# Packs the package, installs it in an empty project, and uses every part of it there: .ci/package-smoke.sh FOLDER
set -euo pipefail
folder="$1" repository="$PWD"
mkdir -p "$folder/user"

# One line names the file and its size; a list of all its files would hide it.
npm run --silent package -- --pack-destination "$folder" | tee "$folder/package.log"
test "$(wc -l < "$folder/package.log")" = 1
tarballs=("$folder"/*.tgz)
version="$(node -p 'require("./package.json").version')"

cd "$folder/user"
echo '{ "private": true, "type": "module" }' > package.json
npm install --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error "${tarballs[0]}"

# The command line.
test "$(npx touchstone --version)" = "$version"
node "$repository/.ci/mock-smoke.mjs" npx touchstone mock --port 0 --json

# The library: its declarations compile under strict settings, in both ways of resolving packages, and the code runs.
cat > program.ts <<'END'
import { startMock } from 'touchstone';

const mock = await startMock({ port: 0 });
const answer = await fetch(`${mock.url}/api/v1/wiki`);
console.log(answer.status);
await mock.close();
END
tsc="$repository/node_modules/typescript/bin/tsc"
settings=(--strict --target es2022 --lib es2023,esnext.disposable --types node --typeRoots "$repository/node_modules/@types" --outDir out program.ts)
node "$tsc" --ignoreConfig --module esnext --moduleResolution bundler "${settings[@]}"
node "$tsc" --ignoreConfig --module nodenext --moduleResolution nodenext "${settings[@]}"
test "$(node out/program.js)" = 200

# verify: the mock passes, and a mutant of it is found.
cat > program.ts <<'END'
import { startMock, verify } from 'touchstone';

const mutants = [[], ['filter-ignored:listEntries.type']];
const verdicts: string[] = [];
for (const each of mutants) {
  const mock = await startMock({ contracts: ['wiki'], mutants: each });
  const { verdict } = await verify({ contract: 'wiki', target: mock.url, quick: true }).result;
  verdicts.push(verdict);
  await mock.close();
}
console.log(verdicts.join(' '));
END
node "$tsc" --ignoreConfig --module nodenext --moduleResolution nodenext "${settings[@]}"
test "$(node out/program.js)" = 'holds violated'

# The pacts of the package, checked against its contracts.
npx touchstone pact check node_modules/touchstone/contracts/pacts > /dev/null

# The helper for Vitest, in a user's suite: checks that hold pass, and a mutant fails the tests of its rule.
ln -s "$repository/node_modules/vitest" node_modules/vitest
cat > wiki.test.mjs <<'END'
import { startMock } from 'touchstone';
import { describeContract } from 'touchstone/vitest';
import { afterAll } from 'vitest';

const mock = await startMock({ contracts: ['wiki'], mutants: process.env.MUTANT ? [process.env.MUTANT] : [] });
afterAll(() => mock.close());
describeContract({ contract: 'wiki', target: mock.url, quick: true, only: ['filters/sound', 'pages/numbers'] });
END
vitest="$repository/node_modules/vitest/vitest.mjs"
node "$vitest" run wiki.test.mjs
status=0
MUTANT=filter-ignored:listEntries.type node "$vitest" run wiki.test.mjs --reporter=json --outputFile=suite.json > /dev/null 2>&1 || status=$?
test "$status" = 1
node -p 'JSON.parse(fs.readFileSync("suite.json")).testResults[0].assertionResults.filter(({ status }) => status === "failed")[0].title' | grep filters/sound

# diff: a contract equals itself, and another value in an answer breaks it.
cp node_modules/touchstone/specs/wiki.openapi.yaml old.yaml
sed 's/brand, arma]/brand, arma, another]/' old.yaml > new.yaml
npx touchstone diff old.yaml old.yaml > /dev/null
status=0
npx touchstone diff old.yaml new.yaml --report json=diff.json > /dev/null || status=$?
test "$status" = 1
test "$(node -p 'JSON.parse(fs.readFileSync("diff.json")).changes[0].verdict')" = witnessed

# The generators, with nothing but a schema and fast-check: the newest that fits, which npm installed unasked, then the oldest, which the user names.
# Either is the only copy, since TypeScript refuses to mix the types of two.
cat > program.ts <<'END'
import fc from 'fast-check';
import { arbitraryFor, invalidExampleFor } from 'touchstone/generators';

const schema = { type: 'integer', minimum: 1, maximum: 9 };
fc.assert(fc.property(arbitraryFor(schema), (value) => Number(value) > 0 && Number(value) < 10));
fc.assert(fc.property(invalidExampleFor(schema), ({ value, path }) => path === '' && !(Number.isInteger(value) && Number(value) > 0 && Number(value) < 10)));
console.log('drawn');
END
draw() {
  test "$(find node_modules -path '*/fast-check/package.json' | wc -l)" = 1
  node -p '"fast-check " + JSON.parse(fs.readFileSync("node_modules/fast-check/package.json")).version'
  node "$tsc" --ignoreConfig --module esnext --moduleResolution bundler "${settings[@]}"
  node "$tsc" --ignoreConfig --module nodenext --moduleResolution nodenext "${settings[@]}"
  test "$(node out/program.js)" = drawn
}
draw
# npm must not look at the link to vitest, whose packages are elsewhere.
rm node_modules/vitest
npm install --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error fast-check@4.10.0
draw
