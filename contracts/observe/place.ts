/** Where things stand in bodies: a record in its own answer, and what a list says about itself. */

import type { Contract } from '../../core/contract.ts';
import { isObject } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';
import { schemaOfSuccess } from '../../core/read-operation.ts';
import { schemasAt } from '../../core/schema.ts';
import { isSuccess, type Reply, recordsIn } from '../reply.ts';
import { callForRecord } from '../sample.ts';
import type { ListOperation } from '../walk.ts';
import type { Inquiry } from './inquiry.ts';
import { closeBy, listIn, openLists, openReads, operationIn } from './open-rule.ts';
import { choicesWhere, type Sight } from './sight.ts';

/** Looks for the record that was asked for, by the values that it was asked by, at each place where it could stand. */
export async function observeRecordPlaces(inquiry: Inquiry): Promise<readonly Sight[]> {
  const { lab } = inquiry;
  const sights: Sight[] = [];
  for (const { question, operation } of openReads(lab.contract, 'x-resource/at')) {
    const list = lab.listOf(operation);
    if (list !== undefined && !lab.replies.some((reply) => isRead(reply, operation.id))) await askForSome(inquiry, list, operation);
    for (const reply of lab.replies.filter((each) => isRead(each, operation.id))) {
      const places = choicesWhere(question, (choice) => {
        const resource = operationIn(closeBy(lab.contract, question, choice), operation).resource;
        return resource !== undefined && resource.by.size > 0 && standsAt(reply, resource.at, resource.by);
      });
      const what = places.length === 0 ? 'stood at none of these places' : `stood at ${places.join(' and ')}`;
      sights.push({ question, suits: places, what: `the record of ${operation.id} ${what}` });
    }
  }
  return sights;
}

function isRead(reply: Reply, id: string): boolean {
  return reply.call.operation.id === id && isSuccess(reply) && isObject(reply.body) && Object.keys(reply.call.values ?? {}).length > 0;
}

async function askForSome(inquiry: Inquiry, list: ListOperation, operation: Reply['call']['operation']): Promise<void> {
  const page = await inquiry.fullest(list);
  const [record] = page === undefined ? [] : (recordsIn(page) ?? []);
  const call = record === undefined ? undefined : callForRecord(operation, record);
  if (call !== undefined) await inquiry.ask(call);
}

function standsAt({ call, body }: Reply, at: string, by: ReadonlyMap<string, string>): boolean {
  const asked = [...by].filter(([parameter]) => call.values?.[parameter] !== undefined);
  return asked.length > 0 && asked.every(([parameter, field]) => valueAt(body, `${at}${field}`) === call.values?.[parameter]);
}

/** Looks for the members that a list may have at each of several places. */
export async function observeHeads(inquiry: Inquiry): Promise<readonly Sight[]> {
  const { lab } = inquiry;
  const sights: Sight[] = [];
  for (const { question, operation } of openLists(lab.contract, 'x-collection/head')) {
    await inquiry.fullest(operation);
    const places = choicesWhere(question, () => true).map((choice) => ({
      choice,
      at: listIn(closeBy(lab.contract, question, choice), operation).collection.head ?? '',
    }));
    const names = sharedMembers(
      lab.contract,
      operation,
      places.map(({ at }) => at),
    );
    for (const reply of lab.replies.filter((each) => each.call.operation.id === operation.id && recordsIn(each) !== undefined)) {
      const found = places.map((place) => ({
        ...place,
        members: names.filter((name) => valueAt(reply.body, `${place.at}/${name}`) !== undefined),
      }));
      const inUse = found.filter(({ members }) => members.length > 0);
      const isWhole = (choice: string): boolean => inUse.some((each) => each.choice === choice && each.members.length === names.length);
      const what = inUse.map(({ at, members }) => `${members.join(' and ')} stood ${at === '' ? 'at the top' : `under ${at}`}`);
      if (inUse.length > 0) sights.push({ question, suits: choicesWhere(question, isWhole), what: what.join(', ') });
    }
  }
  return sights;
}

/** The members that the schema of a list knows at every one of several places. */
function sharedMembers({ closed }: Contract, operation: ListOperation, places: readonly string[]): readonly string[] {
  const schema = schemaOfSuccess(operation.responses) ?? true;
  const [first = [], ...others] = places.map((place) =>
    schemasAt(closed, schema, place).flatMap((each) =>
      isObject(each) && isObject(each['properties']) ? Object.keys(each['properties']) : [],
    ),
  );
  return [...new Set(first)].filter((name) => others.every((each) => each.includes(name)));
}
