/** Counterexamples as printed: lines that run in a shell, send what was sent, show no key, and execute nothing from the target. */

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { violatedOutcome } from '../../../../contracts/verify/conclude-check.ts';
import type { Printing } from '../../../../contracts/verify/counterexample.ts';
import { type Call, toRequest } from '../../../../contracts/verify/evidence/call.ts';
import { secretsOf } from '../../../../contracts/verify/evidence/callers.ts';
import { nearlyRightKeysOf, nearlyRightSecrets } from '../../../../contracts/verify/evidence/nearly-right-keys.ts';
import { toResult } from '../../../../contracts/verify/play-run.ts';
import type { Contradiction } from '../../../../contracts/verify/rules/rule.ts';
import { rules } from '../../../../contracts/verify/rules/rule-catalogue.ts';
import type { HttpRequest } from '../../../../core/http/exchange.ts';
import type { Json } from '../../../../core/json.ts';
import { createRedactor } from '../../../../core/redaction/redact-secrets.ts';
import type { Counterexample } from '../../../../core/results/run-result.ts';
import { contractOf, keyringOf, operationIn, replyTo } from '../../../helpers/engine.ts';
import { serve } from '../servers.ts';

const run = promisify(execFile);

const business = await contractOf('business');
const parcels = await contractOf('parcels');
const getOrder = operationIn(business, 'getOrder');
const folder = mkdtempSync(join(tmpdir(), 'touchstone-curl-'));
const trap = join(folder, 'executed');
afterAll(() => rmSync(folder, { recursive: true }));

/** A key with every character that a shell treats specially. */
const value = 'k"e\'y$HOME`id`\\!*~ &;|<>#%Zz9';
const keys = keyringOf({ full: value });

/** Values that a target may put into a cursor, a code or a name: commands, quotes, variables, noise. */
const hostile = [
  `$(touch ${trap})`,
  `\`touch ${trap}\``,
  `'; touch ${trap}; '`,
  `"; touch ${trap}; "`,
  `\\"; touch ${trap}; \\"`,
  `'"'"'$(touch ${trap})`,
  ['$HOME $', '{HOME} $((1+1)) $KEY'].join(''),
  '!! !$ ~ * ? [a-z] {a,b} \\ \\\\ # % & | < > ( ) ;',
  'a\'b"c`d$e\\f',
  'àé漢字🍕',
];

function printingFor(url: string): Printing {
  const secrets = [...secretsOf(keys), ...nearlyRightSecrets(keys), { name: 'GATE', value: 'gate-secret-123' }];
  return {
    clean: createRedactor(secrets).clean,
    mask: (exchange) => exchange,
    maskRecord: (_, each) => each,
    url,
    secrets,
    headers: {},
    contractText: () => undefined,
  };
}

/** The counterexample in the result of a check that such requests contradict. */
function print(printing: Printing, requests: readonly HttpRequest[], changes: Partial<Contradiction> = {}): Counterexample {
  const replies = requests.map((request) => replyTo({ operation: getOrder }, { body: {} }, { request }));
  const contradiction: Contradiction = {
    kind: 'contradicts',
    replies,
    expected: 'so',
    actual: 'not so',
    recordKeys: [],
    clause: getOrder.place,
    ...changes,
  };
  const settings = { contract: business, printing, emit: () => undefined };
  const outcome = violatedOutcome({ contradictions: [contradiction], instances: 0, killed: [], alive: [] });
  const [rule] = rules;
  if (rule === undefined) throw new TypeError('no rule');
  const { counterexample } = toResult(settings, { rule, operation: getOrder }, outcome);
  if (counterexample === undefined) throw new TypeError('no counterexample');
  return counterexample;
}

interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A server that keeps the requests it receives, and a shell that has the keys. */
async function listening(): Promise<{ readonly url: string; readonly heard: Heard[]; readonly shell: (line: string) => Promise<string> }> {
  const heard: Heard[] = [];
  const { url } = await serve(({ method = '', url: asked = '', headers }, response) => {
    heard.push({ method, url: asked, headers });
    response.end('{}');
  });
  const environment = { PATH: process.env['PATH'] ?? '', HOME: '/nowhere', KEY_FULL: value, GATE: 'gate-secret-123' };
  const shell = async (line: string): Promise<string> => (await run('bash', ['-c', line], { env: environment })).stdout;
  return { url, heard, shell };
}

