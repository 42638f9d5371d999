/** Bodies are what their media type says: text is text, and a file is a file. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../../core/json.ts';
import { createDocument } from '../../../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../../../core/openapi/schema-facts.ts';
import { printBody, typeOfBody } from '../../../../../mocks/handler/values/print-body.ts';

const document = createDocument('body.yaml', new Map([['body.yaml', {}]]));

function print(type: string, value: Json | undefined, schema: Schema = true, isExample = true): unknown {
  const body = printBody(type, { document, schema, value, isExample });
  return Buffer.isBuffer(body) ? body.toString() : body;
}

describe('a body', () => {
  it('of JSON stays a value', () => {
    expect(print('application/vnd.x+json; version=1', { a: 1 })).toEqual({ a: 1 });
  });

  it.each([
    'text/plain',
    'text/html',
    'text/csv',
    'text/event-stream',
    'application/x-ndjson',
    'application/xml',
    'application/octet-stream',
  ])('of the type %s is the text of its example', (type) => expect(print(type, '<a>\n1,2\n')).toBe('<a>\n1,2\n'));

  it('of a structure is written in the form of its type', () => {
    const rows = [{ id: 1, name: 'A, "B"' }, { id: 2 }];
    expect(print('text/csv', rows)).toBe('id,name\r\n1,"A, ""B"""\r\n2,\r\n');
    expect(print('application/x-ndjson', rows)).toBe('{"id":1,"name":"A, \\"B\\""}\n{"id":2}\n');
    expect(print('text/event-stream', [{ event: 'tick', data: { n: 1 } }, 5])).toBe('event: tick\ndata: {"n":1}\n\ndata: 5\n\n');
    expect(print('application/x-www-form-urlencoded', { a: 'x y', b: 2 })).toBe('a=x+y&b=2');
    expect(print('application/x-www-form-urlencoded', { a: ['x', 'y'], b: { c: 1 } })).toBe('a=x&a=y&b=%7B%22c%22%3A1%7D');
    expect(print('application/json-seq', [1, { a: 2 }])).toBe('\u001e1\n\u001e{"a":2}\n');
    expect(print('text/html', { a: 1 })).toBe('{"a":1}');
  });

  it('of parts has a boundary that its type names', () => {
    const text = String(print('multipart/form-data', { a: 'x', o: { k: 1 } }));
    expect(text).toContain('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nx\r\n');
    expect(text).toContain('name="o"\r\nContent-Type: application/json\r\n\r\n{"k":1}\r\n');
    const [, boundary] = /boundary=(.*)/.exec(typeOfBody('multipart/form-data')) ?? [];
    expect(text.startsWith(`--${boundary}\r\n`) && text.endsWith(`--${boundary}--\r\n`)).toBe(true);
    expect(typeOfBody('multipart/mixed; boundary=x')).toBe('multipart/mixed; boundary=x');
  });

  it('of XML has the names and attributes of its schema, or the element of Prism', () => {
    const item = { type: 'string', xml: { name: 'tag' } };
    const schema = {
      type: 'object',
      xml: { name: 'pet' },
      properties: { id: { type: 'integer', xml: { attribute: true } }, tags: { type: 'array', xml: { wrapped: true }, items: item } },
    };
    expect(print('application/xml', { id: 7, tags: ['a', 'b'] }, schema)).toBe('<pet id="7"><tags><tag>a</tag><tag>b</tag></tags></pet>');
    expect(print('application/xml', { title: 'x', n: 1 })).toBe('<xml><title>x</title><n>1</n></xml>');
    const pet = { type: 'object', xml: { name: 'pet', prefix: 'p', namespace: 'urn:x' }, properties: { tag: { xml: { prefix: 'p' } } } };
    expect(print('application/xml', { tag: 't' }, pet)).toBe('<p:pet xmlns:p="urn:x"><p:tag>t</p:tag></p:pet>');
    expect(print('application/problem+xml', [1, 2], { type: 'array', items: { xml: { name: 'n' } } })).toBe('<xml><n>1</n><n>2</n></xml>');
  });

  it('of a file without an example is a file of its type', () => {
    expect(print('application/pdf', 'string', true, false)).toMatch(/^%PDF-/);
    expect(print('image/png', undefined, true, false)).toContain('PNG');
    expect(print('audio/mpeg', 'string', true, false)).toBe('');
  });
});
