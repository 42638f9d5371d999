/** Single reads of the business API: a record is found by id or code, tagged, and answered with 200, 304 or 404. */

import { createHash } from 'node:crypto';
import type { Shape } from './business-json.ts';
import { declared, given, invalid, wholeNumber } from './business-parameters.ts';
import { type BusinessRow, tenants } from './business-records.ts';
import { ApiError, header, type OutgoingReply, type ReceivedRequest } from './http-messages.ts';
import type { LiveTable, RecordKey } from './live-data.ts';
import type { Setup } from './server-setup.ts';

/** A content with a tag, and the parts that a defective tag is made of. */
export interface TaggedContent {
  readonly json: unknown;
  readonly kind: string;
  readonly id: number;
  readonly changed: number;
}

/** The answer to a read of that content: 200 with its tag, or 304. */
export function conditionally(setup: Setup, request: ReceivedRequest, content: TaggedContent): OutgoingReply {
  const tag = tagOf(setup, content, request.moment);
  const shown = setup.has('tag-missing') ? {} : { etag: tag };
  if (!unchanged(setup, request, tag)) return { status: 200, headers: shown, json: content.json };
  const other = setup.has('unchanged-other-tag') ? { etag: '"another"' } : shown;
  const forbiddenBody = setup.has('unchanged-with-body') ? { forbiddenBody: JSON.stringify(content.json) } : {};
  return { status: 304, headers: setup.choice('not-modified-tag') === 'present' ? other : otherOnly(setup, other), ...forbiddenBody };
}

