/** A committed pact does not depend on who makes it, when, or in which order its tests run. */

import { describe, expect, it } from 'vitest';
import { tidyPact } from '../../consumers/tidy.ts';

const menu = {
  description: 'a request for the menu',
  key: '17c0ffee',
  comments: { openBody: 'Its fields are not documented.', testname: 'x' },
  response: {
    status: 200,
    body: { content: { sections: [] }, contentType: 'application/json', encoded: false },
    matchingRules: { header: { ETag: { matchers: [] } }, body: { '$.sections': { matchers: [] } } },
  },
};
const order = { description: 'a request for an order', response: { body: { content: { id: 1 } }, status: 200 } };

function write(interactions: readonly unknown[], versions: unknown): string {
  return tidyPact(
    JSON.stringify({ metadata: { versions, pactSpecification: { version: '4.0' } }, interactions, provider: {}, consumer: {} }),
  );
}

describe('a tidy pact', () => {
  it('is the same for the same promises', () => {
    const one = write([menu, order], { ffi: '0.4' });
    expect(write([order, { ...menu, key: 'other' }], { ffi: '0.5', machine: 'mine' })).toBe(one);
    expect(write([order, { ...menu, description: 'another' }], {})).not.toBe(one);
    expect(tidyPact(one)).toBe(one);
  });

  it('promises nothing of a body that is open', () => {
    const [read] = (JSON.parse(write([menu], {})) as { readonly interactions: readonly unknown[] }).interactions;
    expect(read).toEqual({
      description: menu.description,
      comments: { text: ['Its fields are not documented.'] },
      response: {
        status: 200,
        body: { content: {}, contentType: 'application/json', encoded: false },
        matchingRules: { header: { ETag: { matchers: [] } }, body: { $: { combine: 'AND', matchers: [{ match: 'type' }] } } },
      },
    });
  });

  it('keeps every other body as it is', () => {
    expect(JSON.parse(write([order], {}))).toMatchObject({ interactions: [order] });
  });
});
