/** Judging by several answers together: data move, so whatever looks wrong is read a second time before anything is said of it. */

import type { Contract } from '../../../core/contract.ts';
import type { Pact } from '../../../core/pact.ts';
import type { PactFailure } from '../../../core/pact-verdict.ts';
import { readRequest } from '../../../core/request.ts';
import { Blocked } from '../../losses.ts';
import { isSuccess, type Reply, recordsIn } from '../../reply.ts';
import { BudgetSpent } from '../../session.ts';
import { isList, keyOf, type ListOperation } from '../../walk.ts';
import { suspectDetail } from './agreeing.ts';
import { suspectGap } from './following.ts';
import type { Prepared } from './prepare.ts';
import { suspectShortPage } from './short-page.ts';
import type { Ask, Suspicion } from './suspicion.ts';

/** An answer, and who expects what of it. */
export interface Answer {
  readonly contract: Contract;
  readonly pact: Pact;
  readonly prepared: Prepared;
  readonly reply: Reply;
}

/** What is wrong with an answer beside other answers, once all of them were seen to stand. */
export async function confirmSuspicions(answer: Answer, ask: Ask): Promise<readonly PactFailure[]> {
  const confirmed: PactFailure[] = [];
  for (const { failure, confirm } of listSuspicions(answer)) if (await isConfirmed(confirm, ask)) confirmed.push(failure);
  return confirmed;
}

/** What cannot be read again is not confirmed, and an answer that was judged stays judged. */
async function isConfirmed(confirm: Suspicion['confirm'], ask: Ask): Promise<boolean> {
  try {
    return await confirm(ask);
  } catch (error) {
    if (error instanceof Blocked || error instanceof BudgetSpent) return false;
    throw error;
  }
}

function listSuspicions({ contract, pact, prepared, reply }: Answer): readonly Suspicion[] {
  const { operation } = reply.call;
  const { record } = prepared.found;
  if (!isSuccess(reply)) return [];
  const detail = record?.listed === undefined ? undefined : suspectDetail(contract, pact, record.listed, reply);
  const found = isList(operation) ? suspectPage(prepared, reply, operation) : [detail];
  return found.filter((each) => each !== undefined);
}

function suspectPage({ found }: Prepared, reply: Reply, operation: ListOperation): readonly (Suspicion | undefined)[] {
  const { page } = operation.collection;
  const { values, sent } = readRequest(operation, reply.request, new Map());
  const short = suspectShortPage(operation, reply, values.get(page.limit));
  if (found.following?.operation.id !== operation.id || page.style === 'offset') return short;
  const isNext = page.style === 'cursor' ? values.get(page.cursor) === found.values.get('cursor') : sent.has(page.page);
  // A page that repeats the one before does not follow it either; that is told already.
  const isRepeated = recordsIn(reply)?.some((record) => found.before?.includes(keyOf(operation, record)) === true) === true;
  return isNext && !isRepeated ? [suspectGap(found.following, reply), ...short] : short;
}
