/** Bad requests have exactly one fault, in a value, text, rule, key or body, with its name and documented answers. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Contract, resolveContract } from '../../../../core/openapi/contract.ts';
import type { Operation } from '../../../../core/openapi/operation.ts';
import { rawOf } from '../../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../../core/openapi/schema-facts.ts';
import { readRequest } from '../../../../core/parameters/read-request.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { badRequestFor } from '../../../../generators/requests/bad-request-arbitrary.ts';
import type { BadRequest } from '../../../../generators/requests/confirm-request-fault.ts';
import { asReceived } from '../../../../generators/requests/generated-request.ts';
import { requestFor } from '../../../../generators/requests/request-arbitrary.ts';
import type { RequestOptions } from '../../../../generators/requests/request-parts.ts';
import { contractText, loadText, operationOf } from '../../../helpers/contracts/contract-text.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';
import { segmentsOf, shrunk } from '../../../helpers/generated.ts';
import { fixture } from '../../../helpers/judged-mock.ts';

function some(operation: Operation, options: RequestOptions = {}, numRuns = 90): readonly BadRequest[] {
  return fc.sample(badRequestFor(operation, options), { seed: 7, numRuns });
}

/** The classes of `x-invalid` that a reader finds. */
function classesIn(operation: Operation, { request }: BadRequest): readonly string[] {
  const { problems } = readRequest(operation, asReceived(request), segmentsOf(operation, request));
  return problems.map((problem) => `${problem.parameters.join()} ${problem.class}`);
}

const contracts = await Promise.all(
  ['business', 'wiki', fixture('library'), fixture('parcels'), fixture('plain')].map(async (file) =>
    resolveContract(await openContract(contractFile(file))),
  ),
);

const keyRules = ['missing-key', 'empty-key', 'unknown-key', 'wrong-carrier'];

describe.each(contracts.flatMap(({ operations }) => operations))('bad requests to $id', (operation) => {
  it('have the named problem and no other', () => {
    const wrong = some(operation, { keys: () => 'secret' }, 30).filter((bad) => {
      const classes = classesIn(operation, bad);
      const isUnseen = bad.rule === 'cursor' || keyRules.includes(bad.rule);
      // A required parameter that is ignored is missing as well.
      return classes.length === 0 ? !isUnseen : isUnseen || classes.some((each) => each.split(' ')[0] !== bad.parameters.join());
    });
    expect(wrong.map(({ rule, problem: change, request }) => `${rule} ${change} ${request.target}`)).toEqual([]);
  });
});

/** Every kind of parameter, and the rules that requests break with it. */
const parameters: readonly (readonly [lines: string, rules: readonly string[]])[] = [
  ['in: query, schema: { type: integer, minimum: 1, maximum: 9 }', ['bound', 'empty', 'encoding', 'repeated', 'spelling', 'type']],
  ['in: query, schema: { type: integer, multipleOf: 5 }', ['bound', 'empty', 'encoding', 'repeated', 'spelling', 'type']],
  ['in: query, schema: { type: boolean }', ['empty', 'encoding', 'repeated', 'spelling', 'type']],
  ['in: query, schema: { type: string }', ['encoding', 'repeated']],
  ['in: query, schema: { type: string, minLength: 2, maxLength: 4 }', ['empty', 'encoding', 'length', 'repeated']],
  ['in: query, schema: { type: string, pattern: "^[a-c]+$" }', ['empty', 'encoding', 'pattern', 'repeated', 'spelling']],
  ['in: query, schema: { type: string, format: date }', ['empty', 'encoding', 'format', 'repeated', 'spelling']],
  ['in: query, schema: { type: string, format: date-time }', ['empty', 'encoding', 'format', 'repeated', 'spelling']],
  ['in: query, schema: { enum: [one, two] }', ['empty', 'encoding', 'enum', 'repeated', 'spelling']],
  [
    'in: query, explode: false, schema: { type: array, maxItems: 2, items: { enum: [1, 2] } }',
    ['empty', 'encoding', 'enum', 'items', 'repeated', 'spelling', 'type'],
  ],
  ['in: query, schema: { type: array, uniqueItems: true, items: { enum: [a, b] } }', ['empty', 'encoding', 'enum', 'items', 'spelling']],
  [
    'in: query, style: deepObject, explode: true, schema: { type: object, required: [a, b], properties: { a: { type: integer }, b: { type: boolean } } }',
    ['encoding', 'members', 'repeated', 'type'],
  ],
  ['in: query, content: { application/json: { schema: { type: integer } } }', ['empty', 'encoding', 'json', 'repeated', 'type']],
  ['in: path, schema: { type: integer, minimum: 1 }', ['bound', 'encoding', 'spelling', 'type']],
  ['in: header, schema: { type: integer }', ['empty', 'spelling', 'type']],
  ['in: cookie, schema: { type: integer }', ['empty', 'encoding', 'spelling', 'type']],
];

