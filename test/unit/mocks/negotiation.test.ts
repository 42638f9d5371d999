/** The header Prefer: which of its words are ours, and how RFC 7240 wants it read. */

import { describe, expect, it } from 'vitest';
import { readPreference } from '../../../mocks/negotiation.ts';

function read(prefer: string | readonly string[] | undefined): ReturnType<typeof readPreference> {
  return readPreference({ method: 'GET', target: '/', headers: prefer === undefined ? {} : { prefer } });
}

const nothing = { code: undefined, example: undefined, dynamic: false };

describe('Prefer', () => {
  it('may be absent, empty, or ask for what is none of our business', () => {
    for (const field of [undefined, '', ',', 'respond-async', 'return=minimal; foo="some parameter"', 'wait=10, handling=lenient']) {
      expect(read(field)).toBeUndefined();
    }
  });

  it('asks for a status', () => {
    expect(read('code=404')).toEqual({ ...nothing, code: 404 });
  });

  it('asks for a named example, and for an example of a status', () => {
    expect(read('example=first-page')).toEqual({ ...nothing, example: 'first-page' });
    expect(read('code=503, example=ORDERS_NOT_READY')).toEqual({ ...nothing, code: 503, example: 'ORDERS_NOT_READY' });
  });

  it('asks for content made up from the schema', () => {
    for (const field of ['dynamic=true', 'dynamic', 'dynamic="true"']) expect(read(field)).toEqual({ ...nothing, dynamic: true });
  });

  it('asks for nothing with dynamic=false', () => {
    expect(read('dynamic=false')).toBeUndefined();
  });

  it('has names in any case, and spaces wherever they may be', () => {
    expect(read('Code = 404 ,\tEXAMPLE="x"')).toEqual({ ...nothing, code: 404, example: 'x' });
  });

  it('may stand among the preferences of others', () => {
    expect(read('respond-async, code=404; by=me, wait=3')).toEqual({ ...nothing, code: 404 });
  });

  it('may be sent in several lines', () => {
    expect(read(['respond-async', 'code=404'])).toEqual({ ...nothing, code: 404 });
  });

  it('counts the first when a preference is given twice (RFC 7240 §2)', () => {
    expect(read('code=404, code=429')).toEqual({ ...nothing, code: 404 });
    expect(read(['example=a', 'example=b'])).toEqual({ ...nothing, example: 'a' });
  });

  it('may have commas, semicolons and equals signs in a quoted value', () => {
    expect(read('example="a, b; c=d", code=200')).toEqual({ ...nothing, code: 200, example: 'a, b; c=d' });
  });
});
