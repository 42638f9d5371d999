/** The parameters of a request are read: values, defaults, and each mistake once with the documented reaction. */

import { describe, expect, it } from 'vitest';
import type { HttpHeaders } from '../../../../core/http/exchange.ts';
import type { Operation } from '../../../../core/openapi/operation.ts';
import type { RequestReading } from '../../../../core/parameters/read-request.ts';
import { operationOf, readTarget } from '../../../helpers/contracts/contract-text.ts';

const list = `parameters:
  - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 50 } }
  - { name: status, in: query, explode: false, schema: { type: array, items: { type: string, enum: [ready, pending] } } }
  - { name: tag, in: header, schema: { type: string } }
  - { name: session, in: cookie, schema: { type: integer } }`;

/** The values and the classes of the problems of a request. */
async function read(operation: string | Operation, target: string, headers: HttpHeaders = {}): Promise<RequestReading> {
  return readTarget(typeof operation === 'string' ? await operationOf(operation) : operation, target, headers);
}

function problemsOf({ problems }: RequestReading): readonly string[] {
  return problems.map((problem) => `${problem.parameters.join()} ${problem.class} ${problem.answer}`);
}

describe('a request', () => {
  it('has the values that were sent, and defaults for the rest', async () => {
    const reading = await read(list, '/x?status=ready', { tag: 'a', cookie: 'other=1; session=7' });
    expect(Object.fromEntries(reading.values)).toEqual({ limit: 50, status: ['ready'], tag: 'a', session: 7 });
    expect([...reading.sent].sort()).toEqual(['session', 'status', 'tag']);
    expect(reading.problems).toEqual([]);
  });

  it('has no value for what is absent without a default', async () => {
    const reading = await read(list, '/x');
    expect([Object.fromEntries(reading.values), [...reading.sent]]).toEqual([{ limit: 50 }, []]);
  });

  it('has the text of its path, decoded', async () => {
    const operation = await operationOf('parameters: [{ name: slug, in: path, required: true, schema: { type: string } }]', '/x/{slug}');
    expect(Object.fromEntries(readTarget(operation, '/x/a%2Fb%20c').values)).toEqual({ slug: 'a/b c' });
    expect(problemsOf(readTarget(operation, '/x/%zz'))).toEqual(['slug malformed refused']);
  });

  it('tells apart parameters of one name in two places', async () => {
    const lines =
      'parameters: [{ name: id, in: path, required: true, schema: { type: string } }, { name: id, in: query, schema: { type: integer } }]';
    const { values } = readTarget(await operationOf(lines, '/x/{id}'), '/x/a?id=3');
    expect([...values.values()]).toEqual(['a', 3]);
  });

  it('finds headers in any case, and several fields as one list', async () => {
    const operation = await operationOf('parameters: [{ name: X-Ids, in: header, schema: { type: array, items: { type: integer } } }]');
    expect(Object.fromEntries(readTarget(operation, '/x', { 'x-ids': ['1', '2'] }).values)).toEqual({ 'X-Ids': [1, 2] });
  });

  it('may carry null as JSON', async () => {
    const operation = await operationOf('parameters: [{ name: j, in: query, content: { application/json: { schema: { default: 5 } } } }]');
    expect(Object.fromEntries(readTarget(operation, '/x?j=null').values)).toEqual({ j: null });
  });

  it('reports each mistake with the value and the reason', async () => {
    const { problems } = await read(list, '/x?limit=101&status=zzz', { cookie: 'session=abc' });
    expect(problems.map(({ parameters, in: location, class: name, message }) => [parameters, location, name, message])).toEqual([
      [['limit'], 'query', 'out-of-range', 'limit=101 is not accepted: it must be <= 100.'],
      [['status'], 'query', 'unknown-value', 'status=zzz is not accepted: it must be a list of any of ready, pending.'],
      [['session'], 'cookie', 'malformed', 'session=abc is not accepted: it must be an integer.'],
    ]);
  });

  it('is reported once for a parameter that the operation does not know', async () => {
    const { problems } = await read(list, '/x?sort=a&sort=b&limit=5');
    expect(problems).toEqual([
      { parameters: ['sort'], in: 'query', class: 'undeclared', answer: 'ignored', message: 'sort is not a parameter of this operation.' },
    ]);
  });

  it.each([
    ['parameters: [{ name: f, in: query, style: deepObject, schema: { type: object } }]', '/x?f[a]=1&f[b]=2'],
    ['parameters: [{ name: f, in: query, schema: { type: object, properties: { a: {}, b: {} } } }]', '/x?a=1&b=2'],
    ['parameters: [{ name: f g, in: query, schema: {} }]', '/x?f%20g=1'],
    ['parameters: [{ name: f g, in: query, schema: {} }]', '/x?f+g=1'],
  ])('of %s knows every part of %s', async (lines, target) => {
    expect((await read(lines, target)).problems).toEqual([]);
  });

  it('knows a key that its security asks for in the query', async () => {
    const rest =
      'components: { securitySchemes: { key: { type: apiKey, in: query, name: api_key } } }\nx-invalid: { undeclared: refused }\n';
    const operation = await operationOf('security: [{ key: [] }]', '/x', rest);
    expect(problemsOf(readTarget(operation, '/x?api_key=a'))).toEqual([]);
    expect(problemsOf(readTarget(operation, '/x?apikey=a'))).toEqual(['apikey undeclared refused']);
  });
});

