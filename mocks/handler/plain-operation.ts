/** Handles requests at operations without annotations: Prism judges them and chooses the documented response. */

import type { HttpRequest } from '../../core/http/exchange.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { SchemaViolation } from '../../core/openapi/schema-violation.ts';
import { type RequestProblem, readRequest } from '../../core/parameters/read-request.ts';
import { fromPointer } from '../../core/pointer.ts';
import type { Identification } from './caller.ts';
import { type DocumentedResponse, makeDocumentedResponse } from './documented-response.ts';
import { challenge, createErrorResponse, withReason } from './error-response.ts';
import { type Preference, preferenceParameters, printPreference, toHeaderText } from './prefer-header.ts';
import type { DraftResponse } from './prepare-response.ts';
import { acceptedTypes } from './prism/accepted-types.ts';
import { type Decision, throughPrism, type Violation } from './prism/engine.ts';
import { toPrismOperation } from './prism/http-operation.ts';
import { prismProblems } from './prism/load-prism.ts';
import type { ServedApi } from './served-api.ts';

/** A request at an operation without annotations. */
export interface PlainCall {
  readonly api: ServedApi;
  readonly operation: Operation;
  readonly request: HttpRequest;
  readonly segments: ReadonlyMap<string, string>;
  readonly nowMs: number;
  readonly identification: Identification;
  readonly preference: Preference;
  /** A response that comes after the check of the key and before all others. */
  readonly interruption: DraftResponse | undefined;
}

/** The response to a plain request, and what is wrong with either of them. */
export interface PlainResult {
  readonly draft: DraftResponse;
  readonly problems: readonly RequestProblem[];
  /** What the response breaks of its own contract, as sentences. */
  readonly contractBreaks: readonly string[];
}

/** Responds to a request with a documented response, or with an error where the document has none. */
export async function respondPlainly(call: PlainCall): Promise<PlainResult> {
  const { api, operation, request, identification } = call;
  const prismOperation = toPrismOperation(operation);
  const { undeclared, own } = ownProblems(call, prismOperation.ownParameters);
  const preference = { ...call.preference, dynamic: call.preference.dynamic ?? api.plain?.dynamic === true };
  const { decision, violations } = await throughPrism({
    operation: prismOperation,
    request,
    preference,
    accepts: acceptedTypes(request),
    keyProblem: identification.kind === 'stranger' ? { challenges: [], ...identification } : undefined,
    ownProblems: own,
    interruption: call.interruption,
  });
  const problems = [...violations.flatMap((violation) => toProblem(violation)), ...undeclared];
  if (decision.kind === 'interruption') return { draft: decision.draft, problems, contractBreaks: [] };
  if (decision.kind === 'problem')
    return { draft: withViolations(fromProblem(call, decision.problem), violations), problems, contractBreaks: [] };
  const reason = violations
    .filter(({ severity }) => severity === 'Error')
    .map(({ message }) => message)
    .join('; ');
  const made = await makeDocumentedResponse(
    { operation, request, nowMs: call.nowMs, dynamic: preference.dynamic },
    decision.chosen,
    (value, isExample) => (decision.isFailure && !isExample ? withReason(value, reason) : value),
  );
  const broken = made.violations.map(toResponseViolation);
  const contractBreaks = broken.map(({ message }) => message);
  if (api.plain?.errors === true && broken.length > 0) {
    return { draft: withViolations(fromBrokenResponse(call, broken), [...violations, ...broken]), problems, contractBreaks };
  }
  const headers = {
    ...made.draft.headers,
    ...(made.draft.status === 401 ? challengeOf(call) : {}),
    ...applied(call.preference, made, decision),
    ...noteOf(made, decision.isFailure && made.isExample ? reason : undefined),
  };
  return { draft: withViolations({ ...made.draft, headers }, [...violations, ...broken]), problems, contractBreaks };
}

/** The mistakes that Prism does not see: in parameters that it cannot read, and in names that the document does not have. */
function ownProblems(
  { operation, request, segments }: PlainCall,
  ownParameters: ReadonlySet<string>,
): { readonly undeclared: readonly RequestProblem[]; readonly own: readonly RequestProblem[] } {
  if (ownParameters.size === 0 && !request.target.includes('?')) return { undeclared: [], own: [] };
  const { problems } = readRequest(operation, request, segments);
  const isOwn = (problem: RequestProblem): boolean =>
    problem.answer === 'refused' && problem.parameters.every((name) => ownParameters.has(name));
  return {
    undeclared: problems.filter(
      (problem) => problem.class === 'undeclared' && !problem.parameters.some((name) => preferenceParameters.includes(name)),
    ),
    own: problems.filter((problem) => problem.class !== 'undeclared' && isOwn(problem)),
  };
}

