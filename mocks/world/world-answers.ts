/**
 * Answers valid requests to operations without annotations from the records that the mock keeps: lists page, reads find, writes change. It chooses what the
 * documented response shows, never its form.
 */

import { type HttpRequest, headerOf, splitTarget } from '../../core/http/exchange.ts';
import type { InferredList } from '../../core/inference/guess.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { documentsStatus, type Operation, responseFor } from '../../core/openapi/operation.ts';
import { decodeOrKeep } from '../../core/parameters/query-string.ts';
import { readParameters } from '../../core/parameters/read-request.ts';
import type { ChangingDataset } from '../data/dataset.ts';
import type { CursorCodec } from '../handler/cursor.ts';
import { answerLogin, answerPlace } from './answer-without-collection.ts';
import {
  failure,
  findPlace,
  findRecord,
  segmentOf,
  success,
  unknownParent,
  unknownRecord,
  type WorldAnswer,
  type WorldCall,
} from './find-records.ts';
import { createPageReader, type PageReader, type PageRequest, type WorldPage } from './page-of-list.ts';
import { isPlaceholder } from './placeholders.ts';
import type { OperationRole, WorldCollection } from './plan-world.ts';
import { showRecord } from './show-record.ts';
import type { World } from './world.ts';
import { answerWrite, writableBodyOf } from './write-records.ts';

/** Answers requests from a world; `undefined` where nothing is known, so that the documented response stays as it is. */
type AnswerFromWorld = (call: WorldCall) => Promise<WorldAnswer | undefined>;

/** A world that is served. */
export interface ServedWorld {
  readonly world: World;
  readonly answer: AnswerFromWorld;
}

/** The content of a dataset, with the changes of clients. */
export function withChanges(dataset: ChangingDataset, world: World): ChangingDataset {
  return {
    tenants: dataset.tenants,
    at: (nowMs) => {
      const content = dataset.at(nowMs);
      return { ...content, records: (tenant, collection) => world.recordsOf(tenant, collection) ?? content.records(tenant, collection) };
    },
  };
}

/** Compiles the answers of a world. */
export function createWorldAnswers(contract: Contract, world: World, cursors: CursorCodec): AnswerFromWorld {
  const readers = new Map<string, PageReader>();
  const readerOf = (collection: WorldCollection, list: InferredList): PageReader =>
    getOrCompute(readers, list.operation.id, () => createPageReader(contract, collection, list, cursors));
  return async (call) => {
    const role = world.plan.roles.get(call.operation.id);
    if (role === undefined) return answerPlace(world, call, writableBodyOf(call));
    if (role.kind === 'login') return answerLogin(world, writableBodyOf(call) ?? {}, role.login.token.value);
    if (role.kind === 'write') return noted(await answerWrite(world, role.collection, role.write, call), call);
    return role.kind === 'list'
      ? noted(await answerList(world, role.collection, readerOf(role.collection, role.list), call), call)
      : noted(await answerDetail(world, role, call), call);
  };
}

/** An answer that says which placeholders the path has. */
function noted(answer: WorldAnswer | undefined, { segments }: WorldCall): WorldAnswer | undefined {
  const found = [...segments.values()].map((raw) => decodeOrKeep(raw, false)).filter(isPlaceholder);
  if (answer?.kind !== 'success' || found.length === 0) return answer;
  return {
    ...answer,
    note: `${found.join(' and ')} in the path is a placeholder: it stands for the last created record, or else for the first`,
  };
}

async function answerList(
  world: World,
  collection: WorldCollection,
  reader: PageReader,
  call: WorldCall,
): Promise<WorldAnswer | undefined> {
  const { operation } = call;
  const place = await findPlace(world, collection, call);
  const refused = place === undefined ? unknownParent(operation) : undefined;
  if (refused !== undefined) return refused;
  const pageRequest = { values: readParameters(operation, call).values, url: urlOf(call), query: splitTarget(call.target).query };
  const page = reader.cut(place?.partition.records ?? [], pageRequest);
  const refusal = documentsStatus(operation, 422) && !documentsStatus(operation, 400) ? 422 : 400;
  if (page === undefined)
    return failure(
      refusal,
      'This cursor was not issued for this list; use the one from the previous page, or start again without a cursor.',
    );
  return success((body) => reader.write(body, page, pageRequest), pageHeaders(operation, reader, page, pageRequest));
}

/** The documented headers about a page: links to its neighbours (RFC 8288), and the number of all records. */
function pageHeaders(operation: Operation, reader: PageReader, page: WorldPage, request: PageRequest): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const { name } of responseFor(operation, 200)?.headers ?? []) {
    const link = name.toLowerCase() === 'link' ? reader.link(page, request) : undefined;
    if (link !== undefined) headers['link'] = link;
    if (/total/i.test(name) && !/page/i.test(name)) headers[name.toLowerCase()] = String(page.total);
  }
  return headers;
}

async function answerDetail(
  world: World,
  { collection, detail }: Extract<OperationRole, { kind: 'detail' }>,
  call: WorldCall,
): Promise<WorldAnswer | undefined> {
  const key = segmentOf(call, detail.parameter) ?? '';
  const found = await findRecord(world, collection, call, key);
  if (found === undefined) return await unknownRecord(world, collection, call, key);
  return {
    ...showRecord(call.operation, found.record, detail.at.value),
    isOfClient: found.partition.isCreated(found.partition.keyOf(found.record)),
  };
}

/** The URL of a request without its query, as clients reached it. */
function urlOf({ headers, target }: HttpRequest): string {
  const host = headerOf(headers, 'host');
  const { path } = splitTarget(target);
  return host === undefined ? path : `http://${host}${path}`;
}
