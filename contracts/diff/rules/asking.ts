/** One request as both contracts read it. */

import type { WitnessExchange } from '../../../core/change.ts';
import type { HttpRequest } from '../../../core/exchange.ts';
import type { Json } from '../../../core/json.ts';
import { type Operation, routeTo } from '../../../core/operation.ts';
import type { Parameter } from '../../../core/parameter.ts';
import { type RequestProblem, type RequestReading, readRequest } from '../../../core/request.ts';
import { toRequest } from '../../call.ts';
import type { Values } from '../../walk.ts';
import { listAtoms } from './atoms.ts';
import type { Pair } from './pair.ts';

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
export function readBoth({ old, next }: Pair, request: HttpRequest): Asked | undefined {
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

/** A request as witnesses show it. */
export function toExchange({ method, target, headers }: HttpRequest): WitnessExchange {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
  );
  return { request: { method, target, headers: Object.fromEntries(fields) } };
}
