/** A small contract, and valid pacts on it. Tests make one mistake at a time in them. */

import { checkPacts } from '../../../../../contracts/pact/check/check-pacts.ts';
import { type Contract, loadContract } from '../../../../../core/openapi/contract.ts';
import { parsePact } from '../../../../../core/pact/parse-pact.ts';
import type { PactCheck, PactFinding } from '../../../../../core/results/pact-check-result.ts';

const failure = (code: string): string =>
  `{ description: No., content: { application/json: { schema: { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { error: { properties: { code: { const: ${code} } } } } }] } } } }`;

/** Boxes in a list with cursors, and one by one with ETags. */
export const boxesText: string = `openapi: 3.1.0
info: { title: Boxes, version: 1.0.0 }
x-api:
  error: { schema: '#/components/schemas/Error', code: /error/code, message: /error/message }
  scopes: { boxes.read: {} }
x-invalid: { malformed: refused, out-of-range: refused, unknown-value: refused, broken-rule: refused, damaged-cursor: refused, sloppy: { unspecified: sloppy-values }, undeclared: { unspecified: unknown-parameters } }
paths:
  /boxes:
    get:
      operationId: listBoxes
      security: [{ key: [boxes.read] }, { bearer: [boxes.read] }]
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 10 } }
        - { name: cursor, in: query, schema: { type: string, minLength: 1 } }
        - { name: state, in: query, style: form, explode: false, schema: { type: array, minItems: 1, items: { $ref: '#/components/schemas/State' } } }
        - { name: since, in: query, schema: { type: string, format: date-time } }
      x-collection:
        name: boxes
        items: /boxes
        key: /id
        version: /changed_at
        order: [{ by: /changed_at, direction: descending }, { by: /id, direction: descending }]
        page: { style: cursor, limit: limit, cursor: cursor, next: /page/next, more: /page/more, fixed: [state, since], changed: refused }
        filters: { state: { any-of: /state }, since: { from: /changed_at } }
      responses:
        '200': { $ref: '#/components/responses/Boxes' }
        '401': ${failure('UNAUTHORIZED')}
        '403': ${failure('FORBIDDEN')}
        '422': ${failure('INVALID')}
        '429': { $ref: '#/components/responses/TooMany' }
        '503': ${failure('NOT_READY')}
    post:
      operationId: addBox
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [label], properties: { label: { type: string } } } } } }
      responses: { '201': { description: Added. } }
  /box:
    get:
      operationId: getBox
      security: [{ key: [boxes.read] }, { bearer: [boxes.read] }]
      parameters:
        - { name: id, in: query, schema: { type: integer, minimum: 1 } }
        - { name: code, in: query, schema: { type: string, minLength: 1 } }
        - { name: If-None-Match, in: header, schema: { type: string } }
      x-parameter-rules: [{ exactly-one-of: [id, code] }]
      x-resource: { name: boxes, at: /box, by: { id: /id, code: /code } }
      responses:
        '200': { $ref: '#/components/responses/Box' }
        '304': { description: Unchanged. }
        '401': ${failure('UNAUTHORIZED')}
        '404': ${failure('NOT_FOUND')}
        '422': ${failure('INVALID')}
  /parcel/{code}:
    get:
      operationId: getParcel
      parameters: [{ name: code, in: path, required: true, schema: { type: string, minLength: 1 } }]
      x-resource: { name: parcels, at: { unspecified: parcel-place }, by: { code: /code } }
      responses:
        '200':
          description: A parcel.
          content: { application/json: { schema: { anyOf: [{ type: object, required: [parcel], properties: { parcel: { $ref: '#/components/schemas/Parcel' } } }, { $ref: '#/components/schemas/Parcel' }] } } }
        '404': ${failure('NOT_FOUND')}
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    bearer: { type: http, scheme: bearer }
  schemas:
    State: { type: string, enum: [open, full, sent] }
    Parcel: { type: object, required: [code], properties: { code: { type: string } } }
    Box:
      type: object
      required: [id, code, state, weight, changed_at]
      properties:
        id: { type: integer }
        code: { type: string, pattern: '^B-[0-9]+$' }
        state: { $ref: '#/components/schemas/State' }
        weight: { type: number }
        note: { type: string }
        colour: { type: [string, 'null'], x-unspecified: no-colour }
        changed_at: { type: string, format: date-time }
        secret: false
    Error:
      type: object
      required: [error]
      properties: { error: { type: object, required: [code, message], properties: { code: { type: string }, message: { type: string } } } }
  responses:
    Boxes:
      description: A page.
      content:
        application/json:
          schema:
            type: object
            required: [boxes, page]
            properties:
              boxes: { type: array, items: { $ref: '#/components/schemas/Box' } }
              page: { type: object, required: [more, next], properties: { more: { type: boolean }, next: { type: [string, 'null'] } } }
    Box:
      description: A box.
      headers:
        ETag: { required: true, schema: { type: string, pattern: '^(W/)?"[^"]*"$' } }
        X-Trace: { schema: { type: string } }
      content: { application/json: { schema: { type: object, required: [box], properties: { box: { $ref: '#/components/schemas/Box' } }, additionalProperties: false } } }
    TooMany:
      description: Too many.
      headers: { Retry-After: { required: true, schema: { type: string, pattern: '^[0-9]+$' } } }
      content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }
x-unspecified:
  sloppy-values: { question: Are sloppy values read?, source: §1, mock: refused, choices: { refused: refused, accepted: accepted } }
  unknown-parameters: { question: Are unknown parameters rejected?, source: §1, mock: ignored, choices: { ignored: ignored, refused: refused } }
  no-colour: { question: Is a missing colour null or absent?, source: §2, mock: 'null', choices: { 'null': { type: [string, 'null'] }, absent: { type: string } } }
  parcel-place: { question: Where does a parcel stand?, source: §3, mock: inside, choices: { inside: /parcel, root: '' } }
`;

