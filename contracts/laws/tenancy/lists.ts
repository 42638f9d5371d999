/** The law that lists are a tenant's own. */

import type { Json } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Entry } from '../../../core/query.ts';
import { roomInQuickRun } from '../../guarded.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { type Reply, recordsIn } from '../../reply.ts';
import { foreignBy, otherKey, readTenants, type Tenants } from '../../tenant.ts';
import { largestPage } from '../../universe.ts';
import { isList, keyOf, type ListOperation, type Values } from '../../walk.ts';
import { describeRecords } from '../../words.ts';

const listed = { id: 'listed', title: 'the list were of all tenants' };
const filtered = { id: 'filtered', title: 'filters widened the list to all tenants' };

/** The law. */
export const lists: Law = {
  id: 'tenancy/lists',
  title: 'A list has no record of another tenant',
  why: "One foreign record in a list is another business's data in the hands of a competitor.",
  strength: 'stated',
  clause: (operation, contract) => (contract.tenancy && isList(operation) ? collectionPlace(operation) : undefined),
  examine: async (lab, operation) => {
    if (!isList(operation)) throw new TypeError(`${operation.id} is no list`);
    const tenants = await readTenants(lab, operation);
    if (tenants === undefined) return { untestable: otherKey };
    const asked: Reply[] = [];
    for (const values of lab.quick ? [] : selectionsOf(tenants, operation).slice(0, 1)) {
      asked.push(await lab.ask({ operation, values: { ...values, [operation.collection.page.limit]: largestPage(operation) } }));
    }
    return { rivals: rivalsOf(lab, operation), judge: () => judgeAll(lab, operation, tenants, asked) };
  },
};

function rivalsOf(lab: Lab, operation: ListOperation): readonly Candidate[] {
  const missing = 'a record of another tenant';
  const hasFilters = selectionFor(operation, undefined) !== undefined;
  return [{ ...listed, missing }, ...(hasFilters ? [{ ...filtered, missing: lab.quick ? roomInQuickRun : missing }] : [])];
}

/** Filters that a foreign record satisfies: all at once, and one that names a value by itself. */
function selectionsOf(tenants: Tenants, operation: ListOperation): readonly Values[] {
  const [record] = [...foreignBy(tenants, operation.collection.key), ...tenants.walk.records];
  if (record === undefined) return [];
  const all = selectionFor(operation, record);
  const [simple] = Object.entries(all ?? {}).filter(([name]) => isByValue(operation, name));
  return [...(all === undefined ? [] : [all]), ...(simple === undefined ? [] : [Object.fromEntries([simple])])];
}

function isByValue(operation: ListOperation, name: string): boolean {
  return ['equals', 'any-of'].includes(operation.collection.filters.get(name)?.operator ?? '');
}

/** The filters that a record satisfies by its own values; `undefined` when there are none. */
function selectionFor({ collection }: ListOperation, record: Entry | undefined): Values | undefined {
  const values = [...collection.filters].flatMap(([name, filter]): readonly (readonly [string, Json])[] => {
    if (!['equals', 'any-of', 'from', 'to'].includes(filter.operator) || filter.operator === 'matches') return [];
    const value = record === undefined ? '' : valueAt(record, filter.field);
    if (value === undefined || value === null) return [];
    return [[name, filter.operator === 'any-of' ? [value] : value]];
  });
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

function judgeAll(lab: Lab, operation: ListOperation, tenants: Tenants, asked: readonly Reply[]): readonly Finding[] {
  const { role, walk, own } = tenants;
  if (walk.records.length === 0) return [];
  const theirs = lab.sightings(operation, role);
  const findings = lab.replies.flatMap((reply) => {
    const foreign = isOwnAnswer(operation, reply, walk.replies) ? foreignIn(operation, reply, theirs) : [];
    return foreign.length === 0 ? [] : [contradict(operation, reply, foreign, theirs)];
  });
  if (findings.length > 0) return findings;
  const isWhole = own.isComplete ? [listed.id] : [];
  const isNarrowed = asked.some((reply) => recordsIn(reply) !== undefined) ? [filtered.id] : [];
  const refutes = [...isWhole, ...isNarrowed];
  return refutes.length === 0 ? [] : [{ kind: 'agrees', refutes }];
}

/** The caller's own answers; what another tenant's cursor gives is another law's business. */
function isOwnAnswer(operation: ListOperation, reply: Reply, others: readonly Reply[]): boolean {
  const { page } = operation.collection;
  if (reply.call.operation.id !== operation.id || (reply.call.as ?? 'full') !== 'full') return false;
  const cursor = page.style === 'cursor' ? reply.call.values?.[page.cursor] : undefined;
  return cursor === undefined || page.style !== 'cursor' || !others.some((each) => valueAt(each.body, page.next) === cursor);
}

type TheirSightings = ReturnType<Lab['sightings']>;

/** Records that the other tenant has with the same identity and the same content: two tenants can share the one, hardly both. */
function foreignIn(operation: ListOperation, reply: Reply, theirs: TheirSightings): readonly Entry[] {
  return (recordsIn(reply) ?? []).filter((record) => {
    const content = JSON.stringify(record);
    return theirs.of(keyOf(operation, record)).some((sighting) => sighting.content === content);
  });
}

function contradict(operation: ListOperation, reply: Reply, foreign: readonly Entry[], theirs: TheirSightings): Finding {
  const keys = foreign.map((record) => keyOf(operation, record));
  const [seen] = theirs.of(keys[0] ?? '');
  const isFiltered = Object.keys(reply.call.values ?? {}).some((name) => operation.collection.filters.has(name));
  return {
    kind: 'contradicts',
    replies: [...(seen === undefined ? [] : [seen.reply]), reply],
    expected: `${operation.id} gives no record of another tenant`,
    actual: `it gives ${describeRecords(operation, keys)}, which the key of another tenant shows with the same content`,
    records: foreign.slice(0, 3),
    rival: isFiltered ? filtered : listed,
    witnesses: keys,
  };
}
