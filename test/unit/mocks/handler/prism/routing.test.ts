/** Prism chooses the operation of a request. */

import { describe, expect, it } from 'vitest';
import { jsonExample, servePlainly } from '../../../../helpers/plain-mock.ts';

const paths = [
  '/things',
  '/things/{id}',
  '/things/mine',
  '/things/{id}/parts/{part}',
  '/files/{name}.{kind}',
  '/files/all',
  '/calls/run:{verb}',
  '/a b/ü',
];

function parametersOf(path: string): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `{ name: ${name}, in: path, required: true, schema: { type: string } }`);
  return `[${names.join(', ')}]`;
}

const ask = await servePlainly(
  paths
    .map((path) => `  '${path}':\n    get: { parameters: ${parametersOf(path)}, responses: { '200': ${jsonExample(path)} } }`)
    .concat(`  /things/{id}/parts:\n    delete: { parameters: ${parametersOf('{id}')}, responses: { '204': { description: Gone. } } }`)
    .join('\n'),
);

describe('the operation of a request', () => {
  it.each([
    ['/things', '/things'],
    ['/things/7', '/things/{id}'],
    ['/things/mine', '/things/mine'],
    ['/things/a%2Fb', '/things/{id}'],
    ['/things/7/parts/2', '/things/{id}/parts/{part}'],
    ['/files/report.pdf', '/files/{name}.{kind}'],
    ['/files/all', '/files/all'],
    ['/calls/run:fast', '/calls/run:{verb}'],
    ['/a%20b/%C3%BC', '/a b/ü'],
  ])('of %s is that of %s', async (target, path) => {
    expect(await ask(`GET ${target}`)).toMatchObject({ status: 200, json: path });
  });

  it.each(['/', '/thing', '/things/7/8', '/files/report', '/calls/xrun:fast'])('does not exist for %s', async (target) => {
    expect(await ask(`GET ${target}`)).toMatchObject({ status: 404, type: 'application/problem+json' });
  });

  it('does not exist for another method', async () => {
    expect(await ask('GET /things/7/parts')).toMatchObject({ status: 405, headers: { allow: 'DELETE, OPTIONS' } });
    expect(await ask('DELETE /things/7/parts')).toMatchObject({ status: 204, type: undefined });
  });

  it('is that of GET for HEAD', async () => {
    expect(await ask('HEAD /things')).toMatchObject({ status: 200, type: 'application/json', text: '' });
  });
});
