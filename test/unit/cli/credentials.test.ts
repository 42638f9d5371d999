import { expect, it } from 'vitest';
import { withoutKeys } from '../../../cli/credentials.ts';
import { createRedactor } from '../../../core/redaction/redact-secrets.ts';

const key = 'sk_live_0123456789abcdef';
const { clean } = createRedactor([{ name: 'FULL_KEY', value: key }]);

it('an error, its stack and its causes are cleaned, and it stays the error that it is', async () => {
  const cause = new Error(`connecting with ${key}`);
  const error = new TypeError(`cannot read ${key.toUpperCase()}`, { cause });
  await expect(withoutKeys(clean, () => Promise.reject(error))).rejects.toBe(error);
  expect([error.message, cause.message]).toEqual(['cannot read $FULL_KEY', 'connecting with $FULL_KEY']);
  expect(`${error.stack}${cause.stack}`.toLowerCase()).not.toContain(key);
});

it('what ends well is given back', async () => {
  expect(await withoutKeys(clean, () => Promise.resolve(key))).toBe(key);
});
