/** `touchstone bundle`: one plain OpenAPI document for other tools. */

import { expect, it } from 'vitest';
import { run } from '../../../cli/run-command.ts';
import type { Json } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import { createTerminal } from '../../helpers/reports/fake-terminal.ts';

async function print(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  return { code: await run(['bundle', ...args], '0.0.0', terminal), ...terminal.printed() };
}

it('prints a contract of the package without extensions', async () => {
  const { code, out, error } = await print('business');
  expect([code, error]).toEqual([0, '']);
  expect(out).not.toContain('"x-');
  expect(valueAt(JSON.parse(out) as Json, '/info/title')).toBe('Business Integration API');
});

it('uses the profile, the URL and the extensions that are asked for', async () => {
  const { out } = await print('business', '--profile', 'other', '--server', 'https://api.example.com', '--extensions');
  const document = JSON.parse(out) as Json;
  expect(valueAt(document, '/servers')).toEqual([{ url: 'https://api.example.com' }]);
  expect(valueAt(document, '/x-api/tenancy')).toBe('key');
  expect(valueAt(document, '/components/schemas/Customer/properties/phone')).not.toEqual(
    valueAt(JSON.parse((await print('business')).out) as Json, '/components/schemas/Customer/properties/phone'),
  );
});

it.each([
  [[], 'touchstone bundle needs one contract'],
  [['business', 'wiki'], 'touchstone bundle needs one contract'],
  [['busines'], 'did you mean business?'],
  [['business', '--server', 'example'], '--server example is not a URL'],
])('refuses %j', async (args, message) => {
  const { code, out, error } = await print(...args);
  expect([code, out, error]).toEqual([2, '', expect.stringContaining(message)]);
});
