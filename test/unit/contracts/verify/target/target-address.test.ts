/** Addresses of targets as people copy them. */

import { expect, test } from 'vitest';
import { withoutCommonPath } from '../../../../../contracts/verify/target/target-address.ts';
import { contractOf } from '../../../../helpers/engine.ts';

const { operations } = await contractOf('business');

test.each([
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
  ['http://127.0.0.1:4010/api/integrations/v1', 'http://127.0.0.1:4010'],
  ['https://api.example/api/integrations/v1/', 'https://api.example'],
  ['https://gateway.example/shop', 'https://gateway.example/shop'],
  ['https://gateway.example/api', 'https://gateway.example/api'],
  ['not an address', 'not an address'],
])('%s stands before each path as %s', (text, address) => {
  expect(withoutCommonPath(text, operations)).toBe(address);
});
