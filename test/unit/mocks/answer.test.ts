/** Answers as messages and as responses: bytes outside, and a text only for whoever looks at it. */

import { describe, expect, it, vi } from 'vitest';
import { asResponse, toMessage } from '../../../mocks/answer.ts';
import { fillAround, frameOf, JsonBytes, joinList } from '../../../mocks/json-bytes.ts';

describe('a message', () => {
  it('has its body as JSON in UTF-8, and says so', () => {
    const { headers, bytes } = toMessage({ status: 200, headers: { etag: '"a"' }, body: { name: 'Caffè – €' } });
    expect(bytes).toEqual(Buffer.from('{"name":"Caffè – €"}'));
    expect(headers).toEqual({ etag: '"a"', 'content-type': 'application/json; charset=utf-8' });
  });

  it('keeps the type that its headers name', () => {
    const answer = { status: 400, headers: { 'content-type': 'application/problem+json' }, body: {} };
    expect(toMessage(answer).headers['content-type']).toBe('application/problem+json; charset=utf-8');
  });

  it('that is bytes already is those bytes, and tells the cursor that they give', () => {
    const bytes = Buffer.from('{"next":"c"}');
    const message = toMessage({ status: 200, headers: {}, body: new JsonBytes({ bytes }, 'c') });
    expect(message.bytes).toBe(bytes);
    expect(message.next).toBe('c');
  });

  it('without a body has neither bytes nor a type', () => {
    expect(toMessage({ status: 304, headers: {}, body: undefined })).toEqual({ status: 304, headers: {}, bytes: Buffer.alloc(0) });
  });
});

describe('a message as a response', () => {
  const bytes = Buffer.from('"Caffè"');
  const response = asResponse({ status: 200, headers: {}, bytes });

  it('has a text, whoever copies it, and however it is compared or printed', () => {
    const expected = { status: 200, headers: {}, body: '"Caffè"' };
    expect(response).toEqual(expected);
    expect({ ...response }).toEqual(expected);
    expect({ ...response, status: 404 }.body).toBe('"Caffè"');
    expect({ ...response, body: 'other' }.body).toBe('other');
    expect(JSON.parse(JSON.stringify(response))).toEqual(expected);
  });

  it('makes the text only when somebody looks at it', () => {
    const read = vi.spyOn(bytes, 'toString');
    const fresh = asResponse({ status: 200, headers: {}, bytes });
    expect([fresh.status, fresh.headers, read.mock.calls.length]).toEqual([200, {}, 0]);
    expect([fresh.body, read.mock.calls.length]).toEqual(['"Caffè"', 1]);
    read.mockRestore();
  });
});

describe('a frame', () => {
  const constants = { ok: true, data: { kind: 'list' } };

  it('has its first place between two texts, and the values of the others in them, wherever those stand', () => {
    const frame = frameOf(constants, ['/data/things', '/data/page/more', '/count']);
    const [before, after] = fillAround(frame, ['false', '"1"']);
    expect(`${before}[2]${after}`).toBe('{"ok":true,"data":{"kind":"list","things":[2],"page":{"more":false}},"count":"1"}');
    const [early, late] = fillAround(frameOf({ rest: [], data: {} }, ['/last', '/data/first']), ['{}']);
    expect(`${early}null${late}`).toBe('{"rest":[],"data":{"first":{}},"last":null}');
  });

  it('may be nothing but its place', () => {
    expect(fillAround(frameOf({}, ['']), [])).toEqual(['', '']);
  });

  it.each([0, 1, 2, 5])('takes a list of %d elements that are bytes already', (count) => {
    const elements = Array.from({ length: count }, (_, index) => ({ index, name: 'è' }));
    const [before, after] = fillAround(frameOf(constants, ['/data/things']), []);
    const printed = elements.map((element) => Buffer.from(JSON.stringify(element)));
    expect(joinList(before, printed, after).bytes.toString()).toBe(JSON.stringify({ ok: true, data: { kind: 'list', things: elements } }));
  });
});