/** An error of Prism, in the error format of the API, or else as RFC 9457 has it. */
function fromProblem(
  { api, operation }: PlainCall,
  { name: type, message: title, status, detail, additional = {} }: Problem,
): DraftResponse {
  const { headers: added, ...members } = additional;
  const headers = (added ?? {}) as Readonly<Record<string, string>>;
  if (api.contract.error !== undefined) return createErrorResponse(api, operation, status, { message: detail, headers });
  const challenges = status === 401 && headers['www-authenticate'] === undefined ? challenge(api, operation) : {};
  const body = { type, title, status, detail, ...(members as JsonObject) };
  return { status, headers: { ...challenges, ...headers, 'content-type': 'application/problem+json' }, body };
}

type Problem = Extract<Decision, { kind: 'problem' }>['problem'];

/** The response of `--errors` to a response that breaks its own contract. */
function fromBrokenResponse(call: PlainCall, validation: readonly Violation[]): DraftResponse {
  const { ProblemJsonError, VIOLATIONS } = prismProblems();
  const detail = 'The documented response breaks its own schema, and the mock was started with --errors.';
  return fromProblem(call, ProblemJsonError.fromTemplate(VIOLATIONS, detail, { validation }));
}

/** The preferences that the response meets. */
function applied(
  { code, example, dynamic }: Preference,
  { draft, isExample }: DocumentedResponse,
  decision: Decision,
): Record<string, string> {
  const key = decision.kind === 'documented' && isExample ? decision.chosen.bodyExample?.key : undefined;
  const met = {
    code: code === draft.status ? code : undefined,
    example: example !== undefined && key === example ? example : undefined,
    dynamic: dynamic !== undefined && draft.body !== undefined && (!dynamic || !isExample) ? dynamic : undefined,
  };
  const text = printPreference(met);
  return text === '' ? {} : { 'preference-applied': text };
}

function noteOf({ note }: DocumentedResponse, reason: string | undefined): Record<string, string> {
  const text = [note, reason].filter((each) => each !== undefined && each !== '').join(' ');
  return text === '' ? {} : { 'mock-note': toHeaderText(text.slice(0, 1000)) };
}

function challengeOf({ api, operation, identification }: PlainCall): Readonly<Record<string, string>> {
  const challenges = identification.kind === 'stranger' ? (identification.challenges ?? []) : [];
  return challenges.length === 0 ? challenge(api, operation) : { 'www-authenticate': challenges.join(', ') };
}

/** Maximum length of the header with all mistakes, which clients must be able to read. */
const maxViolations = 8000;

/** A response with all mistakes in the header that Prism has for them. */
function withViolations(draft: DraftResponse, violations: readonly Violation[]): DraftResponse {
  if (violations.length === 0) return draft;
  const text = JSON.stringify(violations.map(({ location, ...violation }) => ({ location: toPublic(location), ...violation }))).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const header = text.length <= maxViolations ? text : `Too many violations! ${text.slice(0, maxViolations)}`;
  return { ...draft, headers: { ...draft.headers, 'sl-violations': header } };
}

function toPublic(location: readonly string[]): readonly string[] {
  return location[0] === 'response' ? location : ['request', ...location];
}

function toResponseViolation({ path, keyword, message }: SchemaViolation): Violation {
  const keys = fromPointer(path);
  return {
    location: ['response', 'body', ...keys],
    severity: 'Error',
    code: keyword,
    message: `Response body ${keys.length === 0 ? '' : `property ${keys.join('.')} `}${message}`,
  };
}

/** A mistake as the journal and the client rules have it; none for a wrong key, which they have elsewhere, and for warnings. */
function toProblem({ location, severity, code, message }: Violation): readonly RequestProblem[] {
  if (severity !== 'Error' || code === '401') return [];
  const [place = 'body', name] = location;
  const isParameter = place === 'query' || place === 'path' || place === 'header' || place === 'cookie';
  return [
    {
      parameters: isParameter && name !== undefined ? [name] : [],
      in: isParameter ? place : 'query',
      class: classesByCode[code] ?? 'malformed',
      answer: 'refused',
      message,
    },
  ];
}

const classesByCode: Readonly<Record<string, RequestProblem['class']>> = {
  ...Object.fromEntries(
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'multipleOf'].map(
      (code) => [code, 'out-of-range' as const],
    ),
  ),
  enum: 'unknown-value',
  const: 'unknown-value',
  required: 'broken-rule',
  'out-of-range': 'out-of-range',
  'unknown-value': 'unknown-value',
  'broken-rule': 'broken-rule',
  sloppy: 'sloppy',
};
