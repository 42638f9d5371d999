/** Pact's matchers as they are read for `pact check`: each with accepted and refused values. */

import { describe, expect, it } from 'vitest';
import { combinedSchema, isMetBy, readBodyExpectations } from '../../../../../contracts/pact/check/body-expectations.ts';
import { acceptanceOf, isAcceptedBy } from '../../../../../contracts/pact/check/pact-matchers.ts';
import type { Json } from '../../../../../core/json.ts';
import { createDocument } from '../../../../../core/openapi/raw-document.ts';
import { acceptsStatus } from '../../../../../core/pact/accepted-status.ts';
import type { MatchingRules } from '../../../../../core/pact/pact.ts';
import { parsePact } from '../../../../../core/pact/parse-pact.ts';
import { createInclusions } from '../../../../../generators/schema-inclusion.ts';
import { matcherCases } from '../../../../helpers/contracts/matcher-cases.ts';

const { allows } = createInclusions(createDocument('none.yaml', new Map([['none.yaml', {}]])));

/** Reads the matching rules of an expected body from a pact. */
function matchingOf(matchingRules: Json): MatchingRules {
  const interactions = [{ description: 'a request', request: {}, response: { matchingRules } }];
  const {
    interactions: [first],
  } = parsePact('pact.json', JSON.stringify({ consumer: { name: 'c' }, provider: { name: 'p' }, interactions }));
  if (first === undefined) throw new Error('the pact has one interaction');
  return first.response.matching;
}

describe('a matching rule', () => {
  it.each(Object.entries(matcherCases))('%s', (_, { rules, example, accepted, refused }) => {
    const expectations = readBodyExpectations({ v: example }, matchingOf({ body: rules }).body);
    const judge = (value: Json): boolean => expectations.every((each) => isMetBy(each, { v: value }, allows));
    expect(accepted.filter((value) => !judge(value))).toEqual([]);
    expect(refused.filter(judge)).toEqual([]);
    // What the schema accepts is certain, but for numbers beyond 64 bits.
    const isLong = (value: Json): boolean => /\d{19}/.test(String(value));
    expect(refused.filter((value) => !isLong(value) && allows(combinedSchema(expectations), { v: value }))).toEqual([]);
  });

  it.each([
    ['an unknown matcher', { match: 'sorcery' }, 'the matcher sorcery is unknown'],
    ['a flag of a part', { match: 'regex', regex: '(?i:a)b' }, 'the expression (?i:a)b is not compared: JavaScript has no counterpart'],
    [
      'a negation of any case',
      { match: 'regex', regex: '(?i)[^a]' },
      'the expression (?i)[^a] is not compared: JavaScript has no counterpart',
    ],
    ['a broken expression', { match: 'regex', regex: '[' }, 'the expression [ is not compared: JavaScript has no counterpart'],
    ['a name of a time zone', { match: 'datetime', format: 'HH:mm z' }, 'the format HH:mm z is not compared'],
  ])('is not compared: %s', (_, matcher, reason) => {
    const { body } = matchingOf({ body: { '$.a': { matchers: [matcher] } } });
    const [, , value] = readBodyExpectations({ a: 'x' }, body);
    expect(value).toMatchObject({ keys: ['a'], schema: true, notCompared: reason });
  });
});

describe('a matcher of a header', () => {
  it.each([
    ['integer', ['12', '+1', '18446744073709551615'], ['-1', '1.5', 'x', '18446744073709551616']],
    ['number', ['12', '-1', '1e3', '.5', 'inf'], ['x', '']],
    ['decimal', ['12', '1.5'], ['x']],
    ['boolean', ['true'], ['maybe']],
    ['semver', ['1.2.3'], ['1.2']],
    ['null', [], ['a']],
  ])('reads the text: %s', (match, accepted, refused) => {
    const acceptance = acceptanceOf({ combine: 'AND', matchers: [{ match, value: {} }] }, '1', 'text');
    expect(accepted.filter((text) => !isAcceptedBy(acceptance, text, allows))).toEqual([]);
    expect(refused.filter((text) => isAcceptedBy(acceptance, text, allows))).toEqual([]);
  });
});

describe('a matcher of a status', () => {
  it.each([
    ['success', [200, 204], [301, 404]],
    ['clientError', [404], [500, 200]],
    ['nonError', [302], [400]],
    ['error', [500], [200]],
    [[200, 202], [202], [201]],
  ])('%s', (status, accepted, refused) => {
    const { status: rule } = matchingOf({ status: { matchers: [{ match: 'statusCode', status }] } });
    if (rule === undefined) throw new Error('the rule is read');
    expect(accepted.filter((each) => !acceptsStatus(rule, each))).toEqual([]);
    expect(refused.filter((each) => acceptsStatus(rule, each))).toEqual([]);
  });
});
