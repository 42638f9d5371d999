/** Whether a record that is read alone is the one that its list shows, in everything that the consumer relies on. */

import type { Contract } from '../../../core/contract.ts';
import type { Json } from '../../../core/json.ts';
import type { Pact } from '../../../core/pact.ts';
import type { PactFailure } from '../../../core/pact-verdict.ts';
import { createMask } from '../../../core/personal.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Entry } from '../../../core/query.ts';
import { disagreements, isDocumented } from '../../agreement.ts';
import { locate, placesOf } from '../../place.ts';
import { type Reply, recordsIn } from '../../reply.ts';
import { isList, keyOf, type ListOperation } from '../../walk.ts';
import { bodyPath, failing, show } from './failing.ts';
import { operationOf } from './request-of.ts';
import type { Suspicion } from './suspicion.ts';

/** A record as its list showed it. */
export interface Listed {
  readonly record: Entry;
  /** The page that it stood on. */
  readonly reply: Reply;
}

/** Suspects an answer that shows the record that was listed with other values. */
export function suspectDetail(contract: Contract, pact: Pact, listed: Listed, reply: Reply): Suspicion | undefined {
  const { operation: list } = listed.reply.call;
  if (!isList(list) || reply.call.operation.resource?.name !== list.collection.name) return undefined;
  const failure = findDifference(contract, pact, listed, list, reply);
  if (failure === undefined) return undefined;
  const confirm: Suspicion['confirm'] = async (ask) => {
    const again = findDifference(contract, pact, listed, list, await ask(reply.call));
    if (again?.path !== failure.path) return false;
    const records = recordsIn(await ask(listed.reply.call)) ?? [];
    return records.some((record) => JSON.stringify(record) === JSON.stringify(listed.record));
  };
  return { failure, confirm };
}

function findDifference(contract: Contract, pact: Pact, { record }: Listed, list: ListOperation, reply: Reply): PactFailure | undefined {
  const located = locate(contract, reply);
  // What is about another record altogether is told as that.
  if (located === undefined || keyOf(list, located.record) !== keyOf(list, record)) return undefined;
  const { name } = list.collection;
  // What a single read does not show at all, Pact tells where the consumer expects it there.
  const [first] = disagreements(record, located.record).filter(
    ({ at, right }) => right !== undefined && isDocumented(contract, list, at) && isReliedOn(contract, pact, name, at),
  );
  if (first === undefined) return undefined;
  const { maskRecord } = createMask(contract);
  const diagnosis = `${first.at} is another one here than in the list`;
  const [expected, actual] = [maskRecord(list, record), maskRecord(reply.call.operation, located.record)];
  return failing(bodyPath(`${located.at}${first.at}`), tell(valueAt(expected, first.at)), tell(valueAt(actual, first.at)), diagnosis);
}

/** Whether a consumer expects a member of such a record anywhere: in a list, or in one that is read alone. */
function isReliedOn(contract: Contract, { interactions }: Pact, name: string, at: string): boolean {
  return interactions.some(({ request, response }) => {
    const { operation } = operationOf(contract, request.method, request.path);
    const listed = operation.collection?.name === name ? [`${operation.collection.items}/0`] : [];
    const places = operation.resource?.name === name ? placesOf(contract, operation) : listed;
    return response.status < 300 && places.some((place) => valueAt(response.body, `${place}${at}`) !== undefined);
  });
}

function tell(value: Json | undefined): string {
  return typeof value === 'object' && value !== null ? `${Array.isArray(value) ? 'a list' : 'an object'} of other contents` : show(value);
}
