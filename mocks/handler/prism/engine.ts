/**
 * Takes a request through Prism: its security, its parameters and its body are judged, and the documented response for the result is chosen. Makes no values
 * and no bytes.
 */

import { factory, type IPrismComponents, type IPrismDiagnostic, type IPrismMockConfig } from '@stoplight/prism-core';
import type { IHttpNegotiationResult } from '@stoplight/prism-http/dist/mocker/negotiator/types.js';
import type { IHttpOperationConfig, IHttpRequest, ProblemJsonError as Problem } from '@stoplight/prism-http/dist/types.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type HttpHeaders, headerOf } from '../../../core/http/exchange.ts';
import type { RequestProblem } from '../../../core/parameters/read-request.ts';
import type { Call } from '../call.ts';
import type { Preference } from '../prefer-header.ts';
import { contentsFor } from './concrete-media-types.ts';
import { type PrismOperation, toPrismOperation } from './http-operation.ts';
import { judgeBody } from './judge-body.ts';
import { prismNegotiator, prismProblems, prismValidator, silentLogger } from './load-prism.ts';
import { toPrismRequest } from './prism-request.ts';

/** The response that was chosen, without a body. */
export type ChosenResponse = IHttpNegotiationResult;

/** One mistake in a request. */
export interface Violation {
  /** The keys that lead to it, such as `query` and `limit`. */
  readonly location: readonly string[];
  readonly severity: 'Error' | 'Warning';
  /** The broken keyword, or a status. */
  readonly code: string;
  readonly message: string;
}

/** The response for a request, before it has a body. */
export type Decision =
  | { readonly kind: 'documented'; readonly chosen: IHttpNegotiationResult; readonly isFailure: boolean }
  | { readonly kind: 'problem'; readonly problem: Problem };

interface PipelineInput extends IHttpRequest {
  readonly call: Call;
  readonly dynamic: boolean;
  /** Mistakes in the parameters that Prism cannot read. */
  readonly ownProblems: readonly RequestProblem[];
}

type Components = IPrismComponents<PrismOperation, PipelineInput, Decision, IPrismMockConfig>;

const config: IPrismMockConfig = {
  isProxy: false,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
  mock: {},
};

const pipeline = factory<PrismOperation, PipelineInput, Decision, IPrismMockConfig>(config, {
  logger: silentLogger,
  // The router has asked Prism already, once for each path.
  route: ({ input }) => E.right(toPrismOperation(input.call.operation)),
  // The caller was identified with Prism already, since chaos depends on it.
  validateSecurity: ({ element }) => {
    const { identification } = element.call;
    if (identification.kind === 'caller') return E.right(element);
    const { reason: message, challenges = [] } = identification;
    return E.left([{ message, code: 401, severity: 0, tags: challenges }]);
  },
  validateInput: ({ resource, element }) => {
    const result = prismValidator().validateInput({ resource, element });
    const diagnostics: IPrismDiagnostic[] = E.isLeft(result) ? [...result.left] : [];
    // A body of a wrong type, or a missing one, is said once.
    const hasWrongBody = diagnostics.some(({ path, code }) => path === undefined && code !== undefined);
    diagnostics.push(...element.ownProblems.map(toDiagnostic), ...(hasWrongBody ? [] : judgeBody(resource.origin, element.call)));
    const [first, ...rest] = diagnostics;
    return first === undefined ? E.right(element) : E.left([first, ...rest]);
  },
  validateOutput: ({ element }) => E.right(element),
  mock:
    ({ resource, input }) =>
    (logger) =>
      decide(resource, input.data, input.validations)(logger),
  forward: () => () => TE.left(new Error('the mock answers by itself and forwards nothing')),
});

/** Chooses the response for a request, with the mistakes of the request. `ownProblems` are those in the parameters that Prism cannot read. */
export async function throughPrism(
  call: Call,
  dynamic: boolean,
  ownProblems: readonly RequestProblem[],
): Promise<{ readonly decision: Decision; readonly violations: readonly Violation[] }> {
  const input: PipelineInput = { ...toPrismRequest(call, call.operation), call, dynamic, ownProblems };
  const result = await pipeline.request(input, [toPrismOperation(call.operation)])();
  if (E.isLeft(result)) throw result.left;
  const { output, validations } = result.right;
  return { decision: output, violations: validations.input.map(toViolation) };
}

/** The documented response that a request prefers, whatever its key and its parameters; the reason as a text if there is none. */
export function chooseByPreference(operation: PrismOperation, preference: Preference): IHttpNegotiationResult | string {
  // Prism would refuse a media type in Accept that is not documented.
  const options = toOptions(preference, []);
  const chosen = prismNegotiator().negotiateOptionsForValidRequest(contentsFor(operation, []), options)(silentLogger);
  if (E.isRight(chosen)) return chosen.right;
  return isProblem(chosen.left) && chosen.left.detail !== '' ? chosen.left.detail : chosen.left.message;
}

