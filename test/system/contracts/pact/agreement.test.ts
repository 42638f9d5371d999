/** Pact itself judges the values that `pact check` takes as accepted and refused. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PactProcess, startPactVerifier } from '../../../../contracts/pact/verify/pact-verifier-process.ts';
import type { HttpResponse } from '../../../../core/http/exchange.ts';
import { type Json, type JsonObject, printJson } from '../../../../core/json.ts';
import { matcherCases } from '../../../helpers/contracts/matcher-cases.ts';

const headers = { 'content-type': 'application/json' };
const judged = Object.entries(matcherCases).flatMap(([title, { rules, example, accepted, refused }]) =>
  [...accepted.map((value) => ({ value, verdict: 'OK' })), ...refused.map((value) => ({ value, verdict: 'Error' }))].map((each) => ({
    ...each,
    name: `${title}: ${printJson(each.value)}`,
    response: {
      status: 200,
      body: { content: { v: example }, contentType: 'application/json', encoded: false },
      matchingRules: { body: rules },
    },
  })),
);

let pact: PactProcess;
beforeAll(() => {
  pact = startPactVerifier(process.env);
});
afterAll(() => pact.close());

it('agrees on every value', async () => {
  const interactions = judged.map(
    ({ response }, number): Json => ({
      type: 'Synchronous/HTTP',
      pending: false,
      description: String(number),
      request: { method: 'GET', path: `/${number}` },
      response,
    }),
  );
  const answers = judged.map(({ value }, number): [number, HttpResponse] => [
    number,
    { status: 200, headers, body: printJson({ v: value }) },
  ]);
  const document: JsonObject = {
    consumer: { name: 'c' },
    provider: { name: 'p' },
    interactions,
    metadata: { pactSpecification: { version: '4.0' } },
  };
  const { interactionResults } = await pact.compare(document, new Map(answers));
  const results = new Map((interactionResults as readonly JsonObject[]).map(({ description, result }) => [description, result]));
  const wrong = judged.flatMap(({ name, verdict }, number) =>
    results.get(String(number)) === verdict ? [] : [`${name} is ${results.get(String(number))}`],
  );
  expect(wrong).toEqual([]);
}, 240_000);
