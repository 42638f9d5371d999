/** The law about cursors that belong to another tenant. */

import { valueAt } from '../../../core/pointer.ts';
import type { CursorPage } from '../../../core/rules.ts';
import { roomInQuickRun } from '../../guarded.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { type Reply, recordsIn } from '../../reply.ts';
import { otherKey, readTenants, type Tenants } from '../../tenant.ts';
import { isList, keyOf, type ListOperation } from '../../walk.ts';
import { describeRecords } from '../../words.ts';

const opens = { id: 'opens', title: 'a cursor opened the list of the one that it was made for' };

/** The law. */
export const cursor: Law = {
  id: 'tenancy/cursor',
  title: "Another tenant's cursor gives none of its records",
  why: 'Cursors travel through logs and addresses; one that opens a list by itself is a key.',
  strength: 'stated',
  clause: (operation, contract) =>
    contract.tenancy && isList(operation) && operation.collection.page.style === 'cursor' ? collectionPlace(operation, 'page') : undefined,
  examine: async (lab, operation) => {
    if (!isList(operation) || operation.collection.page.style !== 'cursor') throw new TypeError(`${operation.id} has no cursors`);
    const tenants = await readTenants(lab, operation);
    if (tenants === undefined) return { untestable: otherKey };
    const reply = lab.quick ? undefined : await goOn(lab, operation, operation.collection.page, tenants);
    const missing = lab.quick ? roomInQuickRun : 'another tenant with more records than fit on a page';
    const rivals: readonly Candidate[] = [{ ...opens, missing }];
    return { rivals, judge: () => (reply === undefined ? [] : judgeReply(lab, operation, tenants, reply)) };
  },
};

/** Goes on where the other tenant's first page ends; `undefined` when nothing follows it. */
async function goOn(lab: Lab, operation: ListOperation, page: CursorPage, { walk }: Tenants): Promise<Reply | undefined> {
  const [first] = walk.replies;
  const next = first === undefined || valueAt(first.body, page.more) !== true ? undefined : valueAt(first.body, page.next);
  if (typeof next !== 'string' || walk.replies.length < 2) return undefined;
  const size = walk.limit === undefined ? {} : { [page.limit]: walk.limit };
  // For this tenant it is a cursor that no page gave.
  return lab.ask({ operation, values: { ...size, [page.cursor]: next }, isDamaged: true });
}

function judgeReply(lab: Lab, operation: ListOperation, { role, own }: Tenants, reply: Reply): readonly Finding[] {
  const theirs = lab.sightings(operation, role);
  const foreign = (recordsIn(reply) ?? []).filter((record) => {
    const content = JSON.stringify(record);
    return theirs.of(keyOf(operation, record)).some((sighting) => sighting.content === content);
  });
  // Where the lists of both have the record, the lists are what is wrong.
  const isListed = foreign.some((record) => JSON.stringify(own.byKey.get(keyOf(operation, record))) === JSON.stringify(record));
  if (isListed) return [{ kind: 'obscured', by: 'tenancy/lists' }];
  if (foreign.length === 0) return reply.response.status >= 500 ? [] : [{ kind: 'agrees', refutes: [opens.id] }];
  const keys = foreign.map((record) => keyOf(operation, record));
  return [
    {
      kind: 'contradicts',
      replies: [
        ...theirs
          .of(keys[0] ?? '')
          .slice(0, 1)
          .map((sighting) => sighting.reply),
        reply,
      ],
      expected: `${operation.id} with a cursor of another tenant gives none of that tenant's records`,
      actual: `it gives ${describeRecords(operation, keys)}, which the key of the other tenant shows with the same content`,
      records: foreign.slice(0, 3),
      rival: opens,
      witnesses: keys,
    },
  ];
}