/** True when the request holds the content with this tag. */
export function unchanged(setup: Setup, request: ReceivedRequest, tag: string): boolean {
  const sent = header(request, 'if-none-match');
  if (sent === undefined || setup.has('never-unchanged')) return false;
  if (setup.has('always-unchanged')) return true;
  if (setup.choice('if-none-match') === 'one-tag') return sent.trim() === tag;
  if (sent.trim() === '*') return true;
  return opaqueTags(sent).includes(tag.replace(/^W\//, ''));
}

/** The tag of a content. */
export function tagOf(setup: Setup, content: TaggedContent, moment: number): string {
  const opaque = createHash('sha256')
    .update(tagSource(setup, content, moment))
    .digest('hex')
    .slice(0, 24);
  if (setup.has('bare-tag')) return opaque;
  return setup.choice('etag') === 'weak' ? `W/"${opaque}"` : `"${opaque}"`;
}

function tagSource(setup: Setup, { json, kind, id, changed }: TaggedContent, moment: number): string {
  if (setup.has('tag-constant')) return kind;
  if (setup.has('tag-of-id')) return `${kind} ${id}`;
  if (setup.has('tag-of-instant')) return String(changed);
  return setup.has('tag-per-request') ? String(moment) : JSON.stringify(json);
}

/** The tags of a list, compared weakly: the mark of a weak tag does not count. A tag may hold commas, so quotes decide. */
function opaqueTags(sent: string): readonly string[] {
  const quoted = sent.match(/"[^"]*"/g) ?? [];
  return quoted.length > 0 ? quoted : sent.split(',').map((tag) => tag.trim());
}

function otherOnly(setup: Setup, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return setup.has('unchanged-other-tag') ? headers : {};
}

/** The record with that code: the newest id where a code was used again. */
function findByCode<R extends BusinessRow>(setup: Setup, rows: ReadonlyMap<RecordKey, R>, code: string, raw: string): R | undefined {
  if (setup.has('code-crash') && /[^ -~]/.test(code)) throw new ApiError(500, 'INTERNAL_ERROR', 'incorrect string value');
  if (setup.has('code-not-decoded') && escapesLetters(raw)) return undefined;
  const exact = newest(rows, (candidate) => candidate === code);
  const found = exact ?? loosely(setup, rows, code);
  if (found === undefined && setup.has('code-quote-crash') && code.includes("'")) {
    throw new ApiError(500, 'INTERNAL_ERROR', 'syntax error near the end of the statement');
  }
  return found;
}

/** True when a letter or digit is percent-encoded without need. */
export function escapesLetters(raw: string): boolean {
  return /%(3\d|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i.test(raw);
}

/** A pattern with % and _ as a database reads it. */
export function likePattern(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'su');
}

function loosely<R extends BusinessRow>(setup: Setup, rows: ReadonlyMap<RecordKey, R>, code: string): R | undefined {
  const folded = code.toLowerCase();
  if (setup.choice('code-case') === 'insensitive') return newest(rows, (candidate) => candidate.toLowerCase() === folded);
  if (setup.has('code-prefix')) return newest(rows, (candidate) => candidate.startsWith(code));
  if (setup.has('code-wildcard')) return newest(rows, (candidate) => likePattern(code).test(candidate));
  return undefined;
}

function newest<R extends BusinessRow>(rows: ReadonlyMap<RecordKey, R>, fits: (code: string) => boolean): R | undefined {
  let found: R | undefined;
  for (const row of rows.values()) {
    const code = 'code' in row && typeof row.code === 'string' ? row.code : undefined;
    if (code !== undefined && fits(code) && (found === undefined || row.id > found.id)) found = row;
  }
  return found;
}

/** The record as its own page shows it. */
function detailRow<R extends BusinessRow>(setup: Setup, row: R, byCode: boolean): R {
  if (setup.has('detail-differs')) return { ...row, customer: { ...row.customer, name: row.customer.name.toUpperCase() } };
  if (setup.has('detail-stale') && row.rank % 2 === 0) return { ...row, status: row.status === 'pending' ? 'confirmed' : 'pending' };
  if (setup.has('code-gives-neighbour') && byCode) return { ...row, status: row.status === 'pending' ? 'confirmed' : 'pending' };
  return row;
}

/** The identifier in a single read; `latest` only by a defect. */
type Lookup = { readonly id: number } | { readonly code: string; readonly raw: string } | 'latest';

/** A kind of record that can be read by itself. */
interface SingleKind<R extends BusinessRow> {
  readonly name: string;
  readonly absent: string;
  readonly byCode: boolean;
  readonly shape: (row: R) => Shape;
}

/** The single read of a table. */
export interface Single {
  readonly read: (request: ReceivedRequest) => Lookup;
  readonly answer: (tenant: string, lookup: Lookup, request: ReceivedRequest) => OutgoingReply;
  /** True when the request holds the current tag of its record, with whatever key: only defects use it. */
  readonly holdsTag: (request: ReceivedRequest) => boolean;
  /** True when the id is well formed and belongs to no record, even if other parameters are invalid. */
  readonly clearlyAbsent: (tenant: string, request: ReceivedRequest) => boolean;
}

/** Opens the single read of a table. */
export function makeSingle<R extends BusinessRow>(setup: Setup, kind: SingleKind<R>, table: LiveTable<R>): Single {
  const find = (tenant: string, lookup: Lookup): R | undefined => {
    const rows = table.rows(tenant);
    if (lookup === 'latest') return [...rows.values()].sort((one, other) => other.changed - one.changed)[0];
    if ('id' in lookup) return rows.get(lookup.id);
    return findByCode(setup, rows, lookup.code, lookup.raw);
  };
  const tagged = (row: R, lookup: Lookup): TaggedContent => {
    const shown = kind.shape(detailRow(setup, row, lookup !== 'latest' && 'code' in lookup));
    return { json: placed(setup, kind.name, row.id, shown), kind: kind.name, id: row.id, changed: row.changed };
  };
  const foreign = (tenant: string, lookup: Lookup): R | undefined =>
    tenants
      .filter((other) => other !== tenant)
      .map((other) => find(other, lookup))
      .find((row) => row !== undefined);
  const answer = (tenant: string, lookup: Lookup, request: ReceivedRequest): OutgoingReply => {
    const row = find(tenant, lookup);
    if (row !== undefined && !(setup.has('detail-missing') && row.status === 'cancelled'))
      return conditionally(setup, request, tagged(row, lookup));
    const foreignRow = foreign(tenant, lookup);
    if (foreignRow !== undefined) {
      const reply = foreignReply(setup, request, tagged(foreignRow, lookup), lookup);
      if (reply !== undefined) return reply;
    }
    return absent(setup, kind, request);
  };
  return {
    read: (request) => readLookup(setup, kind.byCode, request),
    answer,
    holdsTag: (request) => {
      const lookup = readLookup(setup, kind.byCode, request);
      const row = foreign('', lookup);
      return row !== undefined && unchanged(setup, request, tagOf(setup, tagged(row, lookup), request.moment));
    },
    clearlyAbsent: (tenant, request) => {
      const id = request.query.get('id') ?? '';
      return /^[1-9]\d{0,14}$/.test(id) && !table.rows(tenant).has(Number(id));
    },
  };
}

function readLookup(setup: Setup, byCode: boolean, request: ReceivedRequest): Lookup {
  declared(setup, request, byCode ? ['id', 'code'] : ['id']);
  const id = given(setup, request, 'id');
  const code = byCode ? given(setup, request, 'code') : undefined;
  if (id !== undefined && code !== undefined && !setup.has('both-accepted')) throw invalid(setup, 'give either id or code, not both');
  if (code !== undefined && id === undefined) return { code, raw: /(?:^|&)code=([^&]*)/.exec(request.rawQuery)?.[1] ?? '' };
  if (id === undefined) {
    if (byCode && setup.has('none-accepted')) return 'latest';
    throw invalid(setup, byCode ? 'give id or code' : 'id is required');
  }
  return { id: readId(setup, id) };
}

function readId(setup: Setup, text: string): number {
  const digits = setup.has('id-prefix-read') ? (/^\d+/.exec(text)?.[0] ?? text) : text;
  const min = setup.has('id-zero-absent') && digits === '0' ? 0 : 1;
  if (setup.has('huge-id-crash') && Number(digits) > 2 ** 31 - 1) throw new ApiError(500, 'INTERNAL_ERROR', 'integer out of range');
  const id = wholeNumber(setup, 'id', digits, { min, max: Number.MAX_VALUE });
  if (id === undefined) throw invalid(setup, 'id is required');
  return id;
}

/** The body of a single read, with the record in its place. */
function placed(setup: Setup, name: string, id: number, shown: Shape): unknown {
  const ok = setup.choice('success-ok') === 'present' ? { ok: true } : {};
  const place = setup.choice('detail-place');
  const elsewhere = setup.has('place-varies') && id % 2 === 1;
  if (place === 'root' && !elsewhere) return { ...ok, ...shown };
  if (place === 'data' && !elsewhere) return { ...ok, data: shown };
  if (place === 'data-name' && elsewhere) return { ...ok, data: shown };
  return { ...ok, data: { [name]: shown } };
}

function foreignReply(setup: Setup, request: ReceivedRequest, found: TaggedContent, lookup: Lookup): OutgoingReply | undefined {
  const byCode = lookup !== 'latest' && 'code' in lookup;
  if (setup.has(byCode ? 'foreign-by-code' : 'foreign-by-id')) return conditionally(setup, request, found);
  if (setup.has('foreign-forbidden')) throw new ApiError(403, 'FORBIDDEN', 'The API key does not open this');
  if (setup.has('foreign-unchanged') && unchanged(setup, request, tagOf(setup, found, request.moment))) return { status: 304 };
  if (setup.has('foreign-disclosed'))
    throw new ApiError(404, found.kind === 'order' ? 'ORDER_NOT_FOUND' : 'RESERVATION_NOT_FOUND', 'This belongs to another business');
  return undefined;
}

function absent<R extends BusinessRow>(setup: Setup, kind: SingleKind<R>, request: ReceivedRequest): OutgoingReply {
  if (setup.has('failure-unchanged') && header(request, 'if-none-match') !== undefined) return { status: 304 };
  if (setup.has('absent-empty')) return { status: 200, headers: { etag: '"nothing"' }, json: { ok: true, data: null } };
  const code = setup.has('other-absent-code') ? 'NOT_FOUND' : kind.absent;
  throw new ApiError(setup.has('gone') ? 410 : 404, code, `There is no such ${kind.name}`);
}
