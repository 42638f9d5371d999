/** Knows the single reads of the business API: how a record is asked for, found within its business, and shown. */

import { findByCode } from './codes.ts';
import { conditionally, type Tagged, tagOf, unchanged } from './conditional.ts';
import { tenants } from './data-rows.ts';
import { declared, given, invalid, wholeNumber } from './parameters.ts';
import type { Row } from './record.ts';
import { type Asked, Failure, header, type Reply } from './reply.ts';
import type { Setup } from './setup.ts';
import type { Shape } from './shapes.ts';
import { deviatingRow } from './single-faults.ts';
import type { Table } from './world.ts';

/** What a single read asks for. */
export type Lookup = { readonly id: number } | { readonly code: string; readonly raw: string } | 'latest';

/** A kind of record that can be read by itself. */
export interface SingleKind<R extends Row> {
  readonly name: string;
  readonly absent: string;
  readonly byCode: boolean;
  readonly shape: (row: R) => Shape;
}

/** The single read of a table. */
export interface Single {
  readonly read: (asked: Asked) => Lookup;
  readonly answer: (tenant: string, lookup: Lookup, asked: Asked) => Reply;
  /** Whether the request holds the current tag of what it asks for, whoever asks: only deviations want to know. */
  readonly holdsTag: (asked: Asked) => boolean;
  /** Whether the id that was sent is well formed and belongs to no record, whatever else is wrong with the request. */
  readonly clearlyAbsent: (tenant: string, asked: Asked) => boolean;
}

/** Opens the single read of a table. */
export function makeSingle<R extends Row>(setup: Setup, kind: SingleKind<R>, table: Table<R>): Single {
  const find = (tenant: string, lookup: Lookup): R | undefined => {
    const rows = table.rows(tenant);
    if (lookup === 'latest') return [...rows.values()].sort((one, other) => other.changed - one.changed)[0];
    if ('id' in lookup) return rows.get(lookup.id);
    return findByCode(setup, rows, lookup.code, lookup.raw);
  };
  const tagged = (row: R, lookup: Lookup): Tagged => {
    const shown = kind.shape(deviatingRow(setup, row, lookup !== 'latest' && 'code' in lookup));
    return { json: placed(setup, kind.name, row.id, shown), kind: kind.name, id: row.id, changed: row.changed };
  };
  const foreign = (tenant: string, lookup: Lookup): R | undefined =>
    tenants
      .filter((other) => other !== tenant)
      .map((other) => find(other, lookup))
      .find((row) => row !== undefined);
  const answer = (tenant: string, lookup: Lookup, asked: Asked): Reply => {
    const row = find(tenant, lookup);
    if (row !== undefined && !(setup.faulty('detail-missing') && row.status === 'cancelled'))
      return conditionally(setup, asked, tagged(row, lookup));
    const stranger = foreign(tenant, lookup);
    if (stranger !== undefined) {
      const told = toldOfForeign(setup, asked, tagged(stranger, lookup), lookup);
      if (told !== undefined) return told;
    }
    return absent(setup, kind, asked);
  };
  return {
    read: (asked) => readLookup(setup, kind.byCode, asked),
    answer,
    holdsTag: (asked) => {
      const lookup = readLookup(setup, kind.byCode, asked);
      const row = foreign('', lookup);
      return row !== undefined && unchanged(setup, asked, tagOf(setup, tagged(row, lookup), asked.moment));
    },
    clearlyAbsent: (tenant, asked) => {
      const id = asked.query.get('id') ?? '';
      return /^[1-9]\d{0,14}$/.test(id) && !table.rows(tenant).has(Number(id));
    },
  };
}

function readLookup(setup: Setup, byCode: boolean, asked: Asked): Lookup {
  declared(setup, asked, byCode ? ['id', 'code'] : ['id']);
  const id = given(setup, asked, 'id');
  const code = byCode ? given(setup, asked, 'code') : undefined;
  if (id !== undefined && code !== undefined && !setup.faulty('both-accepted')) throw invalid(setup, 'give either id or code, not both');
  if (code !== undefined && id === undefined) return { code, raw: /(?:^|&)code=([^&]*)/.exec(asked.rawQuery)?.[1] ?? '' };
  if (id === undefined) {
    if (byCode && setup.faulty('none-accepted')) return 'latest';
    throw invalid(setup, byCode ? 'give id or code' : 'id is required');
  }
  return { id: readId(setup, id) };
}

function readId(setup: Setup, text: string): number {
  const digits = setup.faulty('id-prefix-read') ? (/^\d+/.exec(text)?.[0] ?? text) : text;
  const min = setup.faulty('id-zero-absent') && digits === '0' ? 0 : 1;
  if (setup.faulty('huge-id-crash') && Number(digits) > 2 ** 31 - 1) throw new Failure(500, 'INTERNAL_ERROR', 'integer out of range');
  const id = wholeNumber(setup, 'id', digits, { min, max: Number.MAX_VALUE });
  if (id === undefined) throw invalid(setup, 'id is required');
  return id;
}

/** Where a record stands in the body of its own page. */
function placed(setup: Setup, name: string, id: number, shown: Shape): unknown {
  const ok = setup.choice('success-ok') === 'present' ? { ok: true } : {};
  const place = setup.choice('detail-place');
  const elsewhere = setup.faulty('place-varies') && id % 2 === 1;
  if (place === 'root' && !elsewhere) return { ...ok, ...shown };
  if (place === 'data' && !elsewhere) return { ...ok, data: shown };
  if (place === 'data-name' && elsewhere) return { ...ok, data: shown };
  return { ...ok, data: { [name]: shown } };
}

function toldOfForeign(setup: Setup, asked: Asked, found: Tagged, lookup: Lookup): Reply | undefined {
  const byCode = lookup !== 'latest' && 'code' in lookup;
  if (setup.faulty(byCode ? 'foreign-by-code' : 'foreign-by-id')) return conditionally(setup, asked, found);
  if (setup.faulty('foreign-forbidden')) throw new Failure(403, 'FORBIDDEN', 'The API key does not open this');
  if (setup.faulty('foreign-unchanged') && unchanged(setup, asked, tagOf(setup, found, asked.moment))) return { status: 304 };
  if (setup.faulty('foreign-told'))
    throw new Failure(404, found.kind === 'order' ? 'ORDER_NOT_FOUND' : 'RESERVATION_NOT_FOUND', 'This belongs to another business');
  return undefined;
}

function absent<R extends Row>(setup: Setup, kind: SingleKind<R>, asked: Asked): Reply {
  if (setup.faulty('failure-unchanged') && header(asked, 'if-none-match') !== undefined) return { status: 304 };
  if (setup.faulty('absent-empty')) return { status: 200, headers: { etag: '"nothing"' }, json: { ok: true, data: null } };
  const code = setup.faulty('other-absent-code') ? 'NOT_FOUND' : kind.absent;
  throw new Failure(setup.faulty('gone') ? 410 : 404, code, `There is no such ${kind.name}`);
}
