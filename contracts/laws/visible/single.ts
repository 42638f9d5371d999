/** The law that a hidden record shows nothing of itself. */

import { isRecordRead, listFor, listOf, type RecordRead } from '../../detail.ts';
import { hiddenKeyMissing, hiddenKeys, hidesRecords, isHidden, memberNames, type VisibleList, wordsOf } from '../../hidden.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Contradiction, Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { locate } from '../../place.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { unknownIdentity } from '../../sample.ts';
import { keyOf } from '../../walk.ts';

/** The law. */
export const single: Law = {
  id: 'visible/single',
  title: 'A hidden record shows nothing of itself, not even in the failure',
  why: 'Whoever guesses or overhears the name of a hidden record reads it.',
  strength: 'stated',
  clause: (operation, contract) => {
    const list = listFor(operation, contract);
    return isRecordRead(operation, contract) && list !== undefined && hidesRecords(list) ? collectionPlace(list, 'visible') : undefined;
  },
  examine: async (lab, operation) => {
    const list = listOf(lab, operation);
    const parameter = keyParameter(lab, operation as RecordRead);
    if (!hidesRecords(list) || parameter === undefined || lab.hidden.length === 0) return { untestable: hiddenKeyMissing };
    const universe = await lab.universe(list);
    const unknown = await lab.ask({ operation, values: unknownIdentity(operation) });
    const replies: Reply[] = [];
    for (const key of hiddenKeys(lab)) replies.push(await lab.ask({ operation, values: { [parameter]: key } }));
    const [first] = replies;
    const shown = replies.filter((reply) => isShown(lab, list, reply));
    if (first !== undefined && shown.length === replies.length)
      return {
        untestable: `${hiddenKeys(lab).join(' and ')} is not hidden: ${operation.id} shows it as ${list.collection.visible.shown.join(' or ')}`,
      };
    const fields = new Set(universe.records.slice(0, 20).flatMap((record) => [...memberNames(record)]));
    return {
      rivals,
      judge: () => replies.filter((reply) => !shown.includes(reply)).map((reply) => judgeReply(lab, list, reply, unknown, fields)),
    };
  },
};

const rivals: readonly Candidate[] = [
  { id: 'shown', title: 'a hidden record could be read by whoever knows its name', missing: hiddenKeyMissing },
  { id: 'told', title: 'the failure told what a hidden record contains', missing: hiddenKeyMissing },
];

/** The parameter that takes the key of the list. */
function keyParameter(lab: Lab, operation: RecordRead): string | undefined {
  const { key } = listOf(lab, operation).collection;
  return [...operation.resource.by].find(([, field]) => field === key)?.[0];
}

/** Whether the record says of itself that everybody may see it: then it is not hidden at all. */
function isShown(lab: Lab, list: VisibleList, reply: Reply): boolean {
  const record = locate(lab.contract, reply)?.record;
  return record !== undefined && !isHidden(list, record);
}

function judgeReply(lab: Lab, list: VisibleList, reply: Reply, unknown: Reply, fields: ReadonlySet<string>): Finding {
  const key = String(Object.values(reply.call.values ?? {})[0] ?? '');
  const { status } = reply.response;
  if (isSuccess(reply)) {
    const record = locate(lab.contract, reply)?.record;
    const records = record === undefined ? [] : [record];
    return {
      ...contradict(reply, key, `it is answered with ${status}${record === undefined ? '' : ` and ${keyOf(list, record)}`}`, rivals[0]),
      records,
    };
  }
  if (status >= 500) return { kind: 'obscured', by: 'response/no-server-error' };
  const [own, usual] = [memberNames(reply.body), memberNames(unknown.body)];
  const told = [...own].filter((name) => fields.has(name) && !usual.has(name));
  if (told.length >= 2) return contradict(reply, key, `the failure has ${told.join(', ')}`, rivals[1]);
  // What is said of an unknown name as well says nothing of this one, though it has the same words.
  const isUsual = speaksOf(unknown, key) || speaksOf(unknown, String(Object.values(unknown.call.values ?? {})[0] ?? ''));
  if (speaksOf(reply, key) && !isUsual) return contradict(reply, key, 'the failure says its name in other words', rivals[1]);
  return { kind: 'agrees', refutes: ['shown', 'told'] };
}

/** Whether a failure has all words of a name although it does not just repeat the name. */
function speaksOf({ response }: Reply, key: string): boolean {
  const wanted = wordsOf(key).filter((word) => word.length > 2);
  const said = new Set(wordsOf(response.body.replaceAll(key, ' ').replaceAll(encodeURIComponent(key), ' ')));
  return wanted.length >= 2 && wanted.every((word) => said.has(word));
}

function contradict(reply: Reply, key: string, actual: string, rival: Candidate | undefined): Contradiction {
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `${reply.call.operation.id} shows nothing of ${key}, which is hidden`,
    actual,
    ...(rival === undefined ? {} : { rival }),
    witnesses: [],
  };
}
