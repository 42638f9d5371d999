/** The built program as a process: signals, pipes, colours and exit codes. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ask } from '../../helpers/plain-client.ts';
import { endAll, finish, program, type Running, run, watch } from '../../helpers/program.ts';
import { wiki } from '../../helpers/request-targets.ts';

// Each process loads the whole program, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
afterEach(endAll);

function portIn(text: string): number {
  return Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
}

async function startJson(): Promise<{ readonly running: Running; readonly port: number }> {
  const running = run(['mock', 'wiki', '--json', '--port', '0']);
  const [greeting = ''] = await running.lines(1);
  return { running, port: portIn(greeting) };
}

describe('the program', () => {
  it('prints the version of the package', async () => {
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { readonly version: string };
    expect(await finish(['--version'])).toEqual({ code: 0, signal: null, out: `${manifest.version}\n`, error: '' });
  });

  it('starts by its name', () => {
    expect(readFileSync(new URL('../../../bin/touchstone.js', import.meta.url), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('reports a mistake without a stack, and with one after --debug', async () => {
    expect(await finish(['mock', 'nothing-like-it'])).toEqual({
      code: 2,
      signal: null,
      out: '',
      error: 'touchstone: nothing-like-it is neither a built-in contract nor a file; name a file, or one of business, wiki\n',
    });
    expect((await finish(['mock', 'nothing-like-it', '--debug'])).error).toMatch(/\n {4}at .*dist/);
  });
});

describe.each(['SIGINT', 'SIGTERM'] as const)('on %s the mock', (signal) => {
  it('stops with exit code 0 while a client keeps its connection open', async () => {
    const { running, port } = await startJson();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      socket.on('data', () => resolve());
      socket.write(`GET ${wiki} HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n`);
    });
    running.process.kill(signal);
    expect(await running.ended).toMatchObject({ code: 0, signal: null, error: '' });
    socket.destroy();
    await expect(ask({ port }, wiki)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('output', () => {
  it('has colours without a terminal only if they are forced, and never with NO_COLOR', async () => {
    const escapesWith = async (environment: Readonly<Record<string, string>>): Promise<boolean> => {
      const running = run(['mock', 'wiki', '--port', '0'], environment);
      const printed = await running.until('Ctrl-C');
      // It has nothing left to do but load the modules for its first answer.
      running.process.kill('SIGKILL');
      return printed.includes('\u001b[');
    };
    expect(
      await Promise.all(
        [{}, { FORCE_COLOR: '1' }, { FORCE_COLOR: '0' }, { NO_COLOR: '1', FORCE_COLOR: '1' }, { NO_COLOR: '', FORCE_COLOR: '1' }].map(
          escapesWith,
        ),
      ),
    ).toEqual([false, true, false, false, true]);
  });

  it('may lose its reader at any time', async () => {
    const { running, port } = await startJson();
    running.process.stdout.destroy();
    // The line of the first request is written to a pipe that nobody reads.
    expect((await ask({ port }, wiki)).status).toBe(200);
    await ask({ port }, wiki).catch(() => undefined);
    const ending = await running.ended;
    expect(ending).toMatchObject({ code: 0, signal: null, error: '' });
  });

  it.skipIf(process.platform === 'win32')('may be cut by head', async () => {
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${program}" mock wiki --port 0 --json 2>&1 | head -1`], {
      detached: true,
    }) as ChildProcessWithoutNullStreams;
    const piped = watch(shell);
    const [line = ''] = await piped.lines(1);
    const port = portIn(line);
    await ask({ port }, wiki);
    await ask({ port }, wiki).catch(() => undefined);
    expect(await piped.ended).toMatchObject({ code: 0, error: '', out: `${line}\n` });
  });

  const reportFile = join(tmpdir(), `touchstone-lost-reader-${process.pid}.json`);
  afterEach(() => rmSync(reportFile, { force: true }));

  it.skipIf(process.platform === 'win32')('may lose the reader of progress, and keeps its report and its exit code', async () => {
    const { port } = await startJson();
    const target = ['--target', `http://127.0.0.1:${port}`, '--only', 'pages/total', '--quick'];
    const judging = run(['verify', 'wiki', ...target, '--report', `json=${reportFile}`]);
    judging.process.stderr.destroy();
    expect(await judging.ended).toMatchObject({ code: 0, out: expect.stringContaining('Holds: ') as string });
    expect(readFileSync(reportFile, 'utf8')).toContain('"verdict": "holds"');
  });

  it('stops and judges a client whose output nobody reads any more', async () => {
    const script = `fetch(process.env.API_URL + '${wiki}?limt=1').then(() => setInterval(() => undefined, 1000))`;
    const options = ['--fail-on', 'warning', '--report', `json=${reportFile}`];
    const judging = run(['mock', 'wiki', ...options, '--', process.execPath, '-e', script]);
    judging.process.stdout.destroy();
    expect(await judging.ended).toMatchObject({ code: 1, error: '' });
    expect(readFileSync(reportFile, 'utf8')).toContain('client/declared-parameters');
  });

  it.skipIf(!existsSync('/dev/full'))('that cannot be written is a mistake without a stack', async () => {
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${program}" bundle wiki > /dev/full`]);
    expect(await watch(shell).ended).toEqual({
      code: 2,
      signal: null,
      out: '',
      error: 'touchstone: standard output cannot be written (ENOSPC); make room, or write to another place\n',
    });
  });
});
