/** The catalogue of the mock's mutants: ids, titles and rules. */

import { describe, expect, it } from 'vitest';
import { rules } from '../../../../contracts/verify/rules/rule-catalogue.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { identify } from '../../../../mocks/handler/identify-caller.ts';
import { createMock } from '../../../../mocks/handler/mock.ts';
import { withKeyOf } from '../../../../mocks/mutants/change-exchange.ts';
import { mutantsOf } from '../../../../mocks/mutants/find-mutants.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';
import { serveText } from '../../../helpers/served.ts';

const contracts = await Promise.all(['business', 'wiki'].map((name) => openContract(contractFile(name))));
const all = contracts.flatMap(mutantsOf);
const ruleIds: readonly string[] = rules.map(({ id }) => id);

describe('the catalogue', () => {
  it('has unique mutants', () => {
    const ids = all.map((mutant) => mutant.id);
    expect(ids).not.toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  });

  it('writes ids as KIND:PLACE', () => {
    expect(all.filter(({ id }) => !/^[a-z]+(-[a-z0-9]+)*:[A-Za-z0-9._+-]+$/.test(id)).map(({ id }) => id)).toEqual([]);
  });

  it('has a clause as each title', () => {
    expect(all.filter(({ title }) => !/^[A-Za-z/][^{}]{10,140}[^.{}]$/.test(title)).map(({ title }) => title)).toEqual([]);
  });

  it('has known rules', () => {
    expect(all.filter(({ rule }) => !ruleIds.includes(rule)).map(({ id, rule }) => `${id} ${rule}`)).toEqual([]);
  });
});

describe('an API whose operations take keys in different places', async () => {
  const api = await serveText(`
openapi: 3.1.0
info: { title: Places, version: '1' }
paths:
  /one: { get: { operationId: one, security: [{ header: [] }, { query: [] }], responses: { '200': { description: Yes. } } } }
  /two: { get: { operationId: two, security: [{ query: [] }, { header: [] }], responses: { '200': { description: Yes. } } } }
  /three: { get: { operationId: three, security: [{ session: [], header: [] }], responses: { '200': { description: Yes. } } } }
components:
  securitySchemes:
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    session: { type: apiKey, in: cookie, name: session }
`);

  it.each([
    ['/one', { 'x-key': 'foreign' }],
    ['/two?key=foreign', {}],
    ['/three', { 'x-key': 'foreign', cookie: 'theme=dark; session=foreign' }],
    ['/three', { 'x-key': 'foreign', cookie: 'session=foreign' }],
  ])('has a request to %s with the key of another role', (target, headers) => {
    const request = withKeyOf(api, { method: 'GET', target, headers }, 'full');
    const operation = api.contract.operations.find(({ path }) => target.startsWith(path));
    if (operation === undefined) throw new Error('no operation has this path');
    expect(identify(operation, createMock([{ api }], () => undefined).receive(request))).toEqual({
      kind: 'caller',
      holder: expect.anything(),
      lacking: [],
    });
    expect(JSON.stringify(request)).not.toContain('foreign');
    expect(JSON.stringify(request).includes('theme=dark')).toBe(JSON.stringify(headers).includes('theme=dark'));
  });

  it('has mutants that ignore the same place in each operation that names another', () => {
    const carriers = mutantsOf(api.contract).filter(({ kind }) => kind === 'carrier-ignored');
    const edits = carriers.map(({ id, edits = [] }) => [
      id.split('.').at(-1),
      edits.map((edit) => [edit.at, 'value' in edit && edit.value]),
    ]);
    const [one, two] = ['/paths/~1one/get/security', '/paths/~1two/get/security'];
    expect(edits).toEqual([
      [
        'header',
        [
          [one, [{ query: [] }]],
          [two, [{ query: [] }]],
        ],
      ],
      [
        'query',
        [
          [one, [{ header: [] }]],
          [two, [{ header: [] }]],
        ],
      ],
    ]);
  });
});
