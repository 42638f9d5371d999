/** A small list whose records come, change and go between requests, with paging that is correct, or wrong in a chosen way. */

import { findMissing } from '../../../contracts/verify/evidence/pagination/compare-with-snapshot.ts';
import { repeatedIn } from '../../../contracts/verify/evidence/pagination/page-boundaries.ts';
import type { Pagination } from '../../../contracts/verify/evidence/pagination/pagination.ts';
import { readSelection } from '../../../contracts/verify/evidence/read-filtered-lists.ts';
import type { ParameterValues } from '../../../contracts/verify/evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../../../contracts/verify/evidence/round-context.ts';
import { judgeSelection } from '../../../contracts/verify/rules/examinations/examine-filters.ts';
import type { HttpRequest } from '../../../core/http/exchange.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Answer, type FakeTarget, fakeTarget } from '../../helpers/engine.ts';
import { momentOf, pageBody, queryOf } from '../../helpers/lazy-list.ts';

/** One change of the data. `pick` chooses the record, modulo how many there are. */
export interface Change {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly pick: number;
  /** True when time advances; records that changed at the same time tie. */
  readonly tick: boolean;
}

/** Pagination of a list: a correct cursor in one of the legal orders, a cursor of the instant alone, or page numbers. */
export type Paging = 'newest' | 'oldest' | 'by-id' | 'skips-ties' | 'repeats-ties' | 'numbered';

const states = ['pending', 'confirmed', 'completed'];

interface Row {
  readonly id: number;
  readonly changed: number;
  readonly version: number;
}

/** The data, and changes of it. Each update gives a record content that it never had before. */
export class LiveData {
  rows: Row[] = [];
  private clock = 1;
  private made = 0;

  change({ kind, pick, tick }: Change): void {
    if (tick) this.clock += 1;
    this.made += 1;
    const index = this.rows.length === 0 ? -1 : pick % this.rows.length;
    const row = this.rows[index];
    if (kind === 'insert') this.rows.push({ id: this.made, changed: this.clock, version: this.made });
    else if (row !== undefined && kind === 'delete') this.rows.splice(index, 1);
    else if (row !== undefined) this.rows[index] = { ...row, changed: this.clock, version: this.made };
  }
}

const recordOf = ({ id, changed, version }: Row): DataRecord => ({
  id,
  slug: `s${id}`,
  status: states[version % states.length] ?? '',
  type: states[version % states.length] ?? '',
  changed_at: momentOf(changed),
  notes: `version ${version}`,
});

/** Serves the data, and changes it before the requests that have changes, by their numbers from 1. */
export function liveTarget(
  operation: ListOperation,
  data: LiveData,
  paging: Paging,
  changes: ReadonlyMap<number, readonly Change[]>,
): FakeTarget {
  return fakeTarget((request, number) => {
    for (const change of changes.get(number) ?? []) data.change(change);
    return paging === 'numbered' ? answerNumbered(operation, data, request) : answerCursor(operation, data, paging, request);
  });
}

function sorted(data: LiveData, paging: Paging): readonly Row[] {
  const sign = paging === 'oldest' || paging === 'by-id' || paging === 'numbered' ? 1 : -1;
  const byTime = paging !== 'by-id' && paging !== 'numbered';
  return data.rows.toSorted((left, right) => (byTime ? sign * (left.changed - right.changed) : 0) || sign * (left.id - right.id));
}

function selectRows(operation: ListOperation, rows: readonly Row[], query: ReadonlyMap<string, string>): readonly Row[] {
  const wanted = new Map(
    [...query].filter(([name]) => operation.collection.filters.has(name)).map(([name, text]) => [name, text.split(',')]),
  );
  const matches = operation.collection.query.matching(wanted);
  return rows.filter((row) => matches(recordOf(row)));
}

function answerCursor(operation: ListOperation, data: LiveData, paging: Paging, { target }: HttpRequest): Answer {
  const query = queryOf(target);
  const limit = Number(query.get('limit') ?? 50);
  const [changed, id] = (query.get('cursor') ?? '').split('.').map(Number);
  const rows = selectRows(operation, sorted(data, paging), query);
  const rest = changed === undefined || id === undefined ? rows : rows.filter((row) => isAfter(paging, row, changed, id));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const more = rest.length > limit;
  const next = last === undefined || !more ? null : `${last.changed}.${last.id}`;
  return { body: pageBody(operation, { records: page.map(recordOf), next, more }) };
}

function isAfter(paging: Paging, row: Row, changed: number, id: number): boolean {
  if (paging === 'by-id') return row.id > id;
  if (paging === 'skips-ties') return row.changed < changed;
  if (paging === 'repeats-ties') return row.changed <= changed;
  const sign = paging === 'oldest' ? 1 : -1;
  return row.changed === changed ? sign * (row.id - id) > 0 : sign * (row.changed - changed) > 0;
}

function answerNumbered(operation: ListOperation, data: LiveData, { target }: HttpRequest): Answer {
  const query = queryOf(target);
  const limit = Number(query.get('limit') ?? 30);
  const page = Number(query.get('page') ?? 1);
  const rows = selectRows(operation, sorted(data, 'numbered'), query);
  const records = rows.slice((page - 1) * limit, page * limit).map(recordOf);
  return { body: pageBody(operation, { records, total: rows.length, limit, page }) };
}

/** Violations of a list in a run. */
export interface Accusations {
  readonly missing: readonly string[];
  readonly repeated: readonly string[];
  /** Contradictions between selections. */
  readonly selections: readonly string[];
  readonly paginations: readonly Pagination[];
}

/** Reads a list as runs do: at the beginning, in pages of some sizes, by some filters, at the end; and judges every reading. */
export async function accuse(
  context: RoundContext,
  operation: ListOperation,
  sizes: readonly number[],
  filters: readonly ParameterValues[],
): Promise<Accusations> {
  const snapshot = await context.snapshot(operation);
  for (const limit of sizes) await context.paginationAgain({ operation, values: {}, limit, maxPages: 40 });
  const selections = [];
  for (const values of filters) selections.push(await readSelection(context, snapshot, values));
  await context.readAgain();
  const findings = selections.flatMap(
    (each) => judgeSelection(context, snapshot, each, { mutants: [], fallbackRule: 'filters/complete' }) ?? [],
  );
  const paginations = context.paginations.filter((pagination) => pagination.end === 'complete');
  return {
    missing: paginations.flatMap((pagination) => findMissing(context, snapshot, pagination).missing.map(({ key }) => key)),
    repeated: paginations.flatMap((pagination) => repeatedIn(context, snapshot, pagination).map(({ key }) => key)),
    // Without mutants, any such finding would be an accusation.
    selections: findings.flatMap((finding) =>
      finding.kind === 'reported-elsewhere' || finding.kind === 'contradicts' ? [finding.kind] : [],
    ),
    paginations,
  };
}
