/** Bodies that are texts: a failure quotes what came. */

import { expect, it } from 'vitest';
import { explainMismatches } from '../../../../../contracts/pact/verify/explain-mismatch.ts';
import type { Reply } from '../../../../../contracts/verify/evidence/call.ts';
import type { Json, JsonObject } from '../../../../../core/json.ts';
import { parsePact } from '../../../../../core/pact/parse-pact.ts';
import { notesContract } from '../../../../helpers/contracts/notes-server.ts';
import { listIn, replyTo } from '../../../../helpers/engine.ts';

const list = listIn(await notesContract(), 'listNotes');

function explain(expected: JsonObject, text: string): unknown {
  const interactions: Json = [{ description: 'a text', request: { path: '/' }, response: expected }];
  const pact = parsePact('pact.json', JSON.stringify({ consumer: { name: 'c' }, provider: { name: 'p' }, interactions }));
  const [interaction] = pact.interactions;
  if (interaction === undefined) throw new Error('the pact has one interaction');
  const reply: Reply = { ...replyTo({ operation: list, raw: [] }, { body: {} }), body: undefined };
  return explainMismatches({ interaction, reply, masked: undefined, text, code: undefined }, [
    { type: 'BodyMismatch', path: '/', mismatch: '' },
  ]);
}

const plain = { headers: { 'Content-Type': 'text/plain' } };
const json = { headers: { 'Content-Type': 'application/json' } };

it.each([
  ['another text', { ...plain, body: 'up' }, 'down', '"up"', '"down"', 'the text of the body does not match'],
  [
    'a text that breaks a rule',
    { ...plain, body: 'up', matchingRules: { body: { $: { matchers: [{ match: 'regex', regex: 'up|on' }] } } } },
    'down',
    'a string that matches up|on such as "up"',
    '"down"',
    'the text of the body does not match',
  ],
  ['no text', { ...plain, body: 'up' }, '', '"up"', 'nothing', 'the text of the body does not match'],
  ['a page instead of JSON', { ...json, body: { a: 1 } }, '<p>', 'an object such as {"a":1}', '"<p>"', 'the body is not JSON'],
])('is explained: %s', (_, response, text, expected, actual, diagnosis) => {
  expect(explain(response, text)).toEqual([{ kind: 'body', path: '$', expected, actual, diagnosis }]);
});
