/** The command `mock` with a client: its environment, its exit codes, its reports, and the lines on mistakes. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { run } from '../../../../cli/run-command.ts';
import { endAll, finish } from '../../../helpers/program.ts';
import { createTerminal } from '../../../helpers/reports/fake-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'client-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(endAll);

const list = '/api/integrations/v1/orders/index.php';

/** A program that reads targets one after the other. */
function reading(targets: readonly string[], end = 0): readonly string[] {
  const script = `for (const target of ${JSON.stringify(targets)})
    await (await fetch(process.env.API_URL + target, { headers: { 'X-SERVICE-API-Key': process.env.API_KEY } })).text();
  process.exitCode = ${end};`;
  return [process.execPath, '--input-type=module', '-e', script];
}

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

async function judge(options: readonly string[], program: readonly string[]): Promise<Outcome> {
  const terminal = createTerminal(false);
  const code = await run(['mock', 'business', '--port', '0', ...options, '--', ...program], '0.0.0', terminal);
  return { code, ...terminal.printed() };
}

describe('a client of the mock', () => {
  it.each([0, 7])('that makes no mistake has its own exit code, %i, and a report', async (end) => {
    const { code, out, error } = await judge([], reading([`${list}?limit=5`], end));
    expect([code, error]).toEqual([end, '']);
    expect(out).toMatch(
      new RegExp(`^\\n1 request from the client\\n[^]*\\nno findings; \\d+ rules not exercised\\. Exit code ${end}\\.\\n$`),
    );
  });

  it.each([
    ['sends nothing', []],
    ['reads only unknown paths', ['/orders/index.php']],
  ] as const)('that %s has exit code 4', async (_, targets) => {
    const { code, error } = await judge([], reading(targets));
    expect(code).toBe(4);
    expect(error).toMatch(/the command sent no request to an operation of the mock; its URL is in API_URL/);
  });

  it('that makes mistakes has exit code 1, a line for the first one of each rule, and one for each refusal', async () => {
    const { code, out } = await judge([], reading([`${list}?cursor=invented`, `${list}?limit=500`, `${list}?colour=red`]));
    expect(code).toBe(1);
    expect(out).toMatch(/^422 GET {2}\S+\?cursor=invented [\d.]+ ms {2}\(cursor was not issued .+\)$/m);
    expect(out).toMatch(/^422 GET {2}\S+\?limit=500 [\d.]+ ms {2}\(limit=500 .+\)$/m);
    expect(out).toMatch(/^200 GET {2}\S+\?colour=red [\d.]+ ms {2}\(.*colour.*\)$/m);
    expect(out).toMatch(/^ {4}error client\/cursor-given: .+ \(.+business\.openapi\.yaml:\d+:\d+\)$/m);
    expect(out).toMatch(/touchstone mock .*--port \d+\n.*curl -si .*\$KEY/);
    expect(out).not.toContain('mock_full_');
  });

  it.each([
    [['--fail-on', 'warning'], 1],
    [['--fail-on', 'error'], 0],
    [['--fail-on', 'never', '--require', 'client/declared-parameters'], 0],
    [['--require', 'client/retry-after'], 4],
    [['--fail-on', 'warning', '--require', 'client/*'], 1],
  ])('is judged by %j', async (options, expected) => {
    expect((await judge(options, reading([`${list}?colour=red`]))).code).toBe(expected);
  });

  it('is reported in every format', async () => {
    const formats = ['json', 'html', 'markdown', 'junit', 'github', 'sarif'];
    const options = formats.flatMap((format) => ['--report', `${format}=${join(folder, format)}`]);
    await judge(options, reading([`${list}?colour=red`]));
    for (const format of formats) expect(readFileSync(join(folder, format), 'utf8'), format).toContain('client/declared-parameters');
    expect(JSON.parse(readFileSync(join(folder, 'json'), 'utf8'))).toMatchObject({ schema: 'touchstone-client/1', verdict: 'warning' });
  });

  it.each([
    [['--fail-on', 'always'], ['true'], '--fail-on always is not a level'],
    [['--require', 'client/nothing'], ['true'], 'there is no such client rule'],
    [[], [], 'there is no command after --'],
    [[], ['no-such-program-at-all'], 'the command no-such-program-at-all cannot be started (ENOENT); write'],
  ])('is refused with %j %j', async (options, program, message) => {
    const { code, error } = await judge(options, program);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it('that cannot be started leaves no mock behind, and so the process ends', async () => {
    const { code, error } = await finish(['mock', 'wiki', '--port', '0', '--', 'no-such-program-at-all']);
    expect([code, error]).toEqual([2, expect.stringContaining('cannot be started')]);
  });

  it('can be recorded as a pact', async () => {
    const file = join(folder, 'pact.json');
    await judge(['--record-pact', file, '--consumer', 'shop'], reading([`${list}?limit=5`]));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ consumer: { name: 'shop' } });
  });

  it('needs a command for the options about it', async () => {
    const terminal = createTerminal(false);
    expect(await run(['mock', '--fail-on', 'error'], '0.0.0', terminal)).toBe(2);
    expect(terminal.printed().error).toContain('--fail-on needs the command of a client');
  });
});
