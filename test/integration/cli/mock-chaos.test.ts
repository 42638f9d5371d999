/** The options of `touchstone mock` for chaos, limits and profiles, and their output. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { ask } from '../../helpers/plain-client.ts';
import { createTerminal, type TestTerminal } from '../../helpers/reports/fake-terminal.ts';
import { wiki } from '../../helpers/request-targets.ts';

/** Runs a mock of the wiki during `visit`, and returns its output. */
async function serve(args: readonly string[], visit: (server: { readonly port: number }) => Promise<void>): Promise<string> {
  const terminal: TestTerminal = createTerminal();
  const code = run(['mock', 'wiki', '--port', '0', ...args], '0.0.0', terminal);
  await terminal.until('http://127.0.0.1:');
  await visit({ port: Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(terminal.printed().out)?.[1]) });
  terminal.interrupt();
  expect(await code).toBe(0);
  return terminal.printed().out;
}

describe('the options', () => {
  it('produce chaos, which the line of each request names', async () => {
    const out = await serve(['--chaos', '503 getEntry', '--chaos', 'latency 2ms; latency 3ms listEntries'], async (server) => {
      expect((await ask(server, wiki)).status).toBe(200);
      expect((await ask(server, `${wiki}/x`)).status).toBe(503);
    });
    expect(out).toContain('Chaos  some requests are disturbed\n  503 getEntry\n  latency 2ms\n  latency 3ms listEntries\n');
    const lines = out.split('\n').filter((line) => /^\d{3} /.test(line));
    expect(lines[0]).toContain(
      ' ms  (the response is delayed by 2 ms: by the rule latency 2ms; the response is delayed by 3 ms: by the rule latency 3ms listEntries)',
    );
    expect(lines[1]).toMatch(/^503 GET .* ms {2}\(503: by the rule 503 getEntry; /);
  });

  it('leave the line of a refusal its reason', async () => {
    const out = await serve(['--chaos', 'latency 2ms'], async (server) => {
      expect((await ask(server, `${wiki}/x`)).status).toBe(404);
    });
    expect(out).toMatch(/^404 GET .* ms {2}\(No .*; the response is delayed by 2 ms: by the rule latency 2ms\)$/m);
  });

  it('limit requests, which JSON output shows', async () => {
    const out = await serve(['--rate-limit', '1/h', '--retry-after', 'date', '--json', '--chaos', 'reset 0%'], async (server) => {
      expect((await ask(server, wiki)).status).toBe(200);
      const reply = await ask(server, wiki);
      expect([reply.status, reply.headers['retry-after']]).toEqual([429, expect.stringMatching(/ GMT$/)]);
    });
    const [ready, first, second] = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(ready).toMatchObject({ event: 'ready', chaos: ['reset 0%'] });
    expect(first).not.toHaveProperty('chaos');
    expect(second).toMatchObject({ status: 429, chaos: ['429: the rate limit 1/h is reached for the role anybody'] });
  });

  it('answer open questions by a profile of the package, or of a file', async () => {
    const statusBeyond = async (profile: string): Promise<number> => {
      let status = 0;
      await serve(['--profile', profile], async (server) => {
        status = (await ask(server, `${wiki}?page=9999`)).status;
      });
      return status;
    };
    const folder = await mkdtemp(join(tmpdir(), 'profile-'));
    try {
      const file = join(folder, 'mine.yaml');
      await writeFile(file, 'page-beyond: absent\n');
      expect([await statusBeyond('strict'), await statusBeyond('lenient'), await statusBeyond(file)]).toEqual([400, 200, 404]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    [['--chaos', '503 10'], '"10" is invalid; a rule is KIND [10%]'],
    [['--chaos', 'off course'], '"course" is invalid'],
    [['--rate-limit', '20'], 'the rate limit 20 cannot be read; write requests per time, such as 20/s'],
    [['--retry-after', 'soon'], '--retry-after soon is not a form of Retry-After; write --retry-after seconds or --retry-after date'],
    [['--profile', 'lenjent'], 'lenjent is neither a built-in profile nor a file; did you mean lenient?'],
    [['--profile', 'strict', '--profile', 'terse'], '--profile was given more than once'],
  ])('are refused if they are invalid: %j', async (args, message) => {
    const terminal = createTerminal();
    expect(await run(['mock', 'wiki', '--port', '0', ...args], '0.0.0', terminal)).toBe(2);
    expect(terminal.printed().error).toContain(message);
    expect(terminal.printed().out).toBe('');
  });
});
