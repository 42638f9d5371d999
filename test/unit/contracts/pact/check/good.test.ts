/** Valid pacts: the contract guarantees every expectation, and nothing is found. */

import { describe, expect, it } from 'vitest';
import { checkPacts } from '../../../../../contracts/pact/check/check-pacts.ts';
import { loadContract } from '../../../../../core/openapi/contract.ts';
import { parsePact } from '../../../../../core/pact/parse-pact.ts';
import type { PactCheck } from '../../../../../core/results/pact-check-result.ts';
import { boxesText, checkText, findingsIn, goodInteractions, pactText } from './boxes.ts';

let checked: Promise<PactCheck> | undefined;

/** All interactions in one pact, so that the contract is opened once. They do not affect each other. */
function checkGood(): Promise<PactCheck> {
  checked ??= checkText(pactText(goodInteractions()));
  return checked;
}

describe('a valid pact', () => {
  it.each(Object.keys(goodInteractions()))('holds: %s', async (name) => {
    const interaction = (await checkGood()).pacts[0]?.interactions.find(({ description }) => description === name);
    expect(interaction?.findings.map(({ id, pointer, message }) => `${id} ${pointer} ${message}`)).toEqual([]);
    expect(interaction?.remarks).toEqual([]);
  });

  it('lists the unknown states', async () => {
    const { states } = await checkGood();
    expect(states.map(({ name, guess }) => ({ name, guess }))).toEqual([{ name: 'the moon is full', guess: undefined }]);
  });

  it('covers every operation of the contract, and every interaction is checked', async () => {
    const { pacts, count, expectations } = await checkGood();
    const operations = new Set(pacts[0]?.interactions.map(({ operation }) => operation));
    expect([...operations].toSorted()).toEqual([...boxesText.matchAll(/operationId: (\w+)/g)].map(([, id]) => id).toSorted());
    expect(expectations).toEqual({ total: 93, guaranteed: 93, notCompared: 0 });
    expect(count).toEqual({
      interactions: Object.keys(goodInteractions()).length,
      wrong: 0,
      impossible: 0,
      notGuaranteed: 0,
      pending: 0,
      waived: 0,
    });
  });

  it('has findings without its states', async () => {
    const stateless = Object.entries(goodInteractions()).map(([name, each]) => [name, { ...each, providerStates: [] }]);
    const { pacts } = await checkText(pactText(Object.fromEntries(stateless)));
    const wrong = pacts[0]?.interactions.filter(({ findings }) => findings.length > 0).map(({ description }) => description);
    expect(wrong).toEqual([...['page', 'first', 'next', 'filtered', 'one', 'absent', 'unknown', 'forbidden', 'throttled', 'unready']]);
  });

  it('may rely on an unknown state for a list that is not empty, and for nothing else', async () => {
    const { page, filtered } = goodInteractions();
    const states = [{ name: 'three boxes stand in the yard' }];
    const { pacts } = await checkText(
      pactText({ page: { ...page, providerStates: states }, filtered: { ...filtered, providerStates: states } }),
    );
    expect(pacts[0]?.interactions.map(({ findings }) => findings.map(({ message }) => message))).toEqual([[], []]);
  });

  it('is reported if it is pending, but does not count', async () => {
    const { invalid } = goodInteractions();
    const { count, pacts } = await checkText(
      pactText({ invalid: { ...invalid, pending: true, request: { ...invalid.request, query: {} } } }),
    );
    expect(count).toEqual({ interactions: 1, wrong: 0, impossible: 0, notGuaranteed: 0, pending: 1, waived: 0 });
    expect(pacts[0]?.interactions[0]?.findings).toHaveLength(1);
  });

  it.each(['application/json', '*/*', 'application/*', 'text/html, application/json;q=0.9', 'application/problem+json'])(
    'may accept %s',
    async (accept) => {
      const { page } = goodInteractions();
      page.request.headers.Accept = [accept];
      expect(findingsIn(await checkText(pactText({ page })))).toEqual([]);
    },
  );

  it('may send a request body that the contract refuses, if it expects a refusal', async () => {
    const refused = boxesText.replace("'201': { description: Added. }", "'201': { description: Added. }, '422': { description: No. }");
    const contract = await loadContract('boxes.openapi.yaml', async () => refused);
    const { added } = goodInteractions();
    const check = async (content: object): Promise<readonly string[]> => {
      const pact = parsePact(
        'a.json',
        pactText({
          added: { ...added, request: { ...added.request, body: { ...added.request.body, content } }, response: { status: 422 } },
        }),
      );
      return findingsIn(await checkPacts({ pairs: [{ pact, contract }] })).map(({ id }) => id);
    };
    expect([await check({}), await check({ label: 'Glass' })]).toEqual([[], ['response/reason']]);
  });

  it('sends forms, whose texts stand for other values', async () => {
    const schema =
      '{ type: object, required: [label], properties: { label: { type: string }, weight: { type: number }, tags: { type: array, items: { type: integer } } } }';
    const text = boxesText.replace(
      'application/json: { schema: { type: object, required: [label], properties: { label: { type: string } } }',
      `application/x-www-form-urlencoded: { schema: ${schema}`,
    );
    const contract = await loadContract('boxes.openapi.yaml', async () => text);
    const check = async (form: string): Promise<readonly string[]> => {
      const request = {
        method: 'POST',
        path: '/boxes',
        headers: { 'Content-Type': ['application/x-www-form-urlencoded'] },
        body: { content: form, contentType: 'application/x-www-form-urlencoded', encoded: false },
      };
      const pact = parsePact('a.json', pactText({ added: { request, response: { status: 201 } } }));
      return findingsIn(await checkPacts({ pairs: [{ pact, contract }] })).map(({ message }) => message.replace(/,.*/, ''));
    };
    expect(await check('label=5&weight=1.5&tags=1&tags=2')).toEqual([]);
    // Without `explode: false`, a comma is part of a value.
    expect(await check('label=a%20b&tags=1,2')).toEqual(['the body at /tags/0 must be integer']);
    expect(await check('weight=heavy')).toEqual(["the body must have required property 'label'", 'the body at /weight must be number']);
  });

  it.each([
    ['image/png', 'image/png is binary'],
    ['application/xml', 'application/xml is XML, and schemas describe its elements only indirectly'],
  ])('sends and expects %s, which is said not to be compared', async (contentType, reason) => {
    const content = `content: { ${contentType}: { schema: { type: string } } }`;
    const contract = await loadContract(
      'boxes.openapi.yaml',
      async () =>
        `openapi: 3.1.0
info: { title: Boxes, version: '1' }
paths:
  /boxes:
    post:
      requestBody: { ${content} }
      responses: { '201': { description: Made., ${content} } }
`,
    );
    const body = { content: 'a', contentType, encoded: false };
    const headers = { 'Content-Type': [contentType] };
    const interaction = { request: { method: 'POST', path: '/boxes', headers, body }, response: { status: 201, headers, body } };
    const checked = await checkPacts({ pairs: [{ pact: parsePact('a.json', pactText({ added: interaction })), contract }] });
    expect(findingsIn(checked)).toEqual([]);
    const remarks = checked.pacts.flatMap(({ interactions }) => interactions.flatMap((each) => each.remarks.map(({ message }) => message)));
    expect(remarks).toEqual([`the body of the request is not compared: ${reason}`, `the body is not compared: ${reason}`]);
  });
});
