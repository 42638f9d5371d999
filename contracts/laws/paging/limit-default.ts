/** The law about pages whose size nobody asked for. */

import type { Finding, Law } from '../../law.ts';
import { parameterPlace } from '../../list-clause.ts';
import { type Reply, recordsIn } from '../../reply.ts';
import type { Universe } from '../../universe.ts';
import { defaultLimit, isCursorList, type ListOperation, requireList } from '../../walk.ts';

const rival = { id: 'other-default', title: 'the default were another one', missing: 'a list of more records than the default page holds' };

/** The law. */
export const limitDefault: Law = {
  id: 'paging/limit-default',
  title: 'Without a limit, a page is as large as the default says',
  why: 'Clients that never send a limit rely on it; a smaller page doubles their requests.',
  strength: 'stated',
  slow: true,
  clause: (operation) =>
    isCursorList(operation) && defaultLimit(requireList(operation)) !== undefined
      ? parameterPlace(operation, requireList(operation).collection.page.limit)
      : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    const wanted = defaultLimit(list) ?? 0;
    const without = await lab.ask({ operation: list });
    // A page of exactly the default's size needs no other to compare it with.
    const isAsStated = recordsIn(without)?.length === wanted;
    const explicit = isAsStated ? without : await lab.ask({ operation: list, values: { [list.collection.page.limit]: wanted } });
    return { rivals: [rival], judge: () => judge(list, universe, { without, explicit, wanted }) };
  },
};

/** The page of nobody's size beside the page of the default's size: pages may be short, but not these two in different ways. */
function judge(
  list: ListOperation,
  universe: Universe,
  { without, explicit, wanted }: { readonly without: Reply; readonly explicit: Reply; readonly wanted: number },
): readonly Finding[] {
  const [first, second] = [recordsIn(without), recordsIn(explicit)];
  if (first === undefined || second === undefined) return [{ kind: 'obscured', by: 'response/status' }];
  const isEnough = universe.least > wanted + 5;
  if (first.length <= wanted && (!isEnough || first.length === second.length))
    return isEnough ? [{ kind: 'agrees', refutes: [rival.id] }] : [];
  return [
    {
      kind: 'contradicts',
      replies: [without, explicit],
      expected: `${list.id} without a limit gives the page that limit=${wanted} gives, of ${second.length} records`,
      actual: `it gives ${first.length}`,
      rival: { id: rival.id, title: `the default were ${first.length}` },
      witnesses: [],
    },
  ];
}
