/** The message about a refused object parameter names the member that is wrong. */

import { expect, it } from 'vitest';
import { operationOf, readTarget } from '../../../helpers/contracts/contract-text.ts';

const operation = await operationOf(`parameters:
  - name: filter
    in: query
    style: deepObject
    schema: { type: object, required: [size], properties: { size: { type: integer, maximum: 9 }, kind: { enum: [a, b] } }, additionalProperties: false }`);

it.each([
  ['filter[size]=x', 'size must be integer'],
  ['filter[kind]=a', "must have required property 'size'"],
  ['filter[size]=1&filter[kind]=c', 'kind must be one of'],
  ['filter[size]=1&filter[tall]=1', 'must not have tall'],
])('%s', (query, expected) => {
  const { problems } = readTarget(operation, `/x?${query}`);
  expect(problems.map(({ message }) => message).join()).toContain(expected);
});
