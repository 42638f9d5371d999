/** Witnesses of rules about requests: a request that one contract accepts and the other refuses, or that they read differently. */

import type { Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import type { RequestProblem } from '../../../core/request.ts';
import type { InvalidAnswer, InvalidClass, ParameterRule } from '../../../core/rules.ts';
import { badRequestFor } from '../../../generators/request/bad-request.ts';
import { requestFor } from '../../../generators/request/request.ts';
import { type GeneratedRequest, received } from '../../../generators/request/wire.ts';
import { type Asked, readBoth, refusalOf, toExchange } from './asking.ts';
import { drawSmallest } from './draw.ts';
import type { Pair } from './pair.ts';
import type { Search } from './rule-change.ts';
import { canonical, show } from './spot.ts';

/** How many requests are drawn. */
const runs = 400;

/** Looks for a request that is wrong in a way whose answer has changed, to one of several operations. */
export function searchInvalid(
  pairs: readonly Pair[],
  name: InvalidClass,
  parameter: string | undefined,
  before: Json | undefined,
  after: Json | undefined,
): Search {
  let tried = 0;
  for (const pair of pairs) {
    const answering = withAnswers(pair, name, parameter, before, after);
    const open = (): Requests => badRequestFor(answering.old.operation).map(({ request }) => request);
    const search = searchRequests(answering, open, (asked) => contrast(asked, name, parameter));
    tried += search.tried;
    if (search.witness !== undefined) return { tried, witness: search.witness };
  }
  return { tried, witness: undefined };
}

/** Looks for a request that the old contract accepts and that breaks a rule of the new one. */
export function searchRule(pair: Pair, { rule, parameters }: ParameterRule): Search {
  return searchRequests(
    pair,
    () => requestFor(pair.old.operation),
    ({ old, next }) => {
      const refusal = refusalOf(next);
      if (old.problems.length > 0 || refusal?.class !== 'broken-rule' || refusal.parameters.join() !== parameters.join()) return undefined;
      return { refusedBy: 'new', keyword: rule, message: `the old contract accepts it; the new one does not: ${refusal.message}` };
    },
  );
}

type Requests = ReturnType<typeof requestFor>;
type Contrast = Pick<NonNullable<Search['witness']>, 'refusedBy' | 'keyword' | 'message'>;

function searchRequests(pair: Pair, open: () => Requests, contrastOf: (asked: Asked) => Contrast | undefined): Search {
  const look = (request: GeneratedRequest): { readonly asked: Asked; readonly contrast: Contrast } | undefined => {
    const asked = readBoth(pair, received(request));
    const found = asked === undefined ? undefined : contrastOf(asked);
    return asked === undefined || found === undefined ? undefined : { asked, contrast: found };
  };
  const { value, tried } = drawSmallest(open, (request) => look(request) !== undefined, runs);
  const found = value === undefined ? undefined : look(value);
  if (found === undefined) return { tried, witness: undefined };
  const { asked, contrast: told } = found;
  return { tried, witness: { exchange: toExchange(asked.request), pointer: '', value: undefined, place: undefined, ...told } };
}

function contrast({ old, next }: Asked, name: InvalidClass, parameter: string | undefined): Contrast | undefined {
  const isIt = (problem: RequestProblem): boolean =>
    problem.class === name && (parameter === undefined || problem.parameters.includes(parameter));
  const [before, after] = [old.problems.find(isIt), next.problems.find(isIt)];
  const refusals = [refusalOf(old), refusalOf(next)];
  // Only what is refused for this reason, or not at all, tells of it.
  if (before === undefined || after === undefined || refusals.some((refusal) => refusal !== undefined && !isIt(refusal))) return undefined;
  const [isRefusedBefore, isRefusedNow] = refusals.map((refusal) => refusal !== undefined);
  const isTold = isRefusedBefore !== isRefusedNow || isReadDifferently(before, after, old.values, next.values);
  if (!isTold || (isRefusedBefore === true && isRefusedNow === true)) return undefined;
  const refusedBy = isRefusedNow === true ? 'new' : isRefusedBefore === true ? 'old' : undefined;
  const message = `what is wrong with it: ${before.message} The old contract answers as ${before.answer}, the new one as ${after.answer}`;
  return { refusedBy, keyword: name, message };
}

function isReadDifferently(
  before: RequestProblem,
  after: RequestProblem,
  old: ReadonlyMap<string, Json>,
  next: ReadonlyMap<string, Json>,
): boolean {
  // An answer without records is another answer, whatever the parameters are read as.
  if ((before.answer === 'empty') !== (after.answer === 'empty')) return true;
  return canonical(Object.fromEntries(old)) !== canonical(Object.fromEntries(next));
}

/** The pair with the answers in question: those of open questions are the ones at hand, whatever the mock takes. */
function withAnswers(
  pair: Pair,
  name: InvalidClass,
  parameter: string | undefined,
  before: Json | undefined,
  after: Json | undefined,
): Pair {
  return {
    ...pair,
    old: { ...pair.old, operation: withAnswer(pair.old.operation, name, parameter, before) },
    next: { ...pair.next, operation: withAnswer(pair.next.operation, name, parameter, after) },
  };
}

function withAnswer(operation: Operation, name: InvalidClass, parameter: string | undefined, answer: Json | undefined): Operation {
  const own = { [name]: show(answer) as InvalidAnswer };
  if (parameter === undefined) return { ...operation, invalid: { ...operation.invalid, ...own } };
  const parameters = operation.parameters.map((each) =>
    each.name === parameter ? { ...each, invalid: { ...each.invalid, ...own } } : each,
  );
  return { ...operation, parameters };
}
