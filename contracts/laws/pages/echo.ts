/** The law about what an answer says of its own page. */

import { placeBelow } from '../../../core/document.ts';
import type { Operation } from '../../../core/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { NumberedPage } from '../../../core/rules.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Contradiction, Finding, Law } from '../../law.ts';
import { askSecondPage, isPage, numbered, wantedOf } from '../../numbered.ts';
import { isOpen } from '../../openness.ts';

import { type Reply, recordsIn } from '../../reply.ts';
import { totalIn } from '../../walk.ts';

/** The law. */
export const echo: Law = {
  id: 'pages/echo',
  title: 'An answer says which page it is, and of which size',
  why: 'Clients count on by what the answer says, and cannot tell otherwise that their page size was cut.',
  strength: 'stated',
  clause: (operation) =>
    echoOf(operation) === undefined ? undefined : placeBelow(operation.document, operation.value, ['x-collection', 'page', 'echo']),
  examine: async (lab, operation) => {
    await askSecondPage(lab, numbered(operation));
    const rivals = rivalsFor(echoOf(operation) ?? {});
    return { rivals, judge: () => judgeAll(lab, operation) };
  },
};

type Echo = NonNullable<NumberedPage['echo']>;

function echoOf({ collection }: Operation): Echo | undefined {
  return collection?.page.style === 'page' ? collection.page.echo : undefined;
}

function rivalsFor(echo: Echo): readonly Candidate[] {
  return [
    ...(echo.limit === undefined
      ? []
      : [
          {
            id: 'constant-limit',
            title: `${echo.limit} said the same whatever was asked for`,
            missing: 'a page of another size than the usual one',
          },
        ]),
    ...(echo.page === undefined
      ? []
      : [{ id: 'constant-page', title: `${echo.page} said the same whatever was asked for`, missing: 'another page than the first' }]),
  ];
}

function judgeAll(lab: Lab, operation: Operation): readonly Finding[] {
  const pages = lab.replies.filter((reply) => reply.call.operation.id === operation.id && isPage(reply));
  const echo = echoOf(operation) ?? {};
  const findings = pages.flatMap((reply) => [...judgeLimit(lab, echo, reply), ...judgePage(echo, reply)]);
  const isConstant = (pointer: string | undefined): boolean => new Set(pages.map(({ body }) => valueAt(body, pointer ?? ''))).size === 1;
  const constant = { 'constant-limit': isConstant(echo.limit), 'constant-page': isConstant(echo.page) };
  return findings.map((finding) => (finding.kind === 'contradicts' ? withoutUnlikely(finding, constant) : finding));
}

/** What said different things in different answers did not say the same whatever was asked for. */
function withoutUnlikely({ rival, ...finding }: Contradiction, constant: Readonly<Record<string, boolean>>): Contradiction {
  return rival === undefined || constant[rival.id] === false ? finding : { ...finding, rival };
}

function judgeLimit(lab: Lab, { limit: pointer }: Echo, reply: Reply): readonly Finding[] {
  const wanted = wantedOf(reply);
  const echoed = pointer === undefined ? undefined : valueAt(reply.body, pointer);
  if (pointer === undefined || wanted === undefined || typeof echoed !== 'number') return [];
  const length = recordsIn(reply)?.length ?? 0;
  const said = `it says ${echoed}`;
  if (length > echoed)
    return [
      contradiction([reply], `a page has no more records than ${pointer} says`, `${said} and gives ${length}`, 'constant-limit', pointer),
    ];
  const { operation } = reply.call;
  if (echoed === wanted.limit) return [{ kind: 'agrees', refutes: echoed === defaultLimit(operation) ? [] : ['constant-limit'] }];
  // A server may have a largest size of its own; it is enough that it says so, and keeps to what it says.
  if (echoed < wanted.limit && isCappedAt(lab, operation, echoed)) return [];
  return [contradiction([reply], `${pointer} of a page of ${wanted.limit} says ${wanted.limit}`, said, 'constant-limit', pointer)];
}

function isCappedAt({ contract }: Lab, operation: Operation, limit: number): boolean {
  const { page } = numbered(operation).collection;
  return page.style === 'page' && (isOpen(contract, operation, 'x-collection/page/cap') || page.cap === limit);
}

function defaultLimit(operation: Operation): unknown {
  return operation.parameters.find((each) => each.key === operation.collection?.page.limit)?.fallback;
}

/** Past the end another page may be shown instead, and filters decide where that is, so there the number proves nothing. */
function judgePage({ page: pointer }: Echo, reply: Reply): readonly Finding[] {
  const wanted = wantedOf(reply);
  const echoed = pointer === undefined ? undefined : valueAt(reply.body, pointer);
  if (pointer === undefined || wanted === undefined || typeof echoed !== 'number') return [];
  if (echoed === wanted.page) return [{ kind: 'agrees', refutes: echoed === 1 ? [] : ['constant-page'] }];
  const total = totalIn(numbered(reply.call.operation).collection.page, reply);
  const isInside = wanted.page === 1 || (Object.keys(wanted.values).length === 0 && total !== undefined && wanted.skip < total);
  if (!isInside) return [];
  return [contradiction([reply], `${pointer} of page ${wanted.page} says ${wanted.page}`, `it says ${echoed}`, 'constant-page', pointer)];
}

function contradiction(replies: readonly Reply[], expected: string, actual: string, rival: string, pointer: string): Contradiction {
  return {
    kind: 'contradicts',
    replies,
    expected,
    actual,
    rival: { id: rival, title: `${pointer} did not depend on what was asked for` },
    witnesses: [],
  };
}
