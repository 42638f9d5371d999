/** Text, redirects, empty responses and unreadable codings end no run: each is judged as far as it can be, and the rest of the API too. */

import { expect, it } from 'vitest';
import { verify } from '../../../../contracts/verify/verify.ts';
import type { RunResult } from '../../../../core/results/run-result.ts';
import { contractText, loadText } from '../../../helpers/contracts/contract-text.ts';
import { serve } from '../servers.ts';

const answers: Readonly<Record<string, readonly [status: number, headers: Record<string, string>, body: string]>> = {
  '/health': [200, { 'content-type': 'text/plain' }, 'fine'],
  '/newest': [302, { location: '/health' }, ''],
  '/queue': [204, {}, ''],
  '/export': [200, { 'content-type': 'text/csv; charset=utf-8' }, 'id,name\r\n1,Ann\r\n'],
  '/logo': [200, { 'content-type': 'image/png' }, '\u0089PNG'],
  '/packed': [200, { 'content-type': 'application/json', 'content-encoding': 'dcz' }, 'packed'],
};

const described: Readonly<Record<string, string>> = {
  '/health': `{ '200': { description: a, content: { text/plain: { schema: { type: string, enum: [fine, ill] } } } } }`,
  '/newest': `{ '302': { description: a, headers: { Location: { required: true, schema: { type: string } } } } }`,
  '/queue': `{ '204': { description: a } }`,
  '/export': `{ '200': { description: a, content: { text/csv: { schema: { type: string } } } } }`,
  '/logo': `{ '200': { description: a, content: { image/png: { schema: { type: string, format: binary } } } } }`,
  '/packed': `{ '200': { description: a, content: { application/json: { schema: { type: object } } } } }`,
};

interface Judged {
  readonly result: RunResult;
  readonly asked: readonly (readonly [path: string, accept: string])[];
}

async function judge(paths: readonly string[], changed: typeof answers = {}): Promise<Judged> {
  const lines = paths.map((path) => `  ${path}: { get: { operationId: ${path.slice(1)}, responses: ${described[path]} } }`);
  const asked: [string, string][] = [];
  const server = await serve(({ url = '', headers }, response) => {
    asked.push([url, String(headers.accept)]);
    const [status, fields, body] = { ...answers, ...changed }[url] ?? [404, {}, ''];
    response.writeHead(status, fields).end(body);
  });
  const contract = await loadText(contractText(`paths:\n${lines.join('\n')}`));
  return { result: await verify({ contract, target: server.url }).result, asked };
}

it.each(Object.keys(answers))('%s alone does not make the target unavailable', async (path) => {
  const { result } = await judge([path]);
  expect(result.unavailable).toBeUndefined();
  expect(result.checks.filter(({ verdict }) => verdict === 'violated' || verdict === 'blocked')).toEqual([]);
});

it('are judged together, a redirect without following it, and with the media types that each operation documents', async () => {
  const { result, asked } = await judge(Object.keys(answers));
  const verdictOf = (rule: string, operation: string): string | undefined =>
    result.checks.find((check) => check.rule === rule && check.operation === operation)?.verdict;
  expect(result.exitCode).toBe(0);
  expect(['health', 'export'].map((id) => verdictOf('response/schema', id))).toEqual(['holds', 'holds']);
  expect(verdictOf('response/headers', 'newest')).toBe('holds');
  expect(['logo', 'packed'].map((id) => verdictOf('response/schema', id))).toEqual(['not-exercised', 'not-exercised']);
  expect(result.checks.filter(({ message }) => message.startsWith('The body was not compared')).map(({ message }) => message)).toEqual([
    'The body was not compared: image/png is binary',
    'The body was not compared: the content coding dcz is not known',
  ]);
  expect(new Map(asked)).toEqual(
    new Map([
      ['/health', 'text/plain'],
      ['/newest', '*/*'],
      ['/queue', '*/*'],
      ['/export', 'text/csv'],
      ['/logo', 'image/png'],
      ['/packed', 'application/json'],
    ]),
  );
});

it('are found wrong', async () => {
  const { result } = await judge(Object.keys(answers), {
    '/health': [200, { 'content-type': 'text/plain' }, 'sideways'],
    '/newest': [302, {}, ''],
    '/queue': [200, { 'content-type': 'application/json' }, '{}'],
  });
  expect(result.checks.filter(({ verdict }) => verdict === 'violated').map(({ rule, operation }) => `${rule} ${operation}`)).toEqual([
    'response/schema health',
    'response/status queue',
    'response/headers newest',
  ]);
});

it('of an annotated list below a path parameter without a value leave it unexercised', async () => {
  const list = `{ name: rooms, items: '', key: /id, order: [{ by: /id, direction: ascending }], filters: { kind: { equals: /kind } }, page: { style: page, limit: limit, page: page } }`;
  const parameters = [
    '{ name: house, in: path, required: true, schema: { type: string } }',
    '{ name: kind, in: query, schema: { type: string, enum: [a, b] } }',
  ];
  const numbers = ['page', 'limit'].map((name) => `{ name: ${name}, in: query, schema: { type: integer, minimum: 1 } }`);
  const contract = await loadText(
    contractText(
      `paths: { "/houses/{house}/rooms": { get: { parameters: [${[...parameters, ...numbers].join(', ')}], responses: { '200': { description: a, content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { type: integer }, kind: { type: string } } } } } } }, '400': { description: b } }, x-collection: ${list} } } }`,
    ),
  );
  const server = await serve((_, response) => response.end());
  const { checks } = await verify({ contract, target: server.url }).result;
  expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['not-exercised']));
});
