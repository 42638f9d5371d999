/** PactFlow's comparator: its findings for each mutation, contracts of several files, and the findings that are reported. */

import { describe, expect, it } from 'vitest';
import { createComparator } from '../../../../../contracts/pact/check/pactflow-comparator.ts';

import { loadContract } from '../../../../../core/openapi/contract.ts';
import { parsePact } from '../../../../../core/pact/parse-pact.ts';
import { type Draft, goodInteractions, openBoxes, pactText } from './boxes.ts';

/** The codes that the comparator has for some interactions. */
async function codesOf(interactions: Readonly<Record<string, Draft>>): Promise<Readonly<Record<string, readonly string[]>>> {
  const opinions = await createComparator(await openBoxes())(parsePact('a.json', pactText(interactions)));
  return Object.fromEntries(Object.keys(interactions).map((name, index) => [name, (opinions.get(index) ?? []).map(({ code }) => code)]));
}

describe('the comparator', () => {
  it('finds nothing in valid pacts', async () => {
    const codes = await codesOf(goodInteractions());
    expect(Object.fromEntries(Object.entries(codes).filter(([, each]) => each.length > 0))).toEqual({});
  });

  it('finds impossible examples, but no expectation that is only not guaranteed', async () => {
    const { page, one, invalid, added } = goodInteractions();
    const edited = (interaction: Draft, edit: (it: Draft) => void): Draft => {
      const copy = structuredClone(interaction);
      edit(copy);
      return copy;
    };
    const codes = await codesOf({
      'a value outside an enum': edited(page, (it) => (it.response.body.content.boxes[0].state = 'lost')),
      'a parameter out of range': edited(page, (it) => (it.request.query.limit = ['51'])),
      'a body that is refused': edited(added, (it) => (it.request.body.content = {})),
      'no key': edited(page, (it) => (it.request.headers = {})),
      'an optional member': edited(page, (it) => (it.response.body.content.boxes[0].note = 'x')),
      'an expression that leaves values out': edited(
        page,
        (it) => (it.response.matchingRules.body['$.boxes[*].state'].matchers[0].regex = '^open$'),
      ),
      'a list that may be empty': edited(page, (it) => (it.providerStates = [])),
      'both of two keys': edited(one, (it) => (it.request.query.code = ['B-7'])),
      'a refusal of a valid request': edited(invalid, (it) => (it.request.query.limit = ['1'])),
      'a member that an open object may have': edited(page, (it) => (it.response.body.content.boxes[0].extra = 1)),
    });
    expect(codes).toEqual({
      'a value outside an enum': ['response.body.incompatible'],
      'a parameter out of range': ['request.query.incompatible'],
      'a body that is refused': ['request.body.incompatible'],
      'no key': ['request.authorization.missing', 'request.authorization.missing'],
      'an optional member': [],
      'an expression that leaves values out': [],
      'a list that may be empty': [],
      'both of two keys': [],
      'a refusal of a valid request': [],
      'a member that an open object may have': ['response.body.incompatible'],
    });
  });
});

const files: Readonly<Record<string, string>> = {
  'api.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { $ref: 'parts/paths.yaml#/a' }
components:
  schemas:
    Own: { type: object, required: [id], properties: { id: { $ref: 'parts/types.yaml#/Id' } } }
`,
  'parts/paths.yaml': `a:
  get:
    operationId: getA
    responses: { '200': { description: Yes., content: { application/json: { schema: { $ref: '../api.yaml#/components/schemas/Own' } } } } }
  post:
    operationId: addA
    requestBody: { content: { application/json: { schema: { $ref: 'types.yaml#/Id' } } } }
    responses: { '200': { description: Yes. } }
`,
  'parts/types.yaml': `Id: { type: integer, examples: [{ $ref: nowhere }] }\n`,
};

describe('a contract of several files', () => {
  const open = loadContract('api.yaml', async (file) => files[file] ?? '');

  it('is read by the comparator', async () => {
    const interaction = (method: string, sent: object, got: object): Draft => ({
      request: { method, path: '/a', headers: { 'Content-Type': ['application/json'] }, ...sent },
      response: { status: 200, ...got },
    });
    const json = (content: unknown): object => ({ body: { content, contentType: 'application/json', encoded: false } });
    const pact = parsePact(
      'a.json',
      pactText({ read: interaction('GET', {}, json({ id: 'x' })), add: interaction('POST', json('x'), {}) }),
    );
    const opinions = await createComparator(await open)(pact);
    expect([...opinions].map(([index, told]) => [index, told.map(({ code, keys }) => `${code} ${keys.join('/')}`)])).toEqual([
      [0, ['response.body.incompatible response/body/id']],
      [1, ['request.body.incompatible request/body']],
    ]);
  });
});
