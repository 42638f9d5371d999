/** Examples that break their schema are told with the place of the wrong value, and refuse no file. */

import { expect, it } from 'vitest';
import { formatLocation } from '../../../../core/errors.ts';
import { loadContract } from '../../../../core/openapi/contract.ts';
import { contractFile, listShipped } from '../../../../core/shipped-files.ts';
import { contractText, loadText, positionOf } from '../../../helpers/contracts/contract-text.ts';

const text = contractText(`paths:
  /boats:
    get:
      parameters:
        - { name: length, in: query, schema: { type: integer, maximum: 9 }, example: 10 }
      responses:
        '200':
          description: Boats.
          headers: { x-berths: { schema: { type: integer }, example: many } }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Boat' }
              examples:
                right: { value: { id: 1, name: Ada } }
                wrong: { value: { id: one, name: Ada } }
            application/xml: { schema: { $ref: '#/components/schemas/Boat' }, example: <boat/> }
    post:
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Boat' }, examples: { one: { $ref: '#/components/examples/One' }, two: { value: { name: 5 } } } } }
      responses: { '204': { description: Done. } }
components:
  examples: { One: { value: { name: Ada } } }
  schemas:
    Boat:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string }
        mast: { type: number, example: tall }
`);

it('examples of parameters, headers, bodies and schemas are judged in their direction', async () => {
  const { remarks } = await loadText(text);
  expect(remarks.map(({ place }) => formatLocation(place)).toSorted()).toEqual(
    ['example: 10', 'example: many', 'id: one', 'name: 5', 'example: tall'].map((each) => `api.yaml:${positionOf(text, each)}`).toSorted(),
  );
  expect(remarks.map(({ message }) => message).join()).toContain('the example breaks its schema: /id must be integer');
});

it.each(listShipped())('%s loads strictly and has no such example', async (name) => {
  const { remarks, setAside } = await loadContract(contractFile(name), undefined, { strict: true });
  expect({ remarks, setAside }).toEqual({ remarks: [], setAside: [] });
});
