/** Every command that reads a contract warns about what it sets aside, and refuses it with --strict. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-strict-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'api.yaml');
writeFileSync(
  file,
  `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      responses:
        '200':
          description: OK.
          content: { application/json: { schema: { type: object, required: true } } }
`,
);

async function print(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  return { code: await run(args, '0.0.0', terminal), ...terminal.printed() };
}

const commands = [
  ['rules', file],
  ['explain', 'response/*', file],
  ['proxy', file, '--target', 'http://127.0.0.1:1'],
  ['exam', file, '--', 'true'],
  ['verify', file, '--target', 'http://127.0.0.1:1'],
  ['mock', file, '--port', '0'],
  ['bundle', file],
] as readonly (readonly [string, ...string[]])[];

describe('a contract with a place that cannot be read', () => {
  it.each(commands)('is refused by %s with --strict, at its line', async (command, ...args) => {
    const { code, error } = await print(command, '--strict', ...args);
    expect([code, error]).toEqual([2, expect.stringContaining('api.yaml:9:')]);
  });

  it.each(['rules', 'explain', 'bundle'])('is a warning of %s', async (name) => {
    const { code, error } = await print(...(commands.find(([command]) => command === name) ?? []));
    expect([code, error]).toEqual([0, expect.stringMatching(/^Warning: 1 place of .*api\.yaml:9:/s)]);
  });
});
