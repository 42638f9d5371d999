/** Each valid interaction with one mistake gives one finding, with its grade, both lines and advice. */

import { describe, expect, it } from 'vitest';
import type { PactCheck, PactFinding, PactGrade } from '../../../../../core/results/pact-check-result.ts';
import { boxesText, checkText, type Draft, goodInteractions, pactText } from './boxes.ts';

/** A mutation. */
interface Mutation {
  readonly of: string;
  readonly edit: (interaction: Draft) => void;
  readonly id: string;
  readonly grade: PactGrade;
  /** The end of the pointer, below the interaction. */
  readonly at: string;
  readonly says: RegExp;
  /** A piece of the line of the pact. */
  readonly line: string;
  /** A piece of the line of the contract. */
  readonly clause?: string;
  /** A piece of the witness, as JSON. */
  readonly witness?: string;
  readonly question?: string;
}

const body = '/response/body/content';
const rules = (interaction: Draft): Draft => interaction.response.matchingRules.body;
const content = (interaction: Draft): Draft => interaction.response.body.content;

const table: Readonly<Record<string, Mutation>> = {
  'a path that is not there': {
    of: 'page',
    edit: (it) => {
      it.request.path = '/boxs';
    },
    id: 'request/operation',
    grade: 'impossible',
    at: '/request/path',
    says: /no operation at \/boxs; did you mean \/boxes\?/,
    line: '"/boxs"',
  },
  'a method that is not there': {
    of: 'page',
    edit: (it) => {
      it.request.method = 'DELETE';
    },
    id: 'request/operation',
    grade: 'impossible',
    at: '/request/method',
    says: /no DELETE at \/boxes, only GET, POST/,
    line: '"DELETE"',
  },
  'a parameter out of range': {
    of: 'page',
    edit: (it) => {
      it.request.query.limit = ['51'];
    },
    id: 'request/parameter',
    grade: 'impossible',
    at: '/request/query/limit',
    says: /limit=51 .* rejects it, but the pact expects 200/,
    line: '"limit"',
    clause: 'name: limit',
  },
  'an unknown value of a list': {
    of: 'page',
    edit: (it) => {
      it.request.query = { state: ['open,gone'] };
      it.providerStates = [{ name: 'a box with state open exists' }];
      rules(it)['$.boxes[*].state'] = { combine: 'AND', matchers: [{ match: 'type' }] };
    },
    id: 'request/parameter',
    grade: 'impossible',
    at: '/request/query/state',
    says: /state=open,gone is not accepted/,
    line: '"state"',
    clause: 'name: state',
  },
  'both of two parameters that exclude each other': {
    of: 'one',
    edit: (it) => {
      it.request.query.code = ['B-7'];
    },
    id: 'request/parameter',
    grade: 'impossible',
    at: '/request/query/id',
    says: /exactly one of id and code is needed, but id and code were sent/,
    line: '"id"',
  },
  'neither of them': {
    of: 'one',
    edit: (it) => {
      it.request.query = {};
      it.request.generators = {};
      rules(it)['$.box.id'] = { combine: 'AND', matchers: [{ match: 'integer' }] };
    },
    id: 'request/parameter',
    grade: 'impossible',
    at: '/request',
    says: /exactly one of id and code is needed/,
    line: '"request"',
  },
  'a parameter that nobody declares': {
    of: 'page',
    edit: (it) => {
      it.request.query.limits = ['5'];
    },
    id: 'request/parameter',
    grade: 'not-guaranteed',
    at: '/request/query/limits',
    says: /limits is not a parameter.*did you mean limit\?/,
    line: '"limits"',
    question: 'unknown-parameters',
  },
  'a sloppy value': {
    of: 'page',
    edit: (it) => {
      it.request.query.limit = ['+5'];
    },
    id: 'request/parameter',
    grade: 'not-guaranteed',
    at: '/request/query/limit',
    says: /limit=\+5/,
    line: '"limit"',
    question: 'sloppy-values',
  },
  'no key': {
    of: 'page',
    edit: (it) => {
      it.request.headers = {};
    },
    id: 'request/key',
    grade: 'impossible',
    at: '/request',
    says: /has no key.*send the header X-Key, or Authorization: Bearer KEY/,
    line: '"request"',
    clause: 'operationId',
  },
  'a bearer without a key': {
    of: 'first',
    edit: (it) => {
      it.request.headers.Authorization = ['Bearer'];
    },
    id: 'request/key',
    grade: 'impossible',
    at: '/request',
    says: /has no key/,
    line: '"request"',
  },
  'a status that is not documented': {
    of: 'page',
    edit: (it) => {
      it.response.status = 206;
    },
    id: 'response/status',
    grade: 'impossible',
    at: '/response/status',
    says: /never returns 206: it documents 200, 401/,
    line: '206',
    clause: 'operationId',
  },
  'a rejection of a valid request': {
    of: 'invalid',
    edit: (it) => {
      it.request.query.limit = ['1'];
    },
    id: 'response/reason',
    grade: 'impossible',
    at: '/response/status',
    says: /expects 422, but the request is valid/,
    line: '422',
  },
  'a rejection that the contract does not specify': {
    of: 'invalid',
    edit: (it) => {
      it.request.query.limit = ['+5'];
    },
    id: 'response/reason',
    grade: 'not-guaranteed',
    at: '/response/status',
    says: /does not specify whether it is rejected \(Are sloppy values read\?\); send/,
    line: '422',
    question: 'sloppy-values',
  },
  'a success against the state': {
    of: 'page',
    edit: (it) => {
      it.providerStates.push({ name: 'the key is unknown' });
    },
    id: 'response/reason',
    grade: 'impossible',
    at: '/response/status',
    says: /expects 200 from listBoxes, but the state "the key is unknown" makes it fail/,
    line: '200',
  },
  'a 401 with a key and no state': {
    of: 'unknown',
    edit: (it) => {
      it.providerStates = [];
    },
    id: 'response/reason',
    grade: 'not-guaranteed',
    at: '/response/status',
    says: /has a key, and no state says that it is unknown/,
    line: '401',
  },
  'a 403 without its scope': {
    of: 'forbidden',
    edit: (it) => {
      it.providerStates = [];
    },
    id: 'response/reason',
    grade: 'not-guaranteed',
    at: '/response/status',
    says: /"the key lacks the scope boxes\.read"/,
    line: '403',
  },
  'a 404 of what exists': {
    of: 'absent',
    edit: (it) => {
      it.providerStates = [{ name: 'a box exists' }];
    },
    id: 'response/reason',
    grade: 'not-guaranteed',
    at: '/response/status',
    says: /no state says that it does not exist/,
    line: '404',
  },
  'a 404 of another id': {
    of: 'absent',
    edit: (it) => {
      it.request.query.id = ['5'];
    },
    id: 'response/reason',
    grade: 'not-guaranteed',
    at: '/response/status',
    says: /no state says that it does not exist/,
    line: '404',
  },
  'a 304 without a copy': {
    of: 'unchanged',
    edit: (it) => {
      delete it.request.headers['If-None-Match'];
      delete it.request.generators.header;
    },
    id: 'response/reason',
    grade: 'impossible',
    at: '/request',
    says: /send If-None-Match/,
    line: '"request"',
  },
  'a 429 out of the blue': {
    of: 'throttled',
    edit: (it) => {
      it.providerStates = [];
    },
    id: 'response/reason',
    grade: 'not-guaranteed',
    at: '/response/status',
    says: /"the service allows no more requests"/,
    line: '429',
  },
  'a 503 out of the blue': {
    of: 'unready',
    edit: (it) => {
      it.providerStates = [];
    },
    id: 'response/reason',
    grade: 'not-guaranteed',
    at: '/response/status',
    says: /"the service is not ready"/,
    line: '503',
  },
  'a header that is not documented': {
    of: 'page',
    edit: (it) => {
      it.response.headers['X-Total'] = ['5'];
    },
    id: 'response/header',
    grade: 'not-guaranteed',
    at: '/response/headers/X-Total',
    says: /expects the header X-Total, but the contract documents no headers/,
    line: '"X-Total"',
  },
  'a header that may be missing': {
    of: 'one',
    edit: (it) => {
      it.response.headers['X-Trace'] = ['abc'];
      it.response.matchingRules.header['X-Trace'] = { combine: 'AND', matchers: [{ match: 'type' }] };
    },
    id: 'response/header',
    grade: 'not-guaranteed',
    at: '/response/headers/X-Trace',
    says: /X-Trace may be missing/,
    line: '"X-Trace"',
    clause: 'X-Trace',
  },
  'a header that must equal its example': {
    of: 'one',
    edit: (it) => {
      delete it.response.matchingRules.header;
    },
    id: 'response/header',
    grade: 'not-guaranteed',
    at: '/response/headers/ETag',
    says: /ETag may be .* expects exactly "a"/,
    line: '"ETag"',
    clause: 'ETag',
  },
  'an expression that allows too little of a header': {
    of: 'one',
    edit: (it) => {
      it.response.matchingRules.header.ETag.matchers[0].regex = '^"[^"]*"$';
    },
    id: 'response/header',
    grade: 'not-guaranteed',
    at: '/response/headers/ETag',
    says: /ETag may be W\/""/,
    line: '"ETag"',
    clause: 'ETag',
  },
  'an example of a header that never comes': {
    of: 'one',
    edit: (it) => {
      it.response.headers.ETag = ['a'];
    },
    id: 'response/header',
    grade: 'impossible',
    at: '/response/headers/ETag',
    says: /ETag is never a:/,
    line: '"ETag"',
    clause: 'ETag',
  },
  'another content type': {
    of: 'page',
    edit: (it) => {
      it.response.headers['Content-Type'] = ['application/xml'];
    },
    id: 'response/content-type',
    grade: 'impossible',
    at: '/response/headers/Content-Type',
    says: /application\/xml, but a 200 from listBoxes documents application\/json/,
    line: '"Content-Type"',
  },
  'a body where there is none': {
    of: 'unchanged',
    edit: (it) => {
      it.response.body = { content: { a: 1 }, contentType: 'application/json', encoded: false };
    },
    id: 'response/body',
    grade: 'impossible',
    at: body,
    says: /a 304 from getBox has no body/,
    line: '"content"',
    clause: '304',
  },
  'an optional member': {
    of: 'page',
    edit: (it) => {
      content(it).boxes[0].note = 'x';
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes/0/note`,
    says: /\$\.boxes\[0\]\.note may be missing: the contract does not require it/,
    line: '"note"',
    clause: 'note:',
    witness: '"id"',
  },
  'an unspecified member': {
    of: 'page',
    edit: (it) => {
      content(it).boxes[0].colour = 'red';
      rules(it)['$.boxes[*].colour'] = { combine: 'AND', matchers: [{ match: 'type' }] };
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes/0/colour`,
    says: /unspecified \(Is a missing colour null or absent\?\)/,
    line: '"colour"',
    clause: 'colour:',
    question: 'no-colour',
  },
  'a member that nobody knows': {
    of: 'page',
    edit: (it) => {
      content(it).boxes[0].weigth = { unit: 'kg', value: 5 };
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes/0/weigth`,
    says: /does not define \$\.boxes\[0\]\.weigth.*did you mean weight\?/,
    line: '"weigth"',
    clause: 'properties:',
  },
  'a member where no more are allowed': {
    of: 'one',
    edit: (it) => {
      content(it).total = 5;
    },
    id: 'response/example',
    grade: 'impossible',
    at: `${body}/total`,
    says: /\$\.total is never 5 in a 200 from getBox/,
    line: '"total"',
  },
  'a member that is never there': {
    of: 'page',
    edit: (it) => {
      content(it).boxes[0].secret = 'x';
    },
    id: 'response/example',
    grade: 'impossible',
    at: `${body}/boxes/0/secret`,
    says: /\$\.boxes\[0\]\.secret is never "x"/,
    line: '"secret"',
  },
  'a value outside an enum': {
    of: 'page',
    edit: (it) => {
      content(it).boxes[0].state = 'lost';
      rules(it)['$.boxes[*].state'] = { combine: 'AND', matchers: [{ match: 'type' }] };
    },
    id: 'response/example',
    grade: 'impossible',
    at: `${body}/boxes/0/state`,
    says: /never "lost" .*one of "open", "full", "sent"; correct the example/,
    line: '"state"',
    clause: 'enum:',
  },
  'a wrong type': {
    of: 'page',
    edit: (it) => {
      content(it).boxes[0].id = '7';
      rules(it)['$.boxes[*].id'] = { combine: 'AND', matchers: [{ match: 'type' }] };
    },
    id: 'response/example',
    grade: 'impossible',
    at: `${body}/boxes/0/id`,
    says: /never "7" .* the contract says integer/,
    line: '"id"',
    clause: 'id: { type: integer',
  },
  'a matcher that no value meets': {
    of: 'page',
    edit: (it) => {
      rules(it)['$.boxes[*].state'].matchers[0].regex = '^(lost|found)$';
    },
    id: 'response/body',
    grade: 'impossible',
    at: `${body}/boxes/0/state`,
    says: /expects a string that matches .* one of "open", "full", "sent"/,
    line: '"state"',
    clause: 'enum:',
  },
  'an expression that leaves values out': {
    of: 'page',
    edit: (it) => {
      rules(it)['$.boxes[*].state'].matchers[0].regex = '^(open|full)$';
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes/0/state`,
    says: /\.state may be "sent", but the pact expects/,
    line: '"state"',
    clause: 'enum:',
    witness: '"sent"',
  },
  'an equality that nothing fixes': {
    of: 'page',
    edit: (it) => {
      rules(it)['$.boxes[*].state'] = { combine: 'AND', matchers: [{ match: 'equality' }] };
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes/0/state`,
    says: /\.state may be "\w+", but the pact expects exactly "open"; match it by type/,
    line: '"state"',
    clause: 'enum:',
  },
  'an equality on the echo of another key': {
    of: 'one',
    edit: (it) => {
      rules(it)['$.box.code'] = { combine: 'AND', matchers: [{ match: 'equality' }] };
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/box/code`,
    says: /\$\.box\.code may be "B-\d+", but the pact expects exactly "B-7"/,
    line: '"code"',
  },
  'a value that the state rules out': {
    of: 'one',
    edit: (it) => {
      content(it).box.state = 'full';
    },
    id: 'response/example',
    grade: 'impossible',
    at: `${body}/box/state`,
    says: /\$\.box\.state is never "full"/,
    line: '"state"',
  },
  'an integer where fractions come': {
    of: 'page',
    edit: (it) => {
      content(it).boxes[0].weight = 1;
      rules(it)['$.boxes[*].weight'] = { combine: 'AND', matchers: [{ match: 'integer' }] };
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes/0/weight`,
    says: /\.weight may be [\d.e-]+, but the pact expects an integer/,
    line: '"weight"',
    clause: 'weight:',
  },
  'a fraction where integers come': {
    of: 'page',
    edit: (it) => {
      rules(it)['$.boxes[*].weight'] = { combine: 'AND', matchers: [{ match: 'decimal' }] };
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes/0/weight`,
    says: /\.weight may be 0, but the pact expects a number with a fraction/,
    line: '"weight"',
    clause: 'weight:',
  },
  'a text that may be null': {
    of: 'page',
    edit: (it) => {
      content(it).page.next = 'abc';
      rules(it)['$.page.next'] = { combine: 'AND', matchers: [{ match: 'type' }] };
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/page/next`,
    says: /\$\.page\.next may be null, but the pact expects a string; accept null too/,
    line: '"next"',
    clause: 'next:',
    witness: 'null',
  },
  'an instant without fractions': {
    of: 'page',
    edit: (it) => {
      rules(it)['$.boxes[*].changed_at'].matchers[0].regex = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(Z|[+-]\\d{2}:\\d{2})$';
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes/0/changed_at`,
    says: /changed_at may be "[\dT:-]+\.\d+/,
    line: '"changed_at"',
    clause: 'changed_at:',
  },
  'a list that may be empty': {
    of: 'page',
    edit: (it) => {
      it.providerStates = [];
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes`,
    says: /\$\.boxes may be \[\], but the pact expects a list of at least 1; add a state that fills the list/,
    line: '"boxes"',
    clause: 'boxes:',
    witness: '[]',
  },
  'a list that a filter may empty': {
    of: 'filtered',
    edit: (it) => {
      it.providerStates = [{ name: 'a box exists' }];
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes`,
    says: /\$\.boxes may be \[\]/,
    line: '"boxes"',
    witness: '[]',
  },
  'a page after the last': {
    of: 'next',
    edit: (it) => {
      it.providerStates = [{ name: 'more than 1 boxes exist' }];
      it.request.query.limit = ['5'];
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes`,
    says: /\$\.boxes may be \[\]/,
    line: '"boxes"',
  },
  'a list of exactly one': {
    of: 'first',
    edit: (it) => {
      it.request.query.limit = ['2'];
      it.providerStates = [{ name: 'a box exists' }];
      delete content(it).page;
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/boxes`,
    says: /\$\.boxes may be .* the pact expects a list of exactly 1/,
    line: '"boxes"',
  },
  'more to come that no state says': {
    of: 'first',
    edit: (it) => {
      it.providerStates = [{ name: 'a box exists' }];
      delete content(it).page.next;
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/page/more`,
    says: /\$\.page\.more may be false, but the pact expects true/,
    line: '"more"',
    clause: 'more:',
  },
  'a code of another failure': {
    of: 'invalid',
    edit: (it) => {
      content(it).error.code = 'BAD';
    },
    id: 'response/example',
    grade: 'impossible',
    at: `${body}/error/code`,
    says: /never "BAD" .*"INVALID"/,
    line: '"code"',
    clause: 'const: INVALID',
  },
  'an unknown member of a record whose place is open': {
    of: 'parcel',
    edit: (it) => {
      it.response.body.content = { parcel: { code: 'P-1', color: 'red' } };
      rules(it)['$.parcel.code'] = { combine: 'AND', matchers: [{ match: 'type' }] };
    },
    id: 'response/body',
    grade: 'not-guaranteed',
    at: `${body}/parcel/color`,
    says: /does not define \$\.parcel\.color/,
    line: '"color"',
  },
  'a body of a request that is rejected': {
    of: 'added',
    edit: (it) => {
      it.request.body.content = { name: 'Glass' };
    },
    id: 'request/body',
    grade: 'impossible',
    at: '/request/body/content',
    says: /^the body must have required property 'label', but the pact expects 201 from addBox; correct the request/,
    line: '"content"',
    clause: 'requestBody',
  },
  'a member of a request body with another type': {
    of: 'added',
    edit: (it) => {
      it.request.body.content.label = 5;
    },
    id: 'request/body',
    grade: 'impossible',
    at: '/request/body/content/label',
    says: /^the body at \/label must be string/,
    line: '"label"',
  },
  'no body where one is needed': {
    of: 'added',
    edit: (it) => {
      delete it.request.body;
    },
    id: 'request/body',
    grade: 'impossible',
    at: '/request/body',
    says: /has no body, but addBox needs one/,
    line: '"request"',
  },
  'a body without a media type that is rejected': {
    of: 'added',
    edit: (it) => {
      delete it.request.headers;
      it.request.body.content = [];
    },
    id: 'request/body',
    grade: 'impossible',
    at: '/request/body/content',
    says: /^the body must be object/,
    line: '"content"',
  },
  'a body where none is documented': {
    of: 'page',
    edit: (it) => {
      it.request.body = { content: { a: 1 }, contentType: 'application/json', encoded: false };
    },
    id: 'request/body',
    grade: 'impossible',
    at: '/request/body/content',
    says: /sends a body, but listBoxes documents none/,
    line: '"content"',
  },
  'a request body of another media type': {
    of: 'added',
    edit: (it) => {
      it.request.headers = { 'Content-Type': ['text/plain'] };
      it.request.body = { content: 'Glass', contentType: 'text/plain', encoded: false };
    },
    id: 'request/body',
    grade: 'impossible',
    at: '/request/headers/Content-Type',
    says: /the body is text\/plain, but addBox accepts only application\/json/,
    line: '"Content-Type"',
  },
  'a media type of the response that the request does not accept': {
    of: 'page',
    edit: (it) => {
      it.request.headers.Accept = ['text/html'];
    },
    id: 'request/accept',
    grade: 'impossible',
    at: '/request/headers/Accept',
    says: /accepts only text\/html, but listBoxes returns application\/json/,
    line: '"Accept"',
  },
};

/** All mutations in one pact, so that the contract is opened once. They do not affect each other. */
const spoiled = Object.fromEntries(
  Object.entries(table).map(([title, mutation]) => {
    const interaction = goodInteractions()[mutation.of];
    mutation.edit(interaction);
    return [title, interaction] as const;
  }),
);
const text = pactText(spoiled);
let checked: Promise<PactCheck> | undefined;

describe('a mistake in a valid interaction', () => {
  it.each(Object.entries(table))('%s', async (title, mutation) => {
    checked ??= checkText(text);
    const index = Object.keys(table).indexOf(title);
    const interaction = (await checked).pacts[0]?.interactions[index];
    expect(interaction?.description).toBe(title);
    const findings = interaction?.findings ?? [];
    expect(findings.map(({ id, grade, pointer }) => ({ id, grade, pointer }))).toEqual([
      { id: mutation.id, grade: mutation.grade, pointer: `/interactions/${index}${mutation.at}` },
    ]);
    const [finding] = findings;
    expect(finding?.message).toMatch(mutation.says);
    expectLines(mutation, finding);
    expect(finding?.question?.id).toBe(mutation.question);
    if (mutation.witness !== undefined) expect(JSON.stringify(finding?.witness?.value)).toContain(mutation.witness);
  });

  it('is counted', async () => {
    checked ??= checkText(text);
    const { count } = await checked;
    const graded = (grade: PactGrade): number => Object.values(table).filter((each) => each.grade === grade).length;
    const number = Object.keys(table).length;
    expect(count).toEqual({
      interactions: number,
      wrong: number,
      impossible: graded('impossible'),
      notGuaranteed: graded('not-guaranteed'),
      pending: 0,
      waived: 0,
    });
  });
});

function expectLines({ line, clause }: Mutation, finding: PactFinding | undefined): void {
  const at = (from: string, place: PactFinding['clause']): string | undefined => from.split('\n')[(place?.line ?? 0) - 1];
  expect(finding?.place.file).toBe('packer-boxes.json');
  expect(at(text, finding?.place)).toContain(line);
  if (clause === undefined) return;
  expect(finding?.clause?.file).toBe('boxes.openapi.yaml');
  expect(at(boxesText, finding?.clause)).toContain(clause);
}
