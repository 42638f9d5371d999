/** Any credential of the documented form is accepted, and nothing else. */

import { describe, expect, it } from 'vitest';
import { jsonExample, servePlainly } from '../../../../helpers/plain-mock.ts';

const schemes = `
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    basic: { type: http, scheme: basic }
    digest: { type: http, scheme: digest }
    custom: { type: http, scheme: DPoP }
    oauth: { type: oauth2, flows: {} }
    open: { type: openIdConnect, openIdConnectUrl: https://id.test }
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    cookie: { type: apiKey, in: cookie, name: sid }`;

const ask = await servePlainly(
  [
    ...['bearer', 'basic', 'digest', 'custom', 'oauth', 'open', 'header', 'query', 'cookie'].map((name) => [name, `[{ ${name}: [] }]`]),
    ['either', '[{ header: [] }, { basic: [] }]'],
    ['both', '[{ header: [], query: [] }]'],
    ['same-header', '[{ bearer: [], custom: [] }]'],
    ['optional', '[{}, { bearer: [] }]'],
    ['none', '[]'],
  ]
    .map(([path, security]) => `  /${path}:\n    get: { security: ${security}, responses: { '200': ${jsonExample('in')} } }`)
    .concat(
      `  /documented:\n    get: { security: [{ bearer: [] }], responses: { '200': ${jsonExample('in')}, '401': ${jsonExample('out')} } }`,
    )
    .join('\n'),
  schemes,
);

const digest = 'username="Mufasa", realm="x", nonce="7y", uri="/dir/index.html", qop=auth, nc=00000001, response="8ca5"';

describe('a credential', () => {
  it.each([
    ['/bearer', { authorization: 'Bearer abc' }],
    ['/bearer', { authorization: 'bearer abc' }],
    ['/basic', { authorization: `Basic ${btoa('user:pass:word')}` }],
    ['/digest', { authorization: `Digest ${digest}` }],
    ['/custom', { authorization: 'DPoP abc' }],
    ['/oauth', { authorization: 'Bearer abc' }],
    ['/open', { authorization: 'Bearer abc' }],
    ['/header', { 'x-key': 'abc' }],
    ['/query?key=abc', {}],
    ['/cookie', { cookie: 'other=1; sid=abc' }],
    ['/either', { 'x-key': 'abc' }],
    ['/either', { authorization: `Basic ${btoa('a:b')}` }],
    ['/both?key=abc', { 'x-key': 'abc' }],
    ['/same-header', { authorization: 'DPoP abc' }],
    ['/same-header', { authorization: 'Bearer abc' }],
    ['/optional', {}],
    ['/optional', { authorization: 'Other abc' }],
    ['/none', {}],
  ])('of the documented form opens %s: %j', async (target, headers) => {
    expect(await ask(`GET ${target}`, headers)).toMatchObject({ status: 200, json: 'in' });
  });

  it.each([
    ['/bearer', {}],
    ['/bearer', { authorization: 'Basic YTpi' }],
    ['/bearer', { authorization: 'Bearer' }],
    ['/basic', { authorization: 'Basic abc123' }],
    ['/digest', { authorization: 'Digest abc' }],
    ['/custom', { authorization: 'Bearer abc' }],
    ['/header', { authorization: 'Bearer abc' }],
    ['/query', {}],
    ['/cookie', { cookie: 'other=1' }],
    ['/either', {}],
    ['/both', { 'x-key': 'abc' }],
    ['/same-header', { authorization: 'Basic YTpi' }],
  ])('of another form does not open %s: %j', async (target, headers) => {
    const answer = await ask(`GET ${target}`, headers);
    expect(answer).toMatchObject({ status: 401, type: 'application/problem+json' });
    expect(answer.headers['www-authenticate']).toBeDefined();
  });

  it('that is missing gets the documented answer, whatever else is preferred', async () => {
    expect(await ask('GET /documented')).toMatchObject({ status: 401, json: 'out' });
    expect(await ask('GET /documented?__code=200')).toMatchObject({ status: 401, json: 'out' });
  });
});