describe('the answer to a wrong value', () => {
  const answers = (answer: string): string => `x-invalid: { out-of-range: ${answer}, sloppy: ${answer}, malformed: ${answer} }\n`;

  it.each([
    ['refused', '/x?limit=101', undefined],
    ['clamped', '/x?limit=101', 100],
    ['clamped', '/x?limit=0', 1],
    ['ignored', '/x?limit=101', undefined],
    ['accepted', '/x?limit=007', 7],
    ['ignored', '/x?limit=007', undefined],
    ['empty', '/x?limit=abc', undefined],
  ])('%s to %s lets %s count', async (answer, target, value) => {
    const operation = await operationOf(list, '/x', answers(answer));
    const reading = readTarget(operation, target);
    expect(reading.problems.map((problem) => problem.answer)).toEqual([answer]);
    expect(reading.sent.has('limit')).toBe(value !== undefined);
    expect(reading.values.get('limit')).toBe(value ?? 50);
  });

  it('of a parameter goes before that of the API', async () => {
    const lines = 'parameters: [{ name: n, in: query, x-invalid: { sloppy: accepted }, schema: { type: integer } }]';
    const operation = await operationOf(lines, '/x', answers('refused'));
    expect(problemsOf(readTarget(operation, '/x?n=007'))).toEqual(['n sloppy accepted']);
    expect(problemsOf(readTarget(operation, '/x?n=abc'))).toEqual(['n malformed refused']);
  });

  it('is refused where the contract says nothing, and unknown parameters are ignored', async () => {
    expect(problemsOf(await read(list, '/x?limit=abc&x=1'))).toEqual(['limit malformed refused', 'x undeclared ignored']);
  });
});

describe('a required parameter', () => {
  const lines = 'parameters: [{ name: id, in: query, required: true, schema: { type: integer, minimum: 1 } }]';

  it('that is missing breaks a rule', async () => {
    const { problems } = await read(lines, '/x');
    expect(problems).toEqual([
      { parameters: ['id'], in: 'query', class: 'broken-rule', answer: 'refused', message: 'id is required, but missing.' },
    ]);
  });

  it('that is wrong is wrong only once', async () => {
    expect(problemsOf(await read(lines, '/x?id=abc'))).toEqual(['id malformed refused']);
  });

  it.each(['/x?id=', '/x?id=abc', '/x?id=0'])('is missing too when its value is ignored: %s', async (target) => {
    const operation = await operationOf(lines, '/x', 'x-invalid: { malformed: ignored, sloppy: ignored, out-of-range: ignored }\n');
    expect(problemsOf(readTarget(operation, target))).toContain('id broken-rule refused');
  });
});

