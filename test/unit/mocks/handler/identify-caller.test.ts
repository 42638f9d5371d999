/** Identification of the caller: carriers of a key, and missing scopes. */

import { describe, expect, it } from 'vitest';
import type { HttpHeaders } from '../../../../core/http/exchange.ts';
import type { Credential, Operation } from '../../../../core/openapi/operation.ts';
import type { Identification } from '../../../../mocks/handler/call.ts';
import { identify } from '../../../../mocks/handler/identify-caller.ts';
import { createMock } from '../../../../mocks/handler/mock.ts';
import { fixture } from '../../../helpers/judged-mock.ts';
import { serveApi } from '../../../helpers/served.ts';

const header: Credential = { scheme: 'serviceKey', isToken: false, scopes: ['admin'], carrier: { in: 'header', name: 'X-Key' } };
const bearer: Credential = { scheme: 'bearer', isToken: false, scopes: ['admin'], carrier: { in: 'authorization', word: 'Bearer' } };
const basic: Credential = { scheme: 'basic', isToken: false, scopes: [], carrier: { in: 'authorization', word: 'Basic' } };
const query: Credential = { scheme: 'query', isToken: false, scopes: [], carrier: { in: 'query', name: 'api key' } };
const cookie: Credential = { scheme: 'cookie', isToken: false, scopes: [], carrier: { in: 'cookie', name: 'session' } };

describe('identifying a caller', async () => {
  const api = await serveApi(fixture('parcels'));
  const [operation] = api.contract.operations;
  const key = (role: string): string => api.keys.byRole.get(role) ?? '';

  function ask(security: Operation['security'], headers: HttpHeaders, target = '/v2/parcels'): Identification {
    if (operation === undefined) throw new Error('the fixture has lost its operations');
    const asked = { ...operation, security };
    const mock = createMock([{ api: { ...api, contract: { ...api.contract, operations: [asked] } } }], () => undefined);
    return identify(asked, mock.receive({ method: 'GET', target, headers }));
  }

  const either = [[header], [bearer]];

  it('reads the key from both documented carriers', () => {
    expect(ask(either, { 'x-key': key('full') })).toMatchObject({ kind: 'caller', lacking: [], holder: { role: 'full' } });
    expect(ask(either, { authorization: `Bearer ${key('other')}` })).toMatchObject({ kind: 'caller', holder: { role: 'other' } });
  });

  it.each(['bearer', 'BEARER', 'bEaReR'])('reads the scheme %s as Bearer (RFC 9110 §11.1)', (word) => {
    expect(ask(either, { authorization: `${word} ${key('full')}` })).toMatchObject({ kind: 'caller' });
  });

  it('allows any number of spaces around a key', () => {
    expect(ask(either, { authorization: `  Bearer    ${key('full')}  ` })).toMatchObject({ kind: 'caller' });
    expect(ask(either, { 'x-key': ` ${key('full')} ` })).toMatchObject({ kind: 'caller' });
  });

  it.each(['Bearer', 'Bearer ', 'Basic abc', 'Token', '', 'BearerX'])('finds no caller in "Authorization: %s"', (authorization) => {
    expect(ask(either, { authorization })).toMatchObject({ kind: 'stranger' });
  });

  it('does not accept a key with text before or after it', () => {
    expect(ask(either, { authorization: `Bearer ${key('full')} x` })).toMatchObject({ kind: 'stranger' });
    expect(ask(either, { authorization: `Bearer Bearer ${key('full')}` })).toMatchObject({ kind: 'stranger' });
    expect(ask(either, { 'x-key': `Bearer ${key('full')}` })).toMatchObject({ kind: 'stranger' });
  });

  it('uses the first documented carrier if the request has both', () => {
    const both = { 'x-key': key('other'), authorization: `Bearer ${key('full')}` };
    expect(ask(either, both)).toMatchObject({ holder: { role: 'other' } });
    expect(ask([[bearer], [header]], both)).toMatchObject({ holder: { role: 'full' } });
    expect(ask(either, { ...both, 'x-key': 'wrong' })).toMatchObject({ kind: 'stranger' });
  });

  it('explains how to send a key, and never repeats a wrong key', () => {
    expect(ask(either, {})).toEqual({
      kind: 'stranger',
      key: 'missing',
      reason: 'No key was sent. Send one as the header X-Key or as "Authorization: Bearer KEY".',
    });
    expect(ask(either, { 'x-key': 'my-secret' })).toEqual({ kind: 'stranger', key: 'unknown', reason: 'This key is not valid.' });
    expect(ask(either, { 'x-key': key('expired') })).toEqual({ kind: 'stranger', key: 'expired', reason: 'This key has expired.' });
  });

  it('names the scopes that the key lacks', () => {
    expect(ask(either, { 'x-key': key('without:admin') })).toMatchObject({ kind: 'caller', lacking: ['admin'] });
    expect(ask(either, { 'x-key': key('without:track') })).toMatchObject({ kind: 'caller', lacking: [] });
  });

  it('accepts everybody if the operation needs no key, or an optional one', () => {
    expect(ask([], {})).toMatchObject({ kind: 'caller', holder: { tenant: 'full' }, lacking: [] });
    expect(ask([[], [header]], {})).toMatchObject({ kind: 'caller', lacking: [] });
    expect(ask([[header], []], {})).toMatchObject({ kind: 'caller', lacking: [] });
  });

  it('reads a key in the query, percent-encoded as clients may send it', () => {
    const encoded = [...key('full')].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    expect(ask([[query]], {}, `/v2/parcels?x=1&api%20key=${key('full')}`)).toMatchObject({ kind: 'caller' });
    expect(ask([[query]], {}, `/v2/parcels?api+key=${encoded}`)).toMatchObject({ kind: 'caller' });
    expect(ask([[query]], {}, '/v2/parcels?api+key=%')).toMatchObject({ kind: 'stranger' });
    expect(ask([[query]], { 'x-key': key('full') }, '/v2/parcels')).toMatchObject({ kind: 'stranger' });
  });

  it('reads a key in a cookie among others', () => {
    expect(ask([[cookie]], { cookie: `theme=dark; session=${key('full')}; a=b` })).toMatchObject({ kind: 'caller' });
    expect(ask([[cookie]], { cookie: `xsession=${key('full')}` })).toMatchObject({ kind: 'stranger' });
  });

  it('reads a key as the password or the name of Basic', () => {
    const encode = (text: string): string => Buffer.from(text).toString('base64');
    expect(ask([[basic]], { authorization: `Basic ${encode(`me:${key('full')}`)}` })).toMatchObject({ holder: { role: 'full' } });
    expect(ask([[basic]], { authorization: `Basic ${encode(`${key('other')}:`)}` })).toMatchObject({ holder: { role: 'other' } });
    expect(ask([[basic]], { authorization: 'Basic !!!' })).toMatchObject({ kind: 'stranger' });
  });

  it('requires all credentials of an alternative (OpenAPI 3.1 §4.8.30)', () => {
    expect(ask([[header, cookie]], { 'x-key': key('full') })).toMatchObject({ kind: 'stranger' });
    expect(ask([[header, cookie]], { cookie: `session=${key('full')}` })).toMatchObject({ kind: 'stranger' });
    expect(ask([[header, cookie]], { 'x-key': key('full'), cookie: `session=${key('full')}` })).toMatchObject({ kind: 'caller' });
  });

  it('uses the next alternative if a credential of one is missing', () => {
    expect(ask([[header, cookie], [bearer]], { 'x-key': key('other'), authorization: `Bearer ${key('full')}` })).toMatchObject({
      holder: { role: 'full' },
    });
  });
});
