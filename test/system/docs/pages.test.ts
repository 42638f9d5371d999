/**
 * The README and the pages do what they say: their commands are typed, their programs run, and the output is compared. Controls show that every way in which
 * an example can break is noticed.
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFiles, repository } from '../../helpers/tree.ts';
import { listCommands } from './command.ts';
import { install } from './installed.ts';
import { type Example, listExamples, listPrograms } from './markdown.ts';
import { createReader, type Reader } from './page.ts';

/** README.md and every page of docs/ that has examples, with the number of commands and programs in them. */
const pages = listFiles(repository)
  .filter((path) => path === 'README.md' || /^docs\/.*\.md$/.test(path))
  .map((page) => ({ page, examples: listExamples(readFileSync(join(repository, page), 'utf8')) }))
  .map((each) => ({ ...each, runs: each.examples.flatMap(listRuns).length }))
  .filter(({ runs }) => runs > 0);

/** Commands and programs of an example that are really run. */
function listRuns({ language, text }: Example): readonly string[] {
  if (language === 'file') return [];
  return language === 'ts' ? [text] : listCommands(text).flatMap(({ kind, text }) => (kind === 'elsewhere' ? [] : [text]));
}

const installed = install(
  repository,
  pages.flatMap(({ examples }) => listPrograms(examples)),
);
afterAll(() => installed.close());

it('examples stand on most pages for readers', () => {
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.reduce((sum, { runs }) => sum + runs, 0)).toBeGreaterThan(120);
});

describe.each(pages)('$page', ({ examples, runs }) => {
  let reader: Reader;
  let count = 0;
  beforeAll(() => {
    reader = createReader(repository, installed);
  });
  afterAll(() => reader.close());

  it.each(examples)('line $line: $language', { timeout: 120_000 }, async (example) => {
    count += await reader.follow(example);
  });

  it('was really followed', () => expect(count).toBe(runs));
});

/** A package of the same name whose mock answers 200 on `/` and 404 elsewhere, so that only the reading is on trial. */
const commands = `import { createServer } from 'node:http';
export async function run([command, ...rest], version, terminal) {
  const at = rest.findIndex((word) => word === '--port');
  if (rest.includes('--broken')) return 7;
  if (command !== 'mock') return terminal.out(command), 0;
  const server = createServer((request, response) => response.writeHead(request.url === '/' ? 200 : 404).end('{"ok": true, "at": [1, 2]}'));
  await new Promise((resolve) => server.listen(at === -1 ? 4010 : Number(rest[at + 1]), '127.0.0.1', resolve));
  terminal.out('listening on http://127.0.0.1:' + server.address().port + '\\n');
  await terminal.interrupted;
  if (rest.includes('--slow-end')) await new Promise((resolve) => setTimeout(resolve, 300));
  server.close();
  return 0;
}
`;
const main = `#!/usr/bin/env node
import { run } from './cli/run-command.js';
const never = new Promise(() => undefined);
process.exitCode = await run(process.argv.slice(2), '', { out: (text) => process.stdout.write(text), interrupted: never });
`;

let folder: string;

/** Follows a whole page of the package of that folder; the number of commands and programs that were run. */
async function follow(page: string, patienceMs?: number): Promise<number> {
  const examples = listExamples(page);
  const installed = install(folder, listPrograms(examples), patienceMs);
  const reader = createReader(folder, installed, join(folder, 'dist'));
  let count = 0;
  try {
    for (const example of examples) count += await reader.follow(example);
  } finally {
    await reader.close();
    await installed.close();
  }
  return count;
}

const sh = (text: string): string => `\`\`\`sh\n${text}\n\`\`\`\n`;
const program = (text: string): string => `\`\`\`ts\n${text}\n\`\`\`\n`;
const output = (text: string, language = 'text'): string => `\n<!-- output -->\n\n\`\`\`${language}\n${text}\n\`\`\`\n`;
const server = sh('npx touchstone mock --port 4010');

const sound: ReadonlyArray<readonly [title: string, page: string, count: number]> = [
  ['steps that run elsewhere', sh('npm ci && npm test\nnpm install --save-dev touchstone'), 0],
  [
    'what one line sets, the next line uses',
    `${sh('name=dataset\nexport place=here')}Then:\n${sh('echo "$name" "$place"')}${output('dataset here')}`,
    3,
  ],
  ['comments and continued lines', sh('# first\necho a \\\n  b |\n  grep -q "a b"'), 1],
  ['a here-document', sh("cat <<'END' | grep -q two\none\ntwo\nEND"), 1],
  ['output with a gap', sh('printf "one\\ntwo  \\nthree\\n"') + output('one\n…\nthree'), 1],
  [
    'a server of its own block, on another port',
    server + output('listening on http://127.0.0.1:4010') + sh('curl -s http://127.0.0.1:4010/'),
    2,
  ],
  ['a server in the background', sh('npx touchstone mock &\ncurl -s http://localhost:4010/') + output('…{"ok": true, "at": [1, 2]}'), 2],
  ['the start of a fresh clone', sh('npm ci && npm start') + sh('curl -s http://127.0.0.1:4010/'), 2],
  ['a second server takes over', server + server + sh('curl -s http://127.0.0.1:4010/'), 3],
  [
    'a server that takes over from one that ends slowly',
    server + sh('npx touchstone mock --port 4010 --slow-end') + server + sh('curl -s http://127.0.0.1:4010/'),
    4,
  ],
  ['JSON in another layout', server + sh('curl -s http://127.0.0.1:4010/') + output('{\n  "ok": true,\n  "at": […]\n}', 'json'), 2],
  ['an error answer whose body is shown', server + sh('curl -s http://127.0.0.1:4010/missing') + output('{ "ok": … }', 'json'), 2],
  [
    'an answer that is asked to be no error',
    `${server}${sh('curl --fail -s http://127.0.0.1:4010/')}${sh('curl -sf http://127.0.0.1:4010/')}`,
    3,
  ],
  [
    'a file that one line writes and the next one reads',
    `${sh('ls dist > list.txt')}${sh('grep main.js list.txt')}${output('main.js')}`,
    2,
  ],
  ['a file to save', `<!-- file a.js -->\n\n\`\`\`js\nconsole.log(1 + 1);\n\`\`\`\n${sh('node a.js')}${output('2')}`, 1],
  ['an announced exit code', `<!-- exit 3 -->\n${sh('(exit 3)')}`, 1],
  ['a program', program(`import { answer } from 'touchstone';\n\nconsole.log(answer);`) + output('42'), 1],
];