describe('a parameter', () => {
  it.each(parameters)('with %s is broken in every way that the wire shows', async (lines, rules) => {
    const isPath = lines.startsWith('in: path');
    const operation = await operationOf(`parameters: [{ name: p, ${isPath ? 'required: true, ' : ''}${lines} }]`, isPath ? '/x/{p}' : '/x');
    const broken = some(operation).filter((bad) => bad.rule !== 'undeclared');
    expect([...new Set(broken.map((bad) => bad.rule))].sort()).toEqual(rules.toSorted());
    expect(new Set(broken.map((bad) => bad.parameters.join()))).toEqual(new Set(['p']));
  });

  it('that is a text is never said to be of another type, since the wire does not show it', async () => {
    const operation = await operationOf('parameters: [{ name: p, in: query, schema: { type: string, maxLength: 2 } }]');
    expect(some(operation).some((bad) => bad.rule === 'type')).toBe(false);
  });
});

describe('two parameters of one name', () => {
  it('are broken each in its own place', async () => {
    const operation = await operationOf(
      'parameters: [{ name: p, in: query, schema: { type: integer } }, { name: p, in: header, schema: { type: integer }, x-invalid: { sloppy: accepted } }]',
    );
    const spelled = some(operation).filter((bad) => bad.rule === 'spelling');
    const places = new Set(spelled.map(({ request, expect: { condition } }) => `${request.values.has('p')} ${condition}`));
    expect(places).toEqual(new Set(['false invalid', 'true undefined', 'false undefined']));
  });
});

describe('rules about several parameters', () => {
  it('are broken one at a time', async () => {
    const operation = await operationOf(`parameters:
  - { name: id, in: query, schema: { type: integer } }
  - { name: code, in: query, schema: { type: string } }
  - { name: low, in: query, schema: { type: integer } }
  - { name: high, in: query, schema: { type: integer } }
  - { name: must, in: query, required: true, schema: { type: integer } }
x-parameter-rules: [{ exactly-one-of: [id, code] }, { ordered: [low, high] }]`);
    const found = some(operation).map(({ rule, parameters: names, problem: change }) => `${rule} ${names.join()} ${change}`);
    for (const expected of [
      'exactly-one-of id,code are all missing',
      'exactly-one-of id,code must not be combined: id and code',
      'ordered low,high has high before low',
      'required must is missing',
    ])
      expect(found).toContain(expected);
  });

  it('need not be broken by a value that is ignored: the parameter is missing then', async () => {
    const operation = await operationOf(
      'parameters: [{ name: p, in: query, required: true, schema: { type: integer }, x-invalid: { malformed: ignored } }]',
    );
    const ignored = some(operation).find((bad) => bad.rule === 'type');
    expect(ignored && classesIn(operation, ignored)).toEqual(['p malformed', 'p broken-rule']);
  });
});

describe('shrinking', () => {
  it.each<readonly [string, string]>([
    ['bound', '/x?limit=0'],
    ['repeated', '/x?limit=1&limit=1'],
    ['empty', '/x?limit='],
    ['undeclared', '/x?unknown=1'],
  ])('stays within the rule %s and ends at %s', async (rule, target) => {
    const operation = await operationOf(`parameters:
  - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100 } }
  - { name: other, in: query, schema: { type: boolean } }
  - { name: tag, in: header, schema: { type: boolean } }`);
    const { value } = shrunk(
      badRequestFor(operation),
      (bad) => bad.rule === rule && !bad.parameters.includes('other') && !bad.problem.includes('above'),
    );
    expect(value.rule).toBe(rule);
    expect([value.request.target, value.request.headers]).toEqual([target, {}]);
  });
});

