/** What the single read of a hidden record answers, when a run was told of some. */

import type { Json } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import type { Call } from '../call.ts';
import type { ListOperation } from '../walk.ts';
import type { Inquiry } from './inquiry.ts';
import { openLists } from './open-rule.ts';
import { choicesWhere, type Sight } from './sight.ts';

/** How many hidden records are asked for: they may be hidden for different reasons. */
const asked = { full: 3, quick: 1 } as const;

/** By status, what is said of a hidden record. */
const answers: ReadonlyMap<number, string> = new Map([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'absent'],
]);

/** Reads hidden records by their keys. */
export async function observeHidden(inquiry: Inquiry): Promise<readonly Sight[]> {
  const { lab } = inquiry;
  const sights: Sight[] = [];
  for (const { question, operation } of openLists(lab.contract, 'x-collection/visible/hidden')) {
    const read = lab.contract.operations.find((each) => each.resource?.name === operation.collection.name && each.resource.by.size > 0);
    const calls =
      read === undefined ? [] : spread(lab.hidden, lab.quick ? asked.quick : asked.full).flatMap((key) => callForKey(operation, read, key));
    for (const call of calls) {
      const reply = await inquiry.ask(call);
      if (reply === undefined) continue;
      const answer = answers.get(reply.response.status);
      const suits = choicesWhere(question, (name) => question.choices.get(name) === answer);
      sights.push({ question, suits, what: `${call.operation.id} of a hidden record was answered with ${reply.response.status}` });
    }
  }
  return sights;
}

/** Some of a list, from its beginning to its end. */
function spread<T>(list: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, Math.ceil(list.length / most));
  return list.filter((_, index) => index % step === 0);
}

function callForKey({ collection }: ListOperation, operation: Operation, key: string): readonly Call[] {
  const [name] = [...(operation.resource?.by ?? [])].find(([, field]) => field === collection.key) ?? [];
  const parameter = operation.parameters.find((each) => each.key === name);
  if (name === undefined || parameter === undefined) return [];
  const value: Json = parameter.kinds.includes('integer') || parameter.kinds.includes('number') ? Number(key) : key;
  return [{ operation, values: { [name]: value } }];
}
