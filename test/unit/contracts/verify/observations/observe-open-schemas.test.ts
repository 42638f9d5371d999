/** Evidence about open questions of schemas: values of responses, of which the longest and the personal ones are not shown. */

import { expect, it } from 'vitest';
import { observeSchemas } from '../../../../../contracts/verify/observations/observe-open-schemas.ts';
import { contractOf, operationIn, replyTo } from '../../../../helpers/engine.ts';

it.each([
  ['delivery', 'fulfillment_type was delivery'],
  ['d'.repeat(40), `fulfillment_type was ${'d'.repeat(40)}`],
  // A cut text could be half of a secret, which no redaction recognises.
  ['d'.repeat(41), 'fulfillment_type was a string of 41 characters'],
])('names the value %s', async (value, expected) => {
  const contract = await contractOf('business');
  const order = { id: 1, fulfillment_type: value };
  const reply = replyTo({ operation: operationIn(contract, 'listOrders') }, { body: { ok: true, data: { orders: [order], page: {} } } });
  const evidence = observeSchemas(contract, [reply]).filter(({ question }) => question.id === 'fulfillment-values');
  expect(evidence.map(({ what }) => what)).toEqual([expected]);
});
