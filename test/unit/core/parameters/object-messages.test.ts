/** The message about a refused object parameter names the member that is wrong. */

import { expect, it } from 'vitest';
import { operationOf, readTarget } from '../../../helpers/contracts/contract-text.ts';

const operation = await operationOf(`parameters:
  - name: filter
    in: query
    style: deepObject
    schema: { type: object, required: [size], properties: { size: { type: integer, maximum: 9 }, kind: { enum: [a, b] } }, additionalProperties: false }
  - { name: point, in: query, explode: false, schema: { type: object, properties: { x: { type: integer }, y: { type: integer } } } }
  - { name: area, in: query, schema: { type: object, properties: { w: { type: integer }, h: { type: integer } } } }`);

it.each([
  ['filter[size]=x', 'size must be an integer'],
  ['filter[kind]=a', "must have required property 'size'"],
  ['filter[size]=1&filter[kind]=c', 'kind must be one of'],
  ['filter[size]=1&filter[tall]=1', 'must not have tall'],
  ['filter=5', 'filter is an object; send its members as filter[size]=…'],
  ['point=x', 'point=x is not accepted: it is an object; send its members as names and values in turn, such as x,…,y,…'],
  ['area=5', 'area is an object; send its members as w=… and h=…'],
])('%s', (query, expected) => {
  const { problems } = readTarget(operation, `/x?${query}`);
  expect(problems.map(({ message }) => message).join()).toContain(expected);
});