async function posting(body: string, method = 'post'): Promise<readonly [Operation, Contract]> {
  const contract = await loadText(
    contractText(`paths:
  /x:
    ${method}:
      requestBody: ${body}
      responses: { '201': { description: '' }, '400': { description: '' } }
components:
  schemas:
    Note: { type: object, required: [text], properties: { text: { type: string, minLength: 1 }, pages: { type: integer, minimum: 1 } }, additionalProperties: false }
`),
  );
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('the contract has no operation');
  return [operation, contract];
}

const note = "content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }";

describe('a body', () => {
  it('is an instance of its schema, with its type', async () => {
    const [operation, contract] = await posting(`{ required: true, ${note} }`);
    const judge = contract.validators.compile(noteSchema(contract));
    for (const { body = '', content, headers, method } of fc.sample(requestFor(operation), { seed: 1, numRuns: 100 })) {
      expect([method, headers]).toEqual(['POST', { 'Content-Type': 'application/json' }]);
      expect(JSON.parse(body)).toEqual(content);
      expect(judge(JSON.parse(body))).toEqual([]);
    }
  });

  it('comes and goes where it is optional', async () => {
    const [operation] = await posting(`{ ${note} }`);
    const kinds = fc
      .sample(requestFor(operation), { seed: 1, numRuns: 100 })
      .map(({ body, headers }) => `${typeof body} ${'Content-Type' in headers}`);
    expect(new Set(kinds)).toEqual(new Set(['undefined false', 'string true']));
  });

  it.each([
    ['application/vnd.api+json', 'application/vnd.api+json'],
    ["'*/*'", 'application/json'],
  ])('may be %s', async (range, type) => {
    const [operation] = await posting(`{ required: true, content: { text/plain: {}, ${range}: { schema: { type: integer } } } }`);
    const [request] = fc.sample(requestFor(operation), { seed: 1, numRuns: 1 });
    expect(request?.headers['Content-Type']).toBe(type);
  });

  it('that is not JSON is left out, or refused by name where it is needed', async () => {
    const [optional] = await posting('{ content: { text/plain: {} } }');
    expect(fc.sample(requestFor(optional), { seed: 1, numRuns: 20 }).every(({ body }) => body === undefined)).toBe(true);
    const [needed] = await posting('{ required: true, content: { text/plain: {}, image/png: {} } }');
    expect(() => requestFor(needed)).toThrow(
      'cannot generate from requestBody: it must be text/plain or image/png, and only JSON is written',
    );
  });

  it('is none with GET, whatever the contract says', async () => {
    const [operation] = await posting(`{ required: true, ${note} }`, 'get');
    expect(fc.sample(requestFor(operation), { seed: 1, numRuns: 20 }).every(({ body }) => body === undefined)).toBe(true);
  });
});

describe('a bad body', () => {
  it('is missing, no JSON, or a invalid example, and refused as malformed', async () => {
    const [operation, contract] = await posting(`{ required: true, ${note} }`);
    const judge = contract.validators.compile(noteSchema(contract));
    const found = fc.sample(badRequestFor(operation), { seed: 1, numRuns: 200 }).filter(({ rule }) => rule !== 'undeclared');
    expect([...new Set(found.map(({ rule }) => rule))].sort()).toEqual(['bound', 'json', 'length', 'members', 'required', 'type']);
    for (const { rule, request, expect: expected, problem: change } of found) {
      expect(expected).toEqual({ condition: 'invalid', statuses: ['400'] });
      expect(change).toMatch(/^has (no|a) body/);
      if (rule === 'required') expect(request.body).toBeUndefined();
      else if (rule === 'json') expect(() => JSON.parse(request.body ?? '')).toThrow(SyntaxError);
      else expect(judge(JSON.parse(request.body ?? ''))).not.toEqual([]);
    }
  });
});

function noteSchema({ closed }: Contract): Schema {
  const components = rawOf(closed).root['components'] as { readonly schemas: { readonly Note: Schema } };
  return components.schemas.Note;
}