const broken: ReadonlyArray<readonly [title: string, page: string, complaint: RegExp]> = [
  ['a command that fails', sh('false'), /^false\nended with 1 instead of 0/],
  ['a command that fails before one that does not', sh('false\ntrue'), /^false\nended with 1/],
  ['a command that fails within a pipe', sh('false | cat'), /ended with 1/],
  ['a command that does not exist', sh('tuochstone mock'), /ended with 127/],
  ['a slip of syntax', sh('echo "a'), /ended with [12] /],
  ['a command that ends the terminal', sh('exit 0'), /closed the terminal/],
  ['another output', sh('echo one') + output('two'), /expected output:\ntwo\n\nprinted instead:\none/],
  ['less output', sh('echo one') + output('one\n…\ntwo'), /expected output/],
  ['more output', sh('echo one; echo two') + output('one'), /expected output/],
  ['other JSON', sh(`echo '{"a":[1,2]}'`) + output('{ "a": [1, 3] }', 'json'), /expected output/],
  ['other white space inside a JSON text', sh(`echo '{"a":"b c"}'`) + output('{ "a": "bc" }', 'json'), /expected output/],
  ['an address where nobody listens', sh('curl -s http://127.0.0.1:1/'), /ended with 7 /],
  [
    'an error answer that nobody announced',
    server + sh(`curl -sS -H 'X-Of: a-f' 'http://127.0.0.1:4010/missing?for=you'`),
    /ended with 22 /,
  ],
  ['an error answer, asked for strictly', server + sh('curl -sf http://127.0.0.1:4010/missing'), /ended with 22 /],
  ['a server that does not start', sh('npx touchstone mock --broken'), /ended before it listened/],
  ['a success where a failure is announced', `<!-- exit 3 -->\n${sh('true')}`, /ended with 0 instead of 3/],
  ['a program that does not type-check', program(`import { answer } from 'touchstone';\n\nanswer.trim();`), /TS2339.*trim/],
  ['a program with a wrong name', program(`import { question } from 'touchstone';\n\nconsole.log(question);`), /TS2305.*question/],
  ['a program that throws', program(`throw new Error('unlucky');`), /unlucky/],
  [
    'a test that fails',
    program(`import { test } from 'node:test';\n\nvoid test('late', () => { throw new Error('unlucky'); });`),
    /ended with 1[\s\S]*unlucky/,
  ],
  ['a program that fails after its end', program(`setTimeout(() => { throw new Error('unlucky'); }, 1);`), /ended with 1:[\s\S]*unlucky/],
  ['a program that prints something else', program('console.log(1);') + output('2'), /expected output/],
  ['a block that would not be tested', '```bash\ntrue\n```\n', /write ```sh instead of ```bash/],
  ['an output of nothing', `Some text.\n${output('one')}`, /follow no sh or ts block/],
  ['an output without a block', `${sh('true')}<!-- output -->\n`, /not followed by a text or json block/],
  ['an exit code of nothing', '<!-- exit 1 -->\n\nSome text.\n', /before no sh or ts block/],
  ['a file without a block', '<!-- file a.js -->\n\nSome text.\n', /before no block/],
  ['a fence that is never closed', '```sh\ntrue\n', /never closed/],
];

describe('following a page', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-page-'));
    mkdirSync(join(folder, 'dist/cli'), { recursive: true });
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const manifest = { name: 'touchstone', version: '1.0.0', type: 'module', bin: { touchstone: 'dist/main.js' } };
    const face = { types: './dist/index.d.ts', default: './dist/index.js' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, exports: { '.': face } }));
    writeFileSync(join(folder, 'dist/main.js'), main, { mode: 0o755 });
    writeFileSync(join(folder, 'dist/cli/run-command.js'), commands);
    // The real npx takes two seconds each time, and the test of the real pages covers it.
    writeFileSync(join(folder, 'dist/npx'), `#!/bin/sh\nshift\nexec '${join(folder, 'dist/main.js')}' "$@"\n`, { mode: 0o755 });
    writeFileSync(join(folder, 'dist/index.js'), 'export const answer = 42;\n');
    writeFileSync(join(folder, 'dist/index.d.ts'), 'export declare const answer: number;\n');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(sound)('succeeds: %s', async (_title, page, count) => {
    expect(await follow(page)).toBe(count);
  });

  it('leaves the repository as it was', async () => {
    const before = readdirSync(folder);
    await follow(sh('echo new > new.txt'));
    expect(readdirSync(folder)).toEqual(before);
  });

  it.each(broken)('finds: %s', async (_title, page, complaint) => {
    await expect(follow(page)).rejects.toThrow(complaint);
  });

  it('finds: a program that leaves something open', async () => {
    await expect(follow(program('setInterval(() => undefined, 1000);'), 100)).rejects.toThrow(/left something open/);
  });
});
