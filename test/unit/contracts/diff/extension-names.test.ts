/** Where OpenAPI has no extensions, a name that begins with `x-` is a name like any other, for diff and for the mock. */

import { describe, expect, it } from 'vitest';
import { compareContracts } from '../../../../contracts/diff/compare-contracts.ts';
import { createMock } from '../../../../mocks/handler/mock.ts';
import { contractText, readerOf } from '../../../helpers/contracts/contract-text.ts';
import { serveText } from '../../../helpers/served.ts';

/** A file with this name in place of every name of an author. */
function textOf(name: string, type: string, required: boolean): string {
  const schema = `{ type: object, required: [${name}], properties: { ${name}: { type: ${type} } } }`;
  return contractText(`paths:
  /ferries:
    x-note: ${type}
    get:
      operationId: listFerries
      parameters: [{ name: ${name}, in: query, required: ${required}, schema: { type: ${type} } }]
      responses:
        x-note: ${type}
        '200':
          description: Ferries.
          headers: { ${name}: { required: true, schema: { type: ${type} }, example: 7 } }
          content: { application/json: { schema: ${schema}, examples: { ${name}: { value: { ${name}: 7 } } } } }
`);
}

describe.each([
  ['x-berth', 'berth'],
  ['x-collection', 'wharf'],
])('%s', (name, plain) => {
  it('changes as other names do', async () => {
    const idsFor = async (each: string): Promise<readonly string[]> => {
      const read = readerOf({ 'old.yaml': textOf(each, 'integer', false), 'new.yaml': textOf(each, 'number', true) });
      return (await compareContracts('old.yaml', 'new.yaml', { read })).changes.map(({ id }) => id).toSorted();
    };
    const ids = await idsFor(name);
    expect(ids).toEqual(await idsFor(plain));
    expect(ids.length).toBeGreaterThan(2);
  });

  it('is sent by the mock, as a header, a member and an example', async () => {
    const mock = createMock([{ api: await serveText(textOf(name, 'integer', false)) }], () => undefined);
    const { headers, body } = await mock.respond(
      mock.receive({ method: 'GET', target: '/ferries', headers: { prefer: `example=${name}` } }),
    );
    expect([headers[name], JSON.parse(body.toString()), headers['preference-applied']]).toEqual(['7', { [name]: 7 }, `example="${name}"`]);
  });
});