describe('exactly one of two parameters', () => {
  const lines = `parameters:
  - { name: id, in: query, schema: { type: integer, minimum: 1 } }
  - { name: code, in: query, schema: { type: string, minLength: 1 } }
x-parameter-rules: [{ exactly-one-of: [id, code] }]`;

  it.each(['/x?id=5', '/x?code=A'])('is kept by %s', async (target) => {
    expect(problemsOf(await read(lines, target))).toEqual([]);
  });

  it.each([
    ['/x', 'exactly one of id and code is needed, but none was sent.'],
    ['/x?id=5&code=A', 'exactly one of id and code is needed, but id and code were sent.'],
  ])('is broken by %s, which is reported with the names', async (target, message) => {
    const reading = await read(lines, target);
    expect([problemsOf(reading), reading.problems[0]?.message]).toEqual([['id,code broken-rule refused'], message]);
  });

  it.each([
    ['/x?id=abc&code=A', ['id malformed refused']],
    ['/x?id=abc&code=A&n=abc', ['id malformed refused', 'n malformed refused']],
    ['/x?n=abc', ['n malformed refused', 'id,code broken-rule refused']],
  ])('is not reported beside a value that is refused anyway: %s', async (target, problems) => {
    const more = lines.replace('x-parameter', '  - { name: n, in: query, schema: { type: integer } }\nx-parameter');
    expect(problemsOf(await read(more, target))).toEqual(problems);
  });

  it.each([
    ['accepted', '/x?id=007&code=A', ['id sloppy accepted', 'id,code broken-rule refused']],
    ['accepted', '/x?id=007', ['id sloppy accepted']],
    ['ignored', '/x?id=', ['id sloppy ignored', 'id,code broken-rule refused']],
    ['ignored', '/x?id=&code=A', ['id sloppy ignored']],
  ])('counts a sloppy value that is %s: %s', async (answer, target, problems) => {
    const operation = await operationOf(lines, '/x', `x-invalid: { sloppy: ${answer} }\n`);
    expect(problemsOf(readTarget(operation, target))).toEqual(problems);
  });
});

describe('parameters in order', () => {
  const ordered = (schema: string): string => `parameters:
  - { name: a, in: query, schema: ${schema} }
  - { name: b, in: query, schema: ${schema} }
  - { name: c, in: query, schema: ${schema} }
x-parameter-rules: [{ ordered: [a, b, c] }]`;
  const operations = {
    dates: ordered('{ type: string, format: date }'),
    instants: ordered('{ type: string, format: date-time }'),
    numbers: ordered('{ type: integer }'),
  };

  it.each<readonly [keyof typeof operations, target: string, message: string]>([
    ['dates', '/x?a=2026-10-10&b=2026-10-11', ''],
    ['dates', '/x?a=2026-10-10&b=2026-10-10', ''],
    ['dates', '/x?a=2026-12-31', ''],
    ['dates', '/x?b=2026-01-01', ''],
    ['instants', '/x?a=2026-10-10T12:00:00%2B02:00&b=2026-10-10T10:00:00Z', ''],
    ['numbers', '/x?a=9&b=10', ''],
    ['numbers', '/x?a=9&b=9&c=9', ''],
    ['numbers', '/x?a=9&c=10', ''],
    ['dates', '/x?a=2026-10-11&b=2026-10-10', 'b=2026-10-10 must not be before a=2026-10-11.'],
    ['dates', '/x?b=2026-10-11&c=2026-10-10', 'c=2026-10-10 must not be before b=2026-10-11.'],
    [
      'instants',
      '/x?a=2026-10-10T10:00:01Z&b=2026-10-10T12:00:00%2B02:00',
      'b=2026-10-10T12:00:00+02:00 must not be before a=2026-10-10T10:00:01Z.',
    ],
    ['numbers', '/x?a=10&b=9', 'b=9 must not be before a=10.'],
    ['numbers', '/x?a=10&c=9', 'c=9 must not be before a=10.'],
  ])('that are %s in %s are right, or wrong with a reason: %s', async (kind, target, message) => {
    const { problems } = await read(operations[kind], target);
    const messages = problems.map((problem) => `${problem.class}: ${problem.message}`);
    expect(messages).toEqual(message === '' ? [] : [`broken-rule: ${message}`]);
  });
});
