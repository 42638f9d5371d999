/** Prism's pipeline: every request that is not answered from the cache passes its route, security, validation and mock steps. Each step is ours. */

import { factory, type IPrismComponents, type IPrismDiagnostic, type IPrismMockConfig } from '@stoplight/prism-core';
import * as E from 'fp-ts/lib/Either.js';
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Operation } from '../../core/openapi/operation.ts';
import type { OperationCall } from './behaviour.ts';
import type { Answer } from './mock-response.ts';

/** A request in the pipeline: what was read of it, and the step that answers it. */
interface Passage {
  readonly call: OperationCall;
  readonly behave: () => Promise<Answer>;
}

type Components = IPrismComponents<Operation, Passage, Answer, IPrismMockConfig>;

/** Prism writes to a logger for each request; the mock has lines of its own. */
export const silentLogger: Readonly<Record<string, unknown>> = {
  child: (): unknown => silentLogger,
  ...Object.fromEntries(['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'].map((level) => [level, (): void => undefined])),
};

const config: IPrismMockConfig = {
  isProxy: false,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
  mock: {},
};

const pipeline = factory<Operation, Passage, Answer, IPrismMockConfig>(config, {
  logger: silentLogger as unknown as Components['logger'],
  route: ({ input }) => E.right(input.call.operation),
  validateSecurity: ({ element }) => toEither(element, securityProblems(element.call)),
  validateInput: ({ element }) =>
    toEither(
      element,
      element.call.reading.problems.map(({ message }) => message),
    ),
  validateOutput: ({ element }) => E.right(element),
  // The behaviour knows the problems that the validators found, with the class of each and the contract's answer to it.
  // The step is typed as synchronous; Prism awaits what it returns.
  mock:
    ({ input }) =>
    () =>
      input.data.behave().then(E.right) as unknown as E.Either<Error, Answer>,
  forward: () => () => TE.left(new Error('the mock answers by itself and forwards nothing')),
});

/**
 * Takes a call through Prism: its route, its validation of key and parameters, and our behaviour.
 * @throws what the behaviour throws.
 */
export async function throughPrism(call: OperationCall, behave: () => Promise<Answer>): Promise<Answer> {
  const result = await pipeline.request({ call, behave }, [])();
  if (E.isLeft(result)) throw result.left;
  return result.right.output;
}

function securityProblems({ identification }: OperationCall): readonly string[] {
  return identification.kind === 'stranger' ? [identification.because] : [];
}

function toEither(element: Passage, messages: readonly string[]): E.Either<NonEmptyArray<IPrismDiagnostic>, Passage> {
  const [first, ...rest] = messages.map((message) => ({ message, severity: 0 }));
  return first === undefined ? E.right(element) : E.left([first, ...rest]);
}
