/** Every command that reads a contract warns about what it sets aside, and refuses it with --strict. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openContract, warnAboutSchemas } from '../../../cli/open-contract.ts';
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
    expect([code, error]).toEqual([0, expect.stringMatching(/^Warning: 1 place in .*api\.yaml:9:/s)]);
  });
});

describe('a schema that only its first use shows to be broken', () => {
  const circular = join(folder, 'circular.yaml');
  writeFileSync(
    circular,
    `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses: { '204': { description: Stored. } }
components:
  schemas:
    Note: { if: { $ref: '#/components/schemas/Note' }, then: { minProperties: 1 } }
`,
  );
  const warning = /^Warning: 1 place in .*circular\.yaml:10:\d+: this schema cannot be compiled/s;

  it('is a warning of pact check', async () => {
    const pact = {
      consumer: { name: 'Shop' },
      provider: { name: 'Notes' },
      interactions: [
        {
          description: 'a note',
          request: { method: 'POST', path: '/notes', headers: { 'Content-Type': 'application/json' }, body: {} },
          response: { status: 204 },
        },
      ],
      metadata: { pactSpecification: { version: '3.0.0' } },
    };
    const pactFile = join(folder, 'pact.json');
    writeFileSync(pactFile, JSON.stringify(pact));
    expect((await print('pact', 'check', pactFile, '--api', circular)).error).toMatch(warning);
  });

  it('is a warning once, when a validator meets it', async () => {
    const contract = await openContract(circular);
    const terminal = createTerminal();
    warnAboutSchemas([contract], terminal);
    expect(terminal.printed().error).toBe('');
    const schema = contract.operations[0]?.requestBody?.content.get('application/json')?.schema ?? true;
    for (const compile of [contract.validators.compile, contract.validators.compileFirst]) compile(schema)({});
    expect(terminal.printed().error).toMatch(warning);
    expect(terminal.printed().error.match(/Warning/g)).toHaveLength(1);
  });
});
