/** The till's pact with the service: who its key belongs to, and the menu. The fields of these bodies are not documented. */

import { MatchersV3 } from '@pact-foundation/pact';
import { describe, expect, it } from 'vitest';
import { startPactVerifier } from '../interaction.ts';
import { failure, failureOf, givenTag, keyed, withTag } from './promised.ts';
import { createStore } from './store.ts';
import { createTill } from './till.ts';

const { string } = MatchersV3;
const play = startPactVerifier('point-of-sale', 'business');
const root = '/api/integrations/v1';
const open = 'The names of the fields are not documented, so the till relies on none of them.';
const menu = { sections: [{ name: 'Primi', products: [{ name: 'Tagliatelle al ragù' }] }] };

describe('the identity of the key', () => {
  it('is some object', async () => {
    const identity = {
      description: 'a request for the identity of the key',
      path: `${root}/whoami.php`,
      headers: keyed,
      status: 200,
      open,
    };
    const body = { business: { name: 'Trattoria da Nino' } };
    expect(await play({ ...identity, body }, (url) => createTill(url).service.identity())).toEqual(body);
  });

  it('is refused to a key that is unknown, and the till stops', async () => {
    const asked = { description: 'a request for the identity of an unknown key', path: `${root}/whoami.php`, headers: keyed };
    const refused = play({ ...asked, given: { 'the key is unknown': {} }, status: 401, body: failureOf('UNAUTHORIZED') }, (url) =>
      createTill(url).service.identity().catch(String),
    );
    expect(await refused).toMatch(/^KeyRefused: the service refuses the key.*\(request req-5b0e40\)$/);
  });

  it('is refused to a key that may not ask', async () => {
    const asked = { description: 'a request for the identity of a key without that scope', path: `${root}/whoami.php`, headers: keyed };
    const refused = play(
      { ...asked, given: { 'the key lacks the scope identity': {} }, status: 403, body: failureOf('FORBIDDEN') },
      (url) => createTill(url).service.identity().catch(String),
    );
    expect(await refused).toMatch(/^NotAllowed: the key may not do this/);
  });
});

describe('the manifest of the menu', () => {
  const asked = { path: `${root}/menus/manifest.php`, headers: keyed };

  it('is some object', async () => {
    const interaction = {
      ...asked,
      description: 'a request for the manifest of the menu',
      given: { 'the menu exists': {} },
      status: 200,
      open,
    };
    const body = { version: '2026-10-01.2' };
    expect(await play({ ...interaction, body }, (url) => createTill(url).service.manifest())).toEqual(body);
  });

  it('is not there when there is no menu, and the till drops its own', async () => {
    const interaction = {
      ...asked,
      description: 'a request for the manifest of a menu that is not there',
      given: { 'no menu exists': {} },
    };
    const store = { ...createStore(), menu: { value: menu, etag: '"5b0e1f"', manifest: '{}' } };
    const outcome = await play({ ...interaction, status: 404, body: failure(string('MENU_NOT_FOUND')) }, (url) =>
      createTill(url, { store }).syncMenu(),
    );
    expect(outcome).toBe('none');
    expect(store.menu).toBeUndefined();
  });

  it('is refused to a key that may not read menus, and the till says so', async () => {
    const interaction = { ...asked, description: 'a request for the manifest of the menu without that scope' };
    const given = { 'the key lacks the scope menu': {} };
    const refused = play({ ...interaction, given, status: 403, body: failureOf('FORBIDDEN') }, (url) =>
      createTill(url).syncMenu().catch(String),
    );
    expect(await refused).toMatch(/^NotAllowed/);
  });
});

describe('the menu', () => {
  const asked = { path: `${root}/menus/current.php`, given: { 'the menu exists': {} } };

  it('is some object with an ETag', async () => {
    const interaction = { ...asked, description: 'a request for the menu', headers: keyed, status: 200, responseHeaders: withTag, open };
    const read = await play({ ...interaction, body: menu }, (url) => createTill(url).service.menu());
    expect(read).toEqual({ value: menu, etag: '"5b0e1f"' });
  });

  it('is not sent again while it is the same', async () => {
    const interaction = {
      ...asked,
      description: 'a request for the menu that the till has',
      headers: { ...keyed, 'If-None-Match': givenTag },
    };
    expect(await play({ ...interaction, status: 304 }, (url) => createTill(url).service.menu('"5b0e1f"'))).toBe('unchanged');
  });

  it('is sent again when the one that the till has is an old one', async () => {
    const headers = { ...keyed, 'If-None-Match': '"an-older-menu"' };
    const interaction = { ...asked, description: 'a request for the menu, of which the till has an older one', headers, status: 200 };
    const read = await play({ ...interaction, responseHeaders: withTag, open, body: menu }, (url) =>
      createTill(url).service.menu('"an-older-menu"'),
    );
    expect(read).toEqual({ value: menu, etag: '"5b0e1f"' });
  });

  it('is not there when there is none', async () => {
    const interaction = {
      ...asked,
      description: 'a request for a menu that is not there',
      given: { 'no menu exists': {} },
      headers: keyed,
    };
    expect(
      await play({ ...interaction, status: 404, body: failure(string('MENU_NOT_FOUND')) }, (url) => createTill(url).service.menu()),
    ).toBe('missing');
  });
});
