import { describe, expect, it } from 'vitest';
import { findCredentials } from '../../../../../../contracts/verify/rules/examinations/find-leaked-credentials.ts';
import type { Json } from '../../../../../../core/json.ts';

/** Findings in a body, with pointers. */
function found(body: Json, exempt: readonly string[] = []): readonly string[] {
  return findCredentials(body, exempt).map(({ pointer }) => pointer);
}

describe('findCredentials', () => {
  it('finds keys, references, tokens and members that hold a credential', () => {
    const secret = `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`;
    expect(found({ a: secret, b: ['pi_3OqXkL2eZvKYlo2C0000000012'], c: { password: 'hunter2-s3cret!' } })).toEqual([
      '/a',
      '/b/0',
      '/c/password',
    ]);
    expect(found({ card_number: '4242 4242 4242 4242', token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkw.c2lnbmF0dXJlc2ln' })).toEqual([
      '/card_number',
      '/token',
    ]);
  });

  it('leaves alone what could be something else', () => {
    const body: Json = {
      id: 4242424242424242,
      phone: '+39 347 000 1122',
      code: 'pi_extra_large_pepperoni',
      reference: '4242424242424242',
      notes: 'my password is not here, and sk_live_ is no key',
      wifi: { password: 'welcome-to-us' },
      password: '••••••',
      card_number: '4242 **** **** 4242',
      loyalty_card: '4242424242424242',
    };
    expect(found(body)).toEqual([]);
  });

  it('does not look at what is opaque', () => {
    const cursor = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkw.c2lnbmF0dXJlc2ln';
    expect(found({ page: { next: cursor } })).toEqual(['/page/next']);
    expect(found({ page: { next: cursor } }, ['/page/next'])).toEqual([]);
  });
});