describe('a printed line', () => {
  test.each(hostile)('sends %j as it was sent, and executes nothing', async (text) => {
    const { url, heard, shell } = await listening();
    const visible = text.replaceAll(/[^ -~]/g, '');
    const call: Call = {
      operation: getOrder,
      values: { code: text },
      headers: { 'if-none-match': `"${visible}"`, 'x-beside': `${value}a${value}${visible}` },
    };
    const raw: HttpRequest = { ...toRequest(call, keys), target: `/x?code=${text.replaceAll(/[^!-~]|#/g, '')}` };
    const sent = [toRequest(call, keys), raw];
    const { curl } = print(printingFor(url), sent);
    for (const line of curl) {
      expect(line).not.toContain(value);
      expect(await shell(line)).toContain('200 OK');
    }
    expect(heard.map((each) => each.url)).toEqual(sent.map(({ target }) => target));
    for (const [index, each] of heard.entries()) {
      expect(each.headers['x-service-api-key']).toBe(value);
      for (const name of ['if-none-match', 'x-beside']) expect(each.headers[name]).toBe(sent[index]?.headers[name]);
    }
    expect(existsSync(trap)).toBe(false);
  });

  test('keeps paths that a client would tidy up', async () => {
    const { url, heard, shell } = await listening();
    const target = '/api/../x/%2e%2e/./y//z?a=[1]&b={2,3}';
    for (const line of print(printingFor(url), [{ method: 'GET', target, headers: {} }]).curl) await shell(line);
    expect(heard.map((each) => each.url)).toEqual([target]);
  });

  test('sends a key that stands in the query, and what a gateway wants', async () => {
    const { url, heard, shell } = await listening();
    const request = toRequest({ operation: operationIn(parcels, 'listParcels'), values: { state: 'waiting' } }, keys);
    const { clean } = createRedactor([...secretsOf(keys), { name: 'GATE', value: 'gate-secret-123' }]);
    const [line = ''] = print({ ...printingFor(url), clean, headers: { 'x-gate': '$GATE' } }, [request]).curl;
    expect(line).toContain('access_key=$KEY_FULL');
    await shell(line);
    const asked = new URL(heard[0]?.url ?? '', url);
    expect(heard[0]?.headers['x-gate']).toBe('gate-secret-123');
    expect([asked.searchParams.get('access_key'), asked.searchParams.get('state')]).toEqual([value, 'waiting']);
  });

  test('sends a key that is the password of Basic', async () => {
    const { url, heard, shell } = await listening();
    const authorization = `Basic ${Buffer.from(`:${value}`).toString('base64')}`;
    const [line = ''] = print(printingFor(url), [{ method: 'GET', target: '/x', headers: { authorization } }]).curl;
    expect(line).toContain('-u ":$KEY_FULL"');
    await shell(line);
    expect(heard[0]?.headers['authorization']).toBe(authorization);
  });

  test('makes the nearly right keys from the key', async () => {
    const { url, heard, shell } = await listening();
    const plain = { variable: 'KEY_FULL', value: 'Plain-Key-of-tests-123' };
    const variants = nearlyRightKeysOf(plain);
    const secrets = [{ name: plain.variable, value: plain.value }, ...variants.map(({ secret }) => secret)];
    const printing = { ...printingFor(url), clean: createRedactor(secrets).clean, secrets };
    const requests = variants.map((variant) => ({ method: 'GET', target: '/x', headers: { 'x-key': variant.value } }));
    for (const line of print(printing, requests).curl) {
      expect(line).toContain('$KEY_FULL');
      await shell(`KEY_FULL=${plain.value}; ${line}`);
    }
    expect(heard.map(({ headers }) => headers['x-key'])).toEqual(['pLAIN-kEY-OF-TESTS-123', 'Plain-Key-of-tests']);
  });

  test('has each value of a header that was sent more than once, and the method where it is not GET', async () => {
    const { url, heard, shell } = await listening();
    const [many = '', head = ''] = print(printingFor(url), [
      { method: 'GET', target: '/a', headers: { accept: 'application/json', 'x-many': ['1', '2'] } },
      { method: 'HEAD', target: '/b', headers: { 'x-none': '', accept: 'text/html' } },
    ]).curl;
    await shell(many);
    await shell(head);
    expect([heard[0]?.headers['x-many'], heard[1]?.method, heard[1]?.url]).toEqual(['1, 2', 'HEAD', '/b']);
    expect(heard[1]?.headers).toMatchObject({ 'x-none': '', accept: 'text/html' });
  });
});