let opened: Promise<Contract> | undefined;

/** The contract, read once. */
export function openBoxes(): Promise<Contract> {
  opened ??= loadContract('boxes.openapi.yaml', async () => boxesText);
  return opened;
}

/** JSON that a test may change. */
// biome-ignore lint/suspicious/noExplicitAny: tests spoil what they like.
export type Draft = any;

const rule = (match: string, more: object = {}): object => ({ combine: 'AND', matchers: [{ match, ...more }] });
const key = { 'X-Key': ['your-key'] };
const injected = (name: string): object => ({ type: 'ProviderState', expression: `\${${name}}`, dataType: 'STRING' });
const json = (content: object): object => ({ content, contentType: 'application/json', encoded: false });
const instant = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$';
const box = { id: 7, code: 'B-7', state: 'open', weight: 1.5, changed_at: '2026-03-29T10:00:00+02:00' };

function boxRules(at: string): object {
  return {
    [`${at}.id`]: rule('integer'),
    [`${at}.code`]: rule('type'),
    [`${at}.state`]: rule('regex', { regex: '^(open|full|sent)$' }),
    [`${at}.weight`]: rule('number'),
    [`${at}.changed_at`]: rule('regex', { regex: instant }),
  };
}

/** Valid interactions by name. Each call returns new values. */
export function goodInteractions(): Readonly<Record<string, Draft>> {
  return structuredClone({
    page: {
      providerStates: [{ name: 'a box exists' }],
      request: { method: 'GET', path: '/boxes', query: { limit: ['5'] }, headers: key },
      response: {
        status: 200,
        headers: { 'Content-Type': ['application/json'] },
        body: json({ boxes: [box], page: { more: false } }),
        matchingRules: { body: { '$.boxes': rule('type', { min: 1 }), ...boxRules('$.boxes[*]'), '$.page.more': rule('type') } },
      },
    },
    first: {
      providerStates: [{ name: 'more than 1 boxes exist' }],
      request: { method: 'GET', path: '/boxes', query: { limit: ['1'] }, headers: { Authorization: ['Bearer your-key'] } },
      response: {
        status: 200,
        body: json({ boxes: [{ id: 7 }], page: { more: true, next: 'abc' } }),
        matchingRules: { body: { '$.boxes[*].id': rule('integer'), '$.page.next': rule('type') } },
      },
    },
    next: {
      providerStates: [{ name: 'more than 1 boxes exist' }],
      request: {
        method: 'GET',
        path: '/boxes',
        query: { limit: ['1'], cursor: ['abc'] },
        headers: key,
        generators: { query: { cursor: injected('cursor') } },
      },
      response: {
        status: 200,
        body: json({ boxes: [{ id: 7 }] }),
        matchingRules: { body: { '$.boxes': rule('type', { min: 1 }), '$.boxes[*].id': rule('integer') } },
      },
    },
    filtered: {
      providerStates: [{ name: 'a box with state full exists' }],
      request: {
        method: 'GET',
        path: '/boxes',
        query: { state: ['full'], since: ['2026-03-29T10:00:00+02:00'] },
        headers: key,
        generators: { query: { since: injected('changed_at') } },
      },
      response: {
        status: 200,
        body: json({ boxes: [{ state: 'full' }] }),
        matchingRules: { body: { '$.boxes': rule('type', { min: 1 }), '$.boxes[*].state': rule('equality') } },
      },
    },
    one: {
      providerStates: [{ name: 'a box exists', params: { where: { state: 'open' } } }],
      request: { method: 'GET', path: '/box', query: { id: ['7'] }, headers: key, generators: { query: { id: injected('id') } } },
      response: {
        status: 200,
        headers: { ETag: ['"a"'] },
        body: json({ box: { ...box, id: 7, state: 'open' } }),
        matchingRules: {
          header: { ETag: rule('regex', { regex: '^(W/)?"[^"]*"$' }) },
          body: { ...boxRules('$.box'), '$.box.id': rule('equality'), '$.box.state': rule('equality') },
        },
      },
    },
    unchanged: {
      providerStates: [{ name: 'a box exists' }],
      request: {
        method: 'GET',
        path: '/box',
        query: { code: ['B-7'] },
        headers: { ...key, 'If-None-Match': ['"a"'] },
        generators: { query: { code: injected('code') }, header: { 'If-None-Match': injected('etag') } },
      },
      response: { status: 304 },
    },
    absent: {
      providerStates: [{ name: 'no box has id 999999999' }],
      request: { method: 'GET', path: '/box', query: { id: ['999999999'] }, headers: key },
      response: {
        status: 404,
        body: json({ error: { code: 'NOT_FOUND', message: 'None.' } }),
        matchingRules: { body: { '$.error.message': rule('type') } },
      },
    },
    invalid: {
      request: { method: 'GET', path: '/boxes', query: { limit: ['0'] }, headers: key },
      response: { status: 422, body: json({ error: { code: 'INVALID' } }) },
    },
    damaged: {
      request: { method: 'GET', path: '/boxes', query: { cursor: ['damaged'] }, headers: key },
      response: { status: 422, body: json({ error: { code: 'INVALID' } }) },
    },
    keyless: {
      providerStates: [{ name: 'the key is missing' }],
      request: { method: 'GET', path: '/boxes' },
      response: { status: 401, body: json({ error: { code: 'UNAUTHORIZED' } }) },
    },
    unknown: {
      providerStates: [{ name: 'the key is unknown' }],
      request: { method: 'GET', path: '/boxes', headers: key },
      response: { status: 401, body: json({ error: { code: 'UNAUTHORIZED' } }) },
    },
    forbidden: {
      providerStates: [{ name: 'the key lacks the scope boxes.read' }],
      request: { method: 'GET', path: '/boxes', headers: key },
      response: { status: 403, body: json({ error: { code: 'FORBIDDEN' } }) },
    },
    throttled: {
      providerStates: [{ name: 'the service allows no more requests' }],
      request: { method: 'GET', path: '/boxes', headers: key },
      response: {
        status: 429,
        headers: { 'Retry-After': ['30'] },
        matchingRules: { header: { 'Retry-After': rule('regex', { regex: '^\\d+$' }) } },
      },
    },
    unready: {
      providerStates: [{ name: 'the service is not ready' }],
      request: { method: 'GET', path: '/boxes', headers: key },
      response: { status: 503, body: json({ error: { code: 'NOT_READY' } }) },
    },
    added: {
      request: {
        method: 'POST',
        path: '/boxes',
        headers: { 'Content-Type': ['application/json'] },
        body: json({ label: 'Glass' }),
      },
      response: { status: 201 },
    },
    parcel: {
      providerStates: [{ name: 'the moon is full' }],
      request: { method: 'GET', path: '/parcel/P-1' },
      response: { status: 200, body: json({}), matchingRules: { body: { $: rule('type') } } },
    },
  });
}

/** The text of a pact with these interactions, as Pact writes it. */
export function pactText(interactions: Readonly<Record<string, Draft>>): string {
  const list = Object.entries(interactions).map(([description, each]) => ({ type: 'Synchronous/HTTP', description, ...each }));
  const pact = {
    consumer: { name: 'packer' },
    provider: { name: 'boxes' },
    interactions: list,
    metadata: { pactSpecification: { version: '4.0' } },
  };
  return JSON.stringify(pact, undefined, 2);
}

/** Checks the text of a pact. */
export async function checkText(text: string): Promise<PactCheck> {
  return checkPacts({ pairs: [{ pact: parsePact('packer-boxes.json', text), contract: await openBoxes() }] });
}

/** All findings. */
export function findingsIn({ pacts }: PactCheck): readonly PactFinding[] {
  return pacts.flatMap(({ interactions }) => interactions.flatMap(({ findings }) => findings));
}
