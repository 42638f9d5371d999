/** Prism's pipeline, behind one door: it routes, validates and asks for an answer, and every place that it has for a step holds one of ours. */

import { factory, type IPrismComponents, type IPrismDiagnostic, type IPrismMockConfig } from '@stoplight/prism-core';
import * as E from 'fp-ts/lib/Either.js';
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Operation } from '../core/operation.ts';
import type { Answer } from './answer.ts';
import type { Call } from './behaviour.ts';

/** Prism's pipeline over calls: the same for every contract, since a call knows its operation. */
export interface Engine {
  /** Takes a call through Prism: its route, its validation of key and parameters, and our behaviour. */
  readonly respond: (call: Call) => Promise<Answer>;
}

type Components = IPrismComponents<Operation, Call, Answer, IPrismMockConfig>;

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

/** Sets up the pipeline. */
export function createEngine(): Engine {
  const pipeline = factory<Operation, Call, Answer, IPrismMockConfig>(config, {
    logger: silentLogger as unknown as Components['logger'],
    route: ({ input }) => E.right(input.operation),
    validateSecurity: ({ element }) => toEither(element, securityProblems(element)),
    validateInput: ({ element }) =>
      toEither(
        element,
        element.reading.problems.map((problem) => problem.message),
      ),
    validateOutput: ({ element }) => E.right(element),
    // What the validators found is known to the call too, with its class and the contract's answer to it; the behaviour decides by that.
    mock:
      ({ input }) =>
      () =>
        E.right(input.data.behave()),
    forward: () => () => TE.left(new Error('the mock answers by itself and forwards nothing')),
  });
  return {
    respond: async (call) => {
      const result = await pipeline.request(call, [])();
      if (E.isLeft(result)) throw result.left;
      return result.right.output;
    },
  };
}

function securityProblems(call: Call): readonly string[] {
  const { identification } = call;
  return identification.kind === 'stranger' ? [identification.because] : [];
}

function toEither(element: Call, messages: readonly string[]): E.Either<NonEmptyArray<IPrismDiagnostic>, Call> {
  const [first, ...rest] = messages.map((message) => ({ message, severity: 0 }));
  return first === undefined ? E.right(element) : E.left([first, ...rest]);
}
