/** Prism's pipeline, with our own function for each of its steps: route, security, validation and mock. */

import { factory, type IPrismComponents, type IPrismDiagnostic, type IPrismMockConfig } from '@stoplight/prism-core';
import * as E from 'fp-ts/lib/Either.js';
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Operation } from '../../core/openapi/operation.ts';
import type { OperationCall } from './operation-handler.ts';
import type { DraftResponse } from './prepare-response.ts';

/** A request in the pipeline, with the function that responds to it. */
interface PipelineInput {
  readonly call: OperationCall;
  readonly behave: () => Promise<DraftResponse>;
}

type Components = IPrismComponents<Operation, PipelineInput, DraftResponse, IPrismMockConfig>;

/** A logger that prints nothing. Prism logs each request; the mock prints its own lines instead. */
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

const pipeline = factory<Operation, PipelineInput, DraftResponse, IPrismMockConfig>(config, {
  logger: silentLogger as unknown as Components['logger'],
  route: ({ input }) => E.right(input.call.operation),
  validateSecurity: ({ element }) => toEither(element, securityProblems(element.call)),
  validateInput: ({ element }) =>
    toEither(
      element,
      element.call.reading.problems.map(({ message }) => message),
    ),
  validateOutput: ({ element }) => E.right(element),
  // This step ignores the validation results of Prism: the behaviour has the same problems, with the response of the contract to each.
  // Its type is synchronous, but Prism awaits its result.
  mock:
    ({ input }) =>
    () =>
      input.data.behave().then(E.right) as unknown as E.Either<Error, DraftResponse>,
  forward: () => () => TE.left(new Error('the mock answers by itself and forwards nothing')),
});

/**
 * Sends a call through Prism, and responds to it with `behave`.
 * @throws the error of `behave`.
 */
export async function throughPrism(call: OperationCall, behave: () => Promise<DraftResponse>): Promise<DraftResponse> {
  const result = await pipeline.request({ call, behave }, [])();
  if (E.isLeft(result)) throw result.left;
  return result.right.output;
}

function securityProblems({ identification }: OperationCall): readonly string[] {
  return identification.kind === 'stranger' ? [identification.reason] : [];
}

function toEither(element: PipelineInput, messages: readonly string[]): E.Either<NonEmptyArray<IPrismDiagnostic>, PipelineInput> {
  const [first, ...rest] = messages.map((message) => ({ message, severity: 0 }));
  return first === undefined ? E.right(element) : E.left([first, ...rest]);
}
