/** One request as both contracts read it, and requests that witness a change: one contract accepts them and the other does not, or reads them otherwise. */

import type { Witness } from '../../../core/change.ts';
import type { HttpRequest } from '../../../core/exchange.ts';
import type { Json } from '../../../core/json.ts';
import { type Operation, routeTo } from '../../../core/operation.ts';
import type { Parameter } from '../../../core/parameter.ts';
import { type RequestProblem, type RequestReading, readRequest } from '../../../core/request.ts';
import type { InvalidAnswer, InvalidClass, ParameterRule } from '../../../core/rules.ts';
import { badRequestFor } from '../../../generators/requests/bad-request-arbitrary.ts';
import { requestFor } from '../../../generators/requests/request-arbitrary.ts';
import { type GeneratedRequest, received } from '../../../generators/requests/wire-request.ts';
import { toRequest } from '../../call.ts';
import type { Values } from '../../walk.ts';
import type { Pair } from './pair.ts';
import { drawSmallest, listAtoms } from './pool.ts';
import { canonical, show } from './spot.ts';
import { type Search, searchInTurn } from './word.ts';

/** A request, and what each contract reads in it. */
export interface Asked {
  readonly request: HttpRequest;
  readonly old: RequestReading;
  readonly next: RequestReading;
}

/** Asks with some values, and with whatever else is required; `undefined` when the old contract finds anything wrong with it. */
export function ask(pair: Pair, values: Values): Asked | undefined {
  const { operation } = pair.old;
  const required = operation.parameters.filter((parameter) => parameter.required && values[parameter.key] === undefined);
  const others = required.map((parameter) => [parameter.key, valuesFor(operation, parameter)[0] ?? null] as const);
  const all: Values = { ...Object.fromEntries(others), ...values };
  if (Object.values(all).includes(null)) return undefined;
  const { headers, ...request } = toRequest({ operation, values: all }, new Map());
  const { accept: _accept, ...rest } = headers;
  const asked = readBoth(pair, { ...request, headers: rest });
  return asked === undefined || asked.old.problems.length > 0 ? undefined : asked;
}

/** A request as both contracts read it; `undefined` when its path is that of another operation. */
function readBoth({ old, next }: Pair, request: HttpRequest): Asked | undefined {
  const route = routeTo([old.operation], request.method, request.target);
  if (route.kind !== 'operation') return undefined;
  const read = (operation: Operation): RequestReading => readRequest(operation, request, route.segments);
  return { request, old: read(old.operation), next: read(next.operation) };
}

/** Values that a parameter may have, a few more than its schema lists. */
export function valuesFor({ document }: Operation, parameter: Parameter, more: readonly Json[] = []): readonly Json[] {
  const isList = parameter.style.shape === 'list';
  const atoms = [...parameter.allowed, ...more, ...listAtoms(document, [parameter.schema])].filter((value) => typeof value !== 'object');
  const values = isList ? [...atoms.map((value) => [value]), ...atoms.slice(1).map((value) => [atoms[0] ?? value, value])] : atoms;
  return values.filter((value) => parameter.validate(value).length === 0);
}

/** What refuses a request; `undefined` when nothing does. */
export function refusalOf({ problems }: RequestReading): RequestProblem | undefined {
  return problems.find(({ answer }) => answer === 'refused');
}

/** What a request shows, with what is told of it. */
export function witnessBy(
  { request: { method, target, headers } }: Asked,
  told: Pick<Witness, 'keyword' | 'message' | 'refusedBy'> & Partial<Witness>,
): Witness {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
  );
  const exchange = { request: { method, target, headers: Object.fromEntries(fields) } };
  return { exchange, pointer: '', value: undefined, place: undefined, ...told };
}

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
  return searchInTurn(
    pairs.map((pair) => () => {
      // Answers to open questions are the ones at hand, whatever the mock takes.
      const old = { ...pair.old, operation: withAnswer(pair.old.operation, name, parameter, before) };
      const next = { ...pair.next, operation: withAnswer(pair.next.operation, name, parameter, after) };
      const open = (): Requests => badRequestFor(old.operation).map(({ request }) => request);
      return searchRequests({ ...pair, old, next }, open, (asked) => contrast(asked, name, parameter));
    }),
  );
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
type Contrast = Pick<Witness, 'refusedBy' | 'keyword' | 'message'>;

function searchRequests(pair: Pair, open: () => Requests, contrastOf: (asked: Asked) => Contrast | undefined): Search {
  const look = (request: GeneratedRequest): Witness | undefined => {
    const asked = readBoth(pair, received(request));
    const found = asked && contrastOf(asked);
    return asked && found && witnessBy(asked, found);
  };
  const { value, tried } = drawSmallest(open, (request) => look(request) !== undefined, runs);
  return { tried, witness: value && look(value) };
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

function withAnswer(operation: Operation, name: InvalidClass, parameter: string | undefined, answer: Json | undefined): Operation {
  const own = { [name]: show(answer) as InvalidAnswer };
  if (parameter === undefined) return { ...operation, invalid: { ...operation.invalid, ...own } };
  const parameters = operation.parameters.map((each) =>
    each.name === parameter ? { ...each, invalid: { ...each.invalid, ...own } } : each,
  );
  return { ...operation, parameters };
}