describe('a printed counterexample', () => {
  test('has a comment in place of a command that could not run, for a cursor that holds a key in base64', () => {
    const cursor = Buffer.from(`{"after":"${keys.get('full')?.value}"}`).toString('base64url');
    const [line = ''] = print(printingFor('http://target.example'), [
      { method: 'GET', target: `/x?limit=5&cursor=${cursor}`, headers: {} },
    ]).curl;
    expect(line).toMatch(/^# GET \/x\?limit=5&cursor=\S*\$KEY_FULL\S* holds a key in another encoding, so no command line can repeat it$/);
  });

  const printing = printingFor('http://target.example');

  test('hides keys wherever they stand: requests, answers, records, sentences', () => {
    const request = { method: 'GET', target: `/x?k=${encodeURIComponent(value)}`, headers: { 'x-a': value, 'x-b': [value, 'b'] } };
    const reply = replyTo({ operation: getOrder }, { headers: { 'x-echo': value }, body: { key: value } }, { request });
    const records: readonly Json[] = [{ id: 7, [value]: [value, { deep: value, none: null, yes: true }] }];
    const printed = print(printing, [], { replies: [reply], records, expected: `not ${value}`, actual: `but ${value}` });
    expect(JSON.stringify(printed)).not.toContain(JSON.stringify(value).slice(1, -1));
    expect(printed.records).toEqual([{ id: 7, $KEY_FULL: ['$KEY_FULL', { deep: '$KEY_FULL', none: null, yes: true }] }]);
    expect([printed.expected, printed.actual]).toEqual(['not $KEY_FULL', 'but $KEY_FULL']);
    expect(printed.exchanges[0]?.request.headers).toEqual({ 'x-a': '$KEY_FULL', 'x-b': ['$KEY_FULL', 'b'] });
  });

  test('hides a key of digits in numbers as well', () => {
    const digits = { ...printing, clean: createRedactor([{ name: 'PIN', value: '1145912345' }]).clean };
    expect(print(digits, [{ method: 'GET', target: '/x', headers: {} }], { records: [{ id: 1145912345, other: 5 }] }).records).toEqual([
      { id: '$PIN', other: 5 },
    ]);
  });

  test('shows each exchange once, long bodies cut, and the place in the contract', () => {
    const request = { method: 'GET', target: '/x', headers: {} };
    const long = replyTo({ operation: getOrder }, { text: 'a'.repeat(5000) }, { request });
    const printed = print(printing, [], { replies: [long, long] });
    expect([printed.exchanges.length, printed.curl.length, printed.clause]).toEqual([1, 1, getOrder.place]);
    expect(printed.exchanges[0]?.response.body).toBe(`${'a'.repeat(4000)}… (5000 characters)`);
  });

  test('has the call of each request without keys, and none where a report hides a part of it for good', () => {
    const [held] = nearlyRightKeysOf({ variable: 'KEY_FULL', value });
    const headers = { 'x-key': held?.value ?? '' };
    const call: Call = { operation: getOrder, values: { code: `a ${value}` }, raw: [`k=${encodeURIComponent(value)}`], headers };
    const key = { role: 'full', carrier: 0 };
    const callOf = (changed: Call, shown = printing): unknown =>
      print(shown, [], { replies: [replyTo(changed, { body: {} }, { key })] }).exchanges[0]?.call;
    expect(callOf(call)).toEqual({
      operation: 'getOrder',
      values: { code: 'a $KEY_FULL' },
      raw: ['k=$KEY_FULL'],
      headers: { 'x-key': `$${held?.secret.name}` },
      key,
      variables: expect.arrayContaining(['KEY_FULL', held?.secret.name]) as unknown,
    });
    expect(callOf({ ...call, raw: [`k=${Buffer.from(`0:${value}`).toString('base64')}`] })).toBeUndefined();
    const mask: Printing['mask'] = ({ request, response }) => ({ request: { ...request, target: '/orders/‹personal›' }, response });
    expect(callOf(call, { ...printing, mask })).toBeUndefined();
  });

  test('hides personal fields of answers and records, by the operation of the first exchange', () => {
    const masked: Printing = {
      ...printing,
      mask: ({ request, response }) => ({ request, response: { ...response, body: '‹personal›' } }),
      maskRecord: (reply) => ({ of: reply.call.operation.id }),
    };
    const printed = print(masked, [{ method: 'GET', target: '/x', headers: {} }], { records: [{ name: 'Ada' }] });
    expect([printed.exchanges[0]?.response.body, printed.records]).toEqual(['‹personal›', [{ of: 'getOrder' }]]);
  });
});
