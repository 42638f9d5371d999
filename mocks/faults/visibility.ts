/** Faults of visibility: how records that a caller may not see are given away all the same. */

import type { Contract } from '../../core/contract.ts';
import type { HttpRequest } from '../../core/exchange.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { createQuery, type Query } from '../../core/query.ts';
import { schemaOfSuccess } from '../../core/read-operation.ts';
import type { Visibility } from '../../core/rules.ts';
import { gather, schemasAt } from '../../core/schema.ts';
import { type ServedApi, worldNow } from '../served-api.ts';
import { type FaultDraft, type ListOperation, listFor, listsOf, type ReadOperation, recordReadsOf } from './fault.ts';
import { at, identifierOf, mapBody } from './request-edit.ts';
import { withQuery } from './rival.ts';

/** Faults of each collection with hidden records. */
export function visibilityFaults(contract: Contract): readonly FaultDraft[] {
  return listsOf(contract).flatMap((list) => {
    const { visible } = list.collection;
    if (visible === undefined) return [];
    const reads = recordReadsOf(contract).filter((operation) => listFor(contract, operation) === list);
    return [...levelFaults(contract, list, visible), ...listFaults(list), ...reads.flatMap((operation) => readFaults(operation, list))];
  });
}

/** One more level is shown to everybody. */
function levelFaults(contract: Contract, list: ListOperation, { field, shown }: Visibility): readonly FaultDraft[] {
  const schemas = schemasAt(contract.closed, schemaOfSuccess(list.responses) ?? true, `${list.collection.items}/0${field}`);
  const levels = schemas.flatMap((schema) => gather(contract.closed, schema)['enum'] ?? []).filter((level) => typeof level === 'string');
  return [...new Set(levels)]
    .filter((level) => !shown.includes(level))
    .map(
      (level): FaultDraft => ({
        kind: 'level-shown',
        place: `${list.id}.${level}`,
        law: 'visible/lists',
        title: `Records whose ${field} is ${level} are shown to everybody.`,
        edits: [{ op: 'replace', at: `${list.pointer}/x-collection/visible/shown`, value: [...shown, level] }],
      }),
    );
}

/** The evaluator of a list that hides nothing. */
function openQuery({ collection: { visible: _, ...rules } }: ListOperation): Query {
  return createQuery(rules, rules.kindOf);
}

function listFaults(list: ListOperation): readonly FaultDraft[] {
  const search = [...list.collection.filters].find(([, filter]) => filter.operator === 'matches')?.[0];
  const draft = (kind: string, law: string, title: string, change: (open: Query, query: Query) => Partial<Query>): FaultDraft => ({
    kind,
    place: list.id,
    law,
    title,
    serve: (api) => {
      const open = openQuery(list);
      return withQuery(api, list.id, (query) => change(open, query));
    },
  });
  return [
    draft('hidden-listed', 'visible/lists', 'The list shows hidden records.', (open) => ({ page: open.page, count: open.count })),
    draft('hidden-counted', 'visible/count', 'The total counts hidden records.', (open) => ({ count: open.count })),
    ...(search === undefined
      ? []
      : [
          draft('hidden-found', 'visible/search', `Searching by ${search} finds hidden records.`, (open, query) => ({
            page: (sorted, values, start, limit) => (values.has(search) ? open : query).page(sorted, values, start, limit),
            count: (records, values) => (values.has(search) ? open : query).count(records, values),
          })),
          draft('hidden-found-count', 'visible/search', `Searching by ${search} counts hidden records.`, (open, query) => ({
            count: (records, values) => (values.has(search) ? open : query).count(records, values),
          })),
        ]),
  ];
}

function readFaults(operation: ReadOperation, list: ListOperation): readonly FaultDraft[] {
  const draft = (kind: string, title: string, show: (record: JsonObject) => JsonObject): FaultDraft => ({
    kind,
    place: operation.id,
    law: 'visible/single',
    title,
    around: (api) =>
      at(api, operation.id, async (request, next) => {
        const response = await next(request);
        const record = response.status < 400 ? undefined : findHidden(api, request, operation, list);
        return record === undefined ? response : mapBody(response, (body) => withValueAt(body, '/data', show(record)));
      }),
  });
  return [
    {
      kind: 'hidden-read',
      place: operation.id,
      law: 'visible/single',
      title: 'A hidden record can be read by whoever knows its name.',
      serve: (api) => withQuery(api, list.id, () => ({ isVisible: () => true })),
    },
    draft('hidden-in-failure', 'The failure for a hidden record shows its content.', (record) => record),
  ];
}

function findHidden(api: ServedApi, request: HttpRequest, operation: ReadOperation, list: ListOperation): JsonObject | undefined {
  const records = api.world.tenants.flatMap((tenant) => worldNow(api).records(tenant, list.collection.name));
  const found = records.find((record) =>
    [...operation.resource.by].every(([parameter, field]) => String(valueAt(record, field)) === identifierOf(api, request, parameter)),
  );
  return isObject(found) && !list.collection.query.isVisible(found) ? found : undefined;
}
