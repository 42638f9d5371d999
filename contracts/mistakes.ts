/** Wrong values of a parameter, of those that the contract says are refused; what it leaves open is never among them. */

import type { Contract } from '../core/contract.ts';
import type { Operation } from '../core/operation.ts';
import { type RequestProblem, readRequest } from '../core/request.ts';
import type { InvalidClass } from '../core/rules.ts';
import { type Call, encodeText, toRequest } from './call.ts';
import { parameterPlace } from './list-clause.ts';
import { isStated } from './openness.ts';
import type { Attempt } from './refusal.ts';
import { wrongTexts } from './wrong-values.ts';

/** What is wrong with a call, as the contract sees it. */
export function problemsOf(call: Call): readonly RequestProblem[] {
  const segments = new Map(Object.entries(call.segments ?? {}));
  const inPath = call.operation.parameters.filter((parameter) => parameter.in === 'path' && call.values?.[parameter.key] !== undefined);
  for (const parameter of inPath) segments.set(parameter.name, encodeText(String(call.values?.[parameter.key])));
  return readRequest(call.operation, toRequest(call, new Map()), segments).problems;
}

/** Whether the contract says that a call is refused, and says so outright. */
export function isRefused(contract: Contract, call: Call): boolean {
  return problemsOf(call).some((problem) => problem.answer === 'refused' && isOutright(contract, call, problem));
}

function isOutright(contract: Contract, { operation }: Call, problem: RequestProblem): boolean {
  const [name = ''] = problem.parameters;
  const own = operation.parameters.find((parameter) => parameter.name === name)?.invalid[problem.class];
  return own !== undefined || isStated(contract, problem.class);
}

/**
 * Attempts with one wrong text each for a query parameter: those that the contract refuses outright, for a reason of these classes.
 * Without texts of the caller's own they are the parameter's `wrongTexts`.
 */
export function refusedTexts(
  contract: Contract,
  operation: Operation,
  name: string,
  classes: readonly InvalidClass[],
  texts: readonly string[] = operation.parameters.filter(({ key }) => key === name).flatMap((each) => wrongTexts(contract, each)),
): readonly Attempt[] {
  return texts.flatMap((text) => {
    const call: Call = { operation, raw: [`${encodeText(name)}=${encodeText(text).replaceAll('%2C', ',')}`] };
    const isOfClass = problemsOf(call).some((problem) => classes.includes(problem.class));
    return isOfClass && isRefused(contract, call) ? [{ call, what: `${name}=${text}`, clause: parameterPlace(operation, name) }] : [];
  });
}
