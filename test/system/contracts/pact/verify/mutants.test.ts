/** Mutants of the mock that concern a consumer: each fails the verification, with a message that names the problem. */

import { describe, expect, it, vi } from 'vitest';
import { startMock } from '../../../../../mocks/start-mock.ts';
import { verifyShipped } from './verifying.ts';

vi.setConfig({ testTimeout: 120_000 });

/** A mutant of the mock, the interaction that it affects, and the expected message. */
type Row = readonly [mutant: string, description: string, path: RegExp, diagnosis: RegExp];

/** Mutants at different operations, so that one run shows all of them. */
const runs: readonly (readonly [contract: string, rows: readonly Row[]])[] = [
  [
    'business',
    [
      [
        'field-of-other-type:listOrders.id',
        'a request for all orders',
        /^\$\.data\.orders\[\d+\]\.id$/,
        /^the type changed: .*\/id is a string, expected a number/,
      ],
      [
        'field-missing:listReservations.changed_at',
        'a request for all reservations',
        /\.changed_at$/,
        /^\/data\/reservations\/\d+\/changed_at is missing/,
      ],
      [
        'code-other:business.422',
        'a request for an order with an id that is none',
        /^\$\.error\.code$/,
        /^the error code at \/error\/code is wrong$/,
      ],
      ['envelope-missing:business.401', 'a request for the identity of an unknown key', /^\$\.error$/, /^\/error is missing$/],
      [
        'scope-unchecked:getMenuManifest',
        'a request for the manifest of the menu without that scope',
        /^$/,
        /^expected 403, got 200: the target accepts/,
      ],
      [
        'unchanged-never:getMenu',
        'a request for the menu that the till has',
        /^$/,
        /^expected 304, got 200: the target ignores its own ETag$/,
      ],
      ['tag-missing:getReservation', 'a request for a reservation', /^etag$/, /^the header etag is missing$/],
    ],
  ],
  [
    'business',
    [
      [
        'alternative-other-record:getOrder.code',
        'a request for an order by code',
        /code$/,
        /a different record from the one that code requests$/,
      ],
      ['absent-as-first:getReservation', 'a request for a reservation that is not there', /^$/, /^expected 404, got 200/],
      [
        'filter-ignored:listOrders.status',
        'a request for the orders that the kitchen works on',
        /\.status$/,
        /does not match the filter status/,
      ],
      ['next-cursor-missing:listOrders', 'a request for the first page of orders', /next_cursor$/, /^\/data\/page\/next_cursor is null$/],
      ['damaged-cursor-restarts:business', 'a request for reservations with a damaged cursor', /^$/, /^expected 422, got 200/],
      ['limit-clamped:listOrders', 'a request for too many orders at once', /^$/, /^expected 422, got 200/],
      [
        'bound-ignored:listReservations.date_from',
        'a request for the guests of a day',
        /\.schedule\.date$/,
        /does not match the filter date_from/,
      ],
      ['unchanged-always:getMenu', 'a request for the menu, of which the till has an older one', /^$/, /^expected 200, got 304/],
    ],
  ],
  [
    'business',
    [
      [
        'edge-skipped:listReservations',
        'a request for the next page of reservations',
        /^\$\.data\.reservations\[0\]\.id$/,
        /^the page omits a record that follows the previous page$/,
      ],
      ['detail-state-differs:getOrder', 'a request for an order by id', /^\$\.data\.order\.status$/, /^\/status differs from the list$/],
      ['detail-version-older:getReservation', 'a request for a reservation', /\.changed_at$/, /^\/changed_at differs from the list/],
    ],
  ],
  [
    'wiki',
    [
      ['filter-value-lost:listEntries.type', 'a request for creatures', /^\$\.data$/, /^the list at \/data is empty$/],
      ['page-gap:listEntries', 'a request for the second page', /^\$\.data\[0\]\.slug$/, /^the page omits a record that follows/],
      ['detail-version-older:getEntry', 'a request for an entry', /^\$\.data\.updated_at$/, /^\/updated_at differs from the list/],
    ],
  ],
  [
    'wiki',
    [
      [
        'code-other:wiki.404',
        'a request for an entry that is not there',
        /^\$\.error\.code$/,
        /^the error code at \/error\/code is wrong$/,
      ],
      ['filter-ignored:listEntries.type', 'a request for creatures', /\.type$/, /does not match the filter type/],
      [
        'page-number-ignored:listEntries.page',
        'a request for the second page',
        /\.slug$/,
        /^the page repeats records of the previous page$/,
      ],
      ['field-missing:getEntry.updated_at', 'a request for an entry', /\.updated_at$/, /^\/data\/updated_at is missing$/],
    ],
  ],
];

describe('a mutant that affects a consumer', () => {
  it.each(runs)('is found and named: %s', async (contract, rows) => {
    await using mock = await startMock({ contracts: [contract], mutants: rows.map(([mutant]) => mutant) });
    const { interactions, exitCode } = await verifyShipped([contract], mock, { only: rows.map(([, description]) => description) });
    expect(exitCode).toBe(1);
    for (const [mutant, description, path, diagnosis] of rows) {
      const { verdict, failures = [], reason } = interactions.find((each) => each.description === description) ?? {};
      expect({ mutant, verdict, reason }).toEqual({ mutant, verdict: 'failed', reason: undefined });
      const named = failures.filter((each) => path.test(each.path) && diagnosis.test(each.diagnosis ?? ''));
      expect({ mutant, named, all: named.length > 0 ? [] : failures }).toEqual({ mutant, named: [expect.anything()], all: [] });
    }
  });
});
