/** Where a single read puts its record: at the place that the contract states, or at one of those that it leaves open. */

import type { Contract } from '../core/contract.ts';
import type { Place } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import type { Operation } from '../core/operation.ts';
import { valueAt } from '../core/pointer.ts';
import type { Entry } from '../core/query.ts';
import { questionsBelow } from './openness.ts';
import { isSuccess, type Reply } from './reply.ts';

/** A record in the answer of a single read, and where it stands there. */
export interface Located {
  /** JSON Pointer into the body. */
  readonly at: string;
  readonly record: Entry;
}

/** The place in the contract of a member of `x-resource`. */
export function resourcePlace({ document, value }: Operation, member: string): Place {
  const resource = value['x-resource'];
  return isObject(resource) ? document.place(resource, member) : document.place(value, 'x-resource');
}

/** The places at which the record of an operation may stand, as JSON Pointers. */
export function placesOf(contract: Contract, operation: Operation): readonly string[] {
  const stated = operation.resource?.at;
  const asked = questionsBelow(contract, `${operation.pointer}/x-resource/at`);
  const choices = asked.flatMap((question) => [...question.choices.values()]).filter((choice) => typeof choice === 'string');
  return choices.length > 0 ? [...new Set(choices)] : stated === undefined ? [] : [stated];
}

/**
 * The record of a successful single read. An envelope is told from a record by the fields that name the record: it has none of them.
 * `undefined` when there is no record at any of the places.
 */
export function locate(contract: Contract, reply: Reply): Located | undefined {
  const { operation } = reply.call;
  if (!isSuccess(reply)) return undefined;
  const fields = [...(operation.resource?.by.values() ?? [])];
  for (const at of placesOf(contract, operation)) {
    const record = valueAt(reply.body, at);
    if (isObject(record) && fields.every((field) => isName(valueAt(record, field)))) return { at, record };
  }
  return undefined;
}

function isName(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