/** The order of Prism: the key, then everything else that is wrong, then the preferred response. Its mocker has it too, with a generator. */
function decide(
  resource: PrismOperation,
  { call, dynamic }: PipelineInput,
  validations: readonly IPrismDiagnostic[],
): ReturnType<Components['mock']> {
  return (logger) => {
    const errors = validations.filter(({ severity }) => severity === 0);
    const unauthorized = errors.filter(({ code }) => code === 401);
    if (unauthorized.length > 0) return E.right(refuse(resource, call, problemFor(unauthorized), [401])(logger));
    if (errors.length > 0) {
      const hasWrongType = errors.some(({ code }) => code === 415);
      return E.right(refuse(resource, call, problemFor(errors), hasWrongType ? [415, 422, 400] : [422, 400])(logger));
    }
    // An operation without responses is legal since OpenAPI 3.1, and an error of the mock would be a lie.
    if (resource.responses.length === 0) return E.right({ kind: 'documented', chosen: { code: '200', headers: [] }, isFailure: false });
    const accepts = acceptedTypes(call.headers);
    const chosen = choose(contentsFor(resource, accepts), toOptions({ ...call.preference, dynamic }, accepts));
    const isUnacceptable = chosen.kind === 'problem' && chosen.problem.status === 406;
    return E.right(isUnacceptable ? refuse(resource, call, chosen.problem, [406])(logger) : chosen);
  };
}

/** The documented response for a valid request, or the reason why there is none. */
function choose(resource: PrismOperation, options: IHttpOperationConfig): Decision {
  const chosen = prismNegotiator().negotiateOptionsForValidRequest(resource, options)(silentLogger);
  if (E.isRight(chosen)) return { kind: 'documented', chosen: chosen.right, isFailure: false };
  if (isProblem(chosen.left)) return { kind: 'problem', problem: chosen.left };
  // Prism fails where a dynamic body has no schema; its example is the next best.
  if (options.dynamic) return choose(resource, { ...options, dynamic: false });
  const { NOT_FOUND, ProblemJsonError } = prismProblems();
  return { kind: 'problem', problem: ProblemJsonError.fromTemplate(NOT_FOUND, chosen.left.message) };
}

/** The documented response to a mistake, or Prism's own one. */
function refuse(
  { responses }: PrismOperation,
  { preference }: Call,
  problem: Problem,
  statuses: [number, ...number[]],
): (logger: typeof silentLogger) => Decision {
  const example = preference.code !== undefined && statuses.includes(preference.code) ? preference.example : undefined;
  return (logger) => {
    const chosen = prismNegotiator().negotiateOptionsForInvalidRequest(responses, statuses, example)(logger);
    if (E.isRight(chosen)) return { kind: 'documented', chosen: chosen.right, isFailure: true };
    // An example that is missing is said; where the document has no response, Prism makes one.
    const isMissing = isProblem(chosen.left) && chosen.left.status === 404;
    return { kind: 'problem', problem: isMissing ? (chosen.left as Problem) : problem };
  };
}

function isProblem(error: Error): error is Problem {
  return error instanceof prismProblems().ProblemJsonError;
}

function problemFor(errors: readonly IPrismDiagnostic[]): Problem {
  const { INVALID_CONTENT_TYPE, ProblemJsonError, UNAUTHORIZED, UNPROCESSABLE_ENTITY } = prismProblems();
  const unauthorized = errors.find(({ code }) => code === 401);
  if (unauthorized !== undefined) {
    const challenges = (unauthorized.tags ?? []).map(String).filter((tag) => tag !== '');
    return ProblemJsonError.fromTemplate(
      UNAUTHORIZED,
      unauthorized.message,
      challenges.length === 0 ? undefined : { headers: { 'www-authenticate': challenges.join(', ') } },
    );
  }
  const wrongType = errors.find(({ code }) => code === 415);
  if (wrongType !== undefined) return ProblemJsonError.fromTemplate(INVALID_CONTENT_TYPE, wrongType.message);
  return ProblemJsonError.fromTemplate(
    UNPROCESSABLE_ENTITY,
    'This request is not valid, and the OpenAPI file documents no response for that.',
    {
      validation: errors.map(toViolation),
    },
  );
}

/** The media types that a request accepts, as sent; empty for any. Entries that are no media types are left out, since Prism fails at them. */
function acceptedTypes(headers: HttpHeaders): readonly string[] {
  const entries = (headerOf(headers, 'accept') ?? '').split(',').map((entry) => entry.trim());
  return entries.filter((entry) => /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:\s*;.*)?$/.test(entry));
}

function toOptions({ code, example, dynamic }: Preference, accepts: readonly string[]): IHttpOperationConfig {
  return {
    dynamic: dynamic ?? false,
    ...(code === undefined ? {} : { code }),
    ...(example === undefined ? {} : { exampleKey: example }),
    ...(accepts.length === 0 ? {} : { mediaTypes: [...accepts] }),
  };
}

function toDiagnostic({ in: place, parameters, class: code, message }: RequestProblem): IPrismDiagnostic {
  return { path: [place, ...parameters], code, message, severity: 0 };
}

function toViolation({ path = [], severity, code, message }: IPrismDiagnostic): Violation {
  return { location: path, severity: severity === 0 ? 'Error' : 'Warning', code: String(code ?? ''), message };
}
