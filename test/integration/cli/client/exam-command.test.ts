/** The command `exam`: the environment of the client, its runs, the exit codes, and the reports. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../../cli/run-command.ts';
import { createTerminal } from '../../../helpers/reports/fake-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'exam-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const list = '/api/integrations/v1/orders/index.php';

/** A client as a program of Node.js. */
function program(script: string): readonly string[] {
  return [process.execPath, '--input-type=module', '-e', script];
}

const readPage = `const answer = await fetch(process.env.API_URL + '${list}?limit=100', { headers: { 'X-SERVICE-API-Key': process.env.API_KEY } });
if (!answer.ok) { console.log('failed with', answer.status, process.env.API_KEY); process.exit(3); }
const { data } = await answer.json();
`;

const compare = `await fetch(process.env.API_CONTROL_URL + '/client/compare', { method: 'POST', body: JSON.stringify({ records: data.orders }) });`;

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

async function examine(options: readonly string[], command: readonly string[]): Promise<Outcome> {
  const terminal = createTerminal(false);
  const code = await run(['exam', 'business', ...options, '--', ...command], '0.0.0', terminal);
  return { code, ...terminal.printed() };
}

function readSpec(name: string): object {
  return JSON.parse(readFileSync(new URL(`../../../../specs/${name}.schema.json`, import.meta.url), 'utf8')) as object;
}

describe('exam', () => {
  it('runs the client twice, with an empty folder for each scenario', async () => {
    const seen = join(folder, 'seen.txt');
    const script = `import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
const { EXAM_SCENARIO, EXAM_RUN, EXAM_FOLDER } = process.env;
appendFileSync(${JSON.stringify(seen)}, [EXAM_SCENARIO, EXAM_RUN, readdirSync(EXAM_FOLDER).length].join(' ') + '\\n');
writeFileSync(EXAM_FOLDER + '/copy', '');`;
    const { code, out, error } = await examine(['--only', '*-values', '--only', 'pages'], program(script));
    expect([code, error]).toEqual([4, expect.stringMatching(/^pages: .+ …\nunknown-values: .+ …\n$/)]);
    expect(readFileSync(seen, 'utf8')).toBe('pages 1 0\npages 2 1\nunknown-values 1 0\nunknown-values 2 1\n');
    expect(out).toMatch(/^ {2}not exercised {2}pages .+: The client did not read three pages of any list\.$/m);
    expect(out).toMatch(/2 scenarios: 2 not exercised\. Exit code 4\.\n$/);
  });

  it('reports what a client ended up with, in every format', async () => {
    const formats = ['json', 'html', 'markdown', 'junit', 'github', 'gitlab', 'sarif'];
    const options = formats.flatMap((format) => ['--report', `${format}=${join(folder, format)}`]);
    const { code, out } = await examine(['--only', 'pages', ...options], program(`${readPage}${compare}`));
    expect(code).toBe(1);
    expect(out).toMatch(/^ {2}failed +pages {2}100 of 228 orders {2}three pages, then more changes than fit on one page$/m);
    expect(out).toMatch(/^ {2}error client\/records-complete {2}listOrders, key full, 1 time$/m);
    expect(out).toMatch(/^ {4}requests +\d+: 200 GET \/api/m);
    expect(out).not.toContain('curl');
    for (const format of formats) expect(readFileSync(join(folder, format), 'utf8'), format).toContain('client/records-complete');
    const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
    ajv.addSchema([readSpec('client-report'), readSpec('client-comparison')]);
    const validate = ajv.compile(readSpec('exam-report'));
    validate(JSON.parse(readFileSync(join(folder, 'json'), 'utf8')));
    expect(validate.errors).toBeNull();
  });

  it('reports a run that failed, with the end of its output and without keys', async () => {
    const { code, out } = await examine(
      ['--only', 'pages'],
      program(`${readPage}console.log(process.env.API_KEY, 'is secret'); process.exit(9);`),
    );
    expect(code).toBe(1);
    expect(out).toContain("The client's last run ended with exit code 9.");
    expect(out).toMatch(/^ {4}output +\$KEY is secret$/m);
    expect(out).not.toContain('mock_full_');
  });

  it('waits for Retry-After in the place of a client that ends', async () => {
    const { code, out } = await examine(
      ['--only', 'throttled', '--require', 'throttled'],
      program(`${readPage}console.log(data.orders.length);`),
    );
    expect([code, out]).toEqual([0, expect.stringContaining('1 scenario: 1 passed. Exit code 0.')]);
  });

  it('stops a client that takes too long, with the programs that it started', async () => {
    const { code, out } = await examine(['--only', 'pages', '--timeout', '1'], ['sh', '-c', 'echo started; sleep 60; echo never']);
    expect(code).toBe(1);
    expect(out).toContain('ended with exit code 124');
    expect(out).toContain('The client was stopped after 1 s; --timeout allows more.');
  });

  it('ends with 130 when it is interrupted', async () => {
    const terminal = createTerminal(false);
    const running = run(['exam', 'business', '--', process.execPath, '-e', 'setInterval(() => undefined, 1000)'], '0.0.0', terminal);
    terminal.interrupt();
    expect([await running, terminal.printed().out]).toEqual([130, expect.stringContaining('0 scenarios')]);
  });

  it.each([
    [[], [], "exam needs the client's command after --"],
    [['--only', 'page'], ['true'], 'there is no such scenario; did you mean pages?'],
    [['--timeout', '0'], ['true'], '--timeout 0 is not a whole number from 1 to 3600'],
    [['--profile', 'none'], ['true'], 'none'],
    [[], ['no-such-program-at-all'], 'the command no-such-program-at-all cannot be started (ENOENT); write'],
  ])('refuses %j %j', async (options, command, message) => {
    const { code, error } = await examine(options, command);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });
});
