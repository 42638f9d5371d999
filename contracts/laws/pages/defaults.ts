/** The law about lists that are asked for without a page and a page size. */

import type { Operation } from '../../../core/operation.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Examination, Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { isNumbered, isPage, keysIn, numbered, positionParameter } from '../../numbered.ts';
import type { Reply } from '../../reply.ts';
import { totalIn, type Values } from '../../walk.ts';
import { count, describeValues } from '../../words.ts';

/** The law. */
export const defaults: Law = {
  id: 'pages/defaults',
  title: 'Without a page and a page size, the documented defaults hold',
  why: 'A client that relies on the defaults and is given others skips records or reads some twice.',
  strength: 'stated',
  clause: (operation) => {
    if (!isNumbered(operation)) return undefined;
    const [name] = Object.keys(defaultsOf(operation));
    return operation.parameters.find((each) => each.key === name)?.place ?? collectionPlace(operation, 'page');
  },
  examine: async (lab, operation) => {
    const values = defaultsOf(operation);
    if (Object.keys(values).length === 0) return { rivals: [], judge: () => [] };
    return examineDefaults(lab, operation, values);
  },
};

const rivals: readonly Candidate[] = [
  { id: 'other-size', title: 'another page size were the default', missing: 'more records than the default page size' },
  { id: 'other-page', title: 'another page than the first were the default', missing: 'more records than the default page size' },
];

/** The stated defaults of the page and of its size. */
function defaultsOf(operation: Operation): Values {
  if (!isNumbered(operation)) return {};
  const names = [operation.collection.page.limit, positionParameter(operation)];
  const stated = operation.parameters.filter((each) => names.includes(each.key) && each.fallback !== undefined);
  return Object.fromEntries(stated.map((each) => [each.key, each.fallback ?? null]));
}

async function examineDefaults(lab: Lab, operation: Operation, values: Values): Promise<Examination> {
  const bare = await lab.ask({ operation });
  const explicit = await lab.ask({ operation, values });
  const isSame = isPage(bare) && isPage(explicit) && textOf(bare) === textOf(explicit);
  const again = isSame ? bare : await lab.again({ operation });
  return { rivals, judge: () => [judge(operation, values, bare, explicit, again)] };
}

function textOf(reply: Reply): string {
  return JSON.stringify([isPage(reply), keysIn(reply)]);
}

function judge(operation: Operation, values: Values, bare: Reply, explicit: Reply, again: Reply): Finding {
  if (!isPage(bare) || !isPage(explicit)) return { kind: 'obscured', by: 'response/status' };
  const [left, right] = [keysIn(bare), keysIn(explicit)];
  const { page } = numbered(operation).collection;
  const limit = values[page.limit];
  const total = totalIn(page, explicit);
  if (textOf(bare) === textOf(explicit)) {
    const isFull = typeof limit === 'number' && right.length === limit && (total === undefined || total > limit);
    return { kind: 'agrees', refutes: isFull ? ['other-size', 'other-page'] : [] };
  }
  if (textOf(bare) !== textOf(again)) return { kind: 'moved', what: `the first page of ${operation.id} changed` };
  const [long, short] = left.length > right.length ? [left, right] : [right, left];
  const isPrefix = long.length > short.length && short.every((key, index) => key === long[index]);
  const rival = rivals[isPrefix ? 0 : 1];
  return {
    kind: 'contradicts',
    replies: [bare, explicit],
    expected: `${operation.id} without parameters gives what it gives with ${describeValues(values)}`,
    actual: `it gives ${count(left.length, 'record')} instead of ${right.length}${isPrefix ? '' : ', and others'}`,
    ...(rival === undefined ? {} : { rival }),
    witnesses: [],
  };
}
