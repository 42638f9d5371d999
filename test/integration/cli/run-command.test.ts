/** Command lines that end at once: help, versions, and mistakes, each with its exit code and one clear paragraph. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { fixture } from '../../helpers/judged-mock.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function finish(args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  // Nothing here should keep running. If a mock starts all the same, this stops it, and the exit code shows it.
  terminal.interrupt();
  const code = await run(args, '1.2.3', terminal);
  return { code, ...terminal.printed() };
}

describe('asking the program', () => {
  it.each([['--help'], ['-h'], ['help']])('%s prints the overview', async (argument) => {
    const { code, out, error } = await finish([argument]);
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('touchstone mock [CONTRACT…]');
  });

  it('for help on a command prints the help of that command', async () => {
    expect(await finish(['help', 'pact', 'check'])).toEqual(await finish(['pact', 'check', '--help']));
    expect(await finish(['help', 'moc'])).toMatchObject({
      code: 2,
      error: 'touchstone: touchstone has no command moc; did you mean mock?\n',
    });
  });

  it.each([['--version'], ['-v']])('%s prints the version alone', async (argument) => {
    expect(await finish([argument])).toEqual({ code: 0, out: '1.2.3\n', error: '' });
  });

  it.each([['--help'], ['-h'], ['--port', '1', '--help']])('mock %s explains the command and starts nothing', async (...args) => {
    const { code, out, error } = await finish(['mock', ...args]);
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^touchstone mock \[CONTRACT…\] \[-- COMMAND…\]\n/);
    expect(out).not.toContain('http://');
  });

  it('nothing at all shows how it is used, as a mistake', async () => {
    const { code, out, error } = await finish([]);
    expect(code).toBe(2);
    expect(out + error).toContain('touchstone mock');
  });
});

const header = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\n";
const mistakes: readonly (readonly [title: string, args: readonly string[], expected: RegExp])[] = [
  ['an unknown command', ['mok'], /^touchstone: touchstone has no command mok; did you mean mock\?$/],
  ['a command that is nothing like one', ['serve-all'], /^touchstone: touchstone has no command serve-all; see touchstone --help$/],
  ['an unknown option', ['mock', '--prt', '1'], /no option --prt; did you mean --port\?/],
  ['an option before the command', ['--port', '1', 'mock'], /--port/],
  ['a port that is none', ['mock', '--port', 'http'], /--port http is not a whole number from 0 to 65535/],
  ['a port too high', ['mock', '--port', '65536'], /--port 65536 is not a whole number from 0 to 65535/],
  ['a negative port', ['mock', '--port=-1'], /--port -1 is not a whole number/],
  ['a seed with a fraction', ['mock', '--seed', '1.5'], /--seed 1.5 is not a whole number/],
  ['a host that is elsewhere', ['mock', '--port', '0', '--host', '203.0.113.7'], /203\.0\.113\.7.*address of this machine/],
  [
    'an unknown contract',
    ['mock', 'busines'],
    /busines is neither a contract that comes with Touchstone nor a file; did you mean business\?/,
  ],
  [
    'a file that is not there',
    ['mock', 'no/such/file.yaml'],
    /no\/such\/file\.yaml is neither a contract that comes with Touchstone nor a file/,
  ],
  ['a folder', ['mock', folder], /cannot be read \(EISDIR\)|is a folder/],
  [
    'two files with one path',
    ['mock', 'wiki', fixtureCopy('copy.yaml')],
    /both have the path \/api\/v1\/wiki; serve only one of them, or each on its own port/,
  ],
  ['a file that is not YAML', ['mock', file('broken.yaml', 'openapi: [3.1.0\n')], /broken\.yaml:\d+:\d+: this is not valid YAML/],
  ['a file that is no OpenAPI', ['mock', file('other.yaml', 'hello: dataset\n')], /other\.yaml:1:1: this is not an OpenAPI document/],
  ['an old OpenAPI', ['mock', file('old.yaml', "swagger: '2.0'\n")], /old\.yaml:1:1: swagger: 2\.0 is not supported; .* swagger2openapi/],
  ['an empty file', ['mock', file('empty.yaml', '')], /empty\.yaml:1:1: /],
  [
    'a misspelt annotation',
    ['mock', '--strict', file('word.yaml', `${header}x-invlid: {}\npaths: {}\n`)],
    /word\.yaml:3:1: x-invlid is not an annotation; did you mean x-invalid\?/,
  ],
  [
    'a reference that leads nowhere',
    ['mock', '--strict', file('reference.yaml', `${header}paths:\n  /a: { get: { responses: { '200': { $ref: '#/nowhere' } } } }\n`)],
    /reference\.yaml:4:\d+: #\/nowhere cannot be resolved/,
  ],
  [
    'a reference to a missing file',
    ['mock', '--strict', file('missing.yaml', `${header}paths:\n  /a: { $ref: 'gone.yaml#/a' }\n`)],
    /missing\.yaml:4:\d+: the referenced file .*gone\.yaml cannot be read \(ENOENT\)/,
  ],
];

/** A second file with the paths of a shipped contract. */
function fixtureCopy(name: string): string {
  return file(name, `${header}paths:\n  /api/v1/wiki:\n    get: { responses: { '200': { description: Yes. } } }\n`);
}

describe('a mistake', () => {
  it.each(mistakes)('is reported in one paragraph with exit code 2: %s', async (_, args, expected) => {
    const { code, out, error } = await finish(args);
    expect([code, out]).toEqual([2, '']);
    expect(error.trimEnd()).toMatch(expected);
    expect(error).toMatch(/^touchstone: [^\n]+\n$/);
    expect(error).not.toContain('internal error');
  });

  it.each(mistakes.slice(0, 3))('comes with its stack when --debug is given: %s', async (_, args, expected) => {
    const { code, error } = await finish([...args, '--debug']);
    expect(code).toBe(2);
    expect(error.split('\n')[0]).toMatch(expected);
    expect(error).toMatch(/\n {4}at /);
  });

  it('is made by naming a port that is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, out, error } = await finish(['mock', fixture('plain'), '--port', String(port)]);
    expect([code, out]).toEqual([2, '']);
    expect(error).toBe(
      `touchstone: port ${port} of 127.0.0.1 is taken; stop the process that listens there, use another port, or use port 0 for any free port\n`,
    );
    other.close();
  });
});
