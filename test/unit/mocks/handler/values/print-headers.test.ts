/** Documented headers have values that HTTP allows, and never frame the message. */

import { describe, expect, it } from 'vitest';
import { printHeaders } from '../../../../../mocks/handler/values/print-headers.ts';
import { serveText } from '../../../../helpers/served.ts';

async function headersOf(headers: string): Promise<Readonly<Record<string, string>>> {
  const api = await serveText(`
openapi: 3.1.0
info: { title: Headers, version: '1' }
paths:
  /a:
    get:
      responses:
        '200':
          description: OK.
          headers: ${headers.replaceAll(/\s+/g, ' ')}
`);
  const [operation] = api.contract.operations;
  if (operation === undefined) throw new Error('the contract has no operation');
  const [response] = operation.responses.values();
  return printHeaders(response?.headers ?? [], { document: operation.document, nowMs: Date.UTC(2026, 2, 29, 16) });
}

describe('a documented header', () => {
  it('that frames the message is the server’s own', async () => {
    const framing = ['Content-Length', 'Transfer-Encoding', 'Content-Encoding', 'Connection', 'Date'];
    expect(await headersOf(`{ ${framing.map((name) => `${name}: { schema: { type: string, example: x } }`).join(', ')} }`)).toEqual({});
  });

  it('has its example, in its style', async () => {
    expect(
      await headersOf(`{ X-List: { schema: { type: array, items: { type: integer } }, example: [1, 2] },
        X-Object: { schema: { type: object }, example: { a: 1, b: 2 } }, X-Exploded: { explode: true, schema: {}, example: { a: 1 } } }`),
    ).toEqual({ 'x-list': '1,2', 'x-object': 'a,1,b,2', 'x-exploded': 'a=1' });
  });

  it('described by content is JSON', async () => {
    expect(
      await headersOf(`{ X-Json: { content: { application/json: { schema: { type: object, properties: { a: { example: 1 } } } } } } }`),
    ).toEqual({
      'x-json': '{"a":1}',
    });
  });

  it('keeps the syntax of links', async () => {
    const link = '<https://x.test/é?page=2>; rel="next", <https://x.test/?page=9>; rel="last"';
    expect(await headersOf(`{ Link: { schema: { type: string }, example: '${link}' } }`)).toEqual({ link: link.replace('é', '%C3%A9') });
  });

  it('without an example has a value that HTTP allows', async () => {
    expect(
      await headersOf(`{ ETag: { schema: { type: string } }, Last-Modified: { schema: { type: string, format: date-time } },
        Retry-After: { schema: { type: integer } }, Location: { schema: { type: string }, example: 'https://x.test/é' } }`),
    ).toEqual({ etag: '"1"', 'last-modified': 'Sun, 29 Mar 2026 16:00:00 GMT', 'retry-after': '1', location: 'https://x.test/%C3%A9' });
  });
});
