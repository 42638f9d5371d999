/**
 * Handles requests at operations without annotations: Prism judges them and chooses the documented response, and inferred collections say which records it
 * shows.
 */

import { type JsonObject, printJson } from '../../core/json.ts';
import type { SchemaViolation } from '../../core/openapi/schema-violation.ts';
import { decodeOrKeep } from '../../core/parameters/query-string.ts';
import { type RequestProblem, readParameters } from '../../core/parameters/read-request.ts';
import { fromPointer } from '../../core/pointer.ts';
import type { WorldAnswer } from '../world/find-records.ts';
import type { Call, JournalProblem } from './call.ts';
import { challenge, createErrorResponse, withReason } from './error-response.ts';
import { makeDocumentedResponse } from './make-documented-response.ts';
import { interruptionOf } from './operation-handler.ts';
import { type Preference, preferenceParameters, printPreference } from './prefer-header.ts';
import { withDocumentedBody } from './preferred-response.ts';
import { type DraftResponse, withNote } from './prepare-response.ts';
import { type Decision, throughPrism, type Violation } from './prism/engine.ts';
import { toPrismOperation } from './prism/http-operation.ts';
import { prismProblems } from './prism/load-prism.ts';
import { withPathReferences } from './values/path-references.ts';

/** Responds to a request with a documented response, or with an error where the document has none. */
export async function respondPlainly(call: Call): Promise<DraftResponse> {
  const { api, identification, preference } = call;
  const { undeclared, own } = ownProblems(call);
  const dynamic = preference.dynamic ?? api.plain?.dynamic === true;
  const { decision, violations } = await throughPrism(call, dynamic, own);
  const problems = [...violations.flatMap(toProblem), ...undeclared];
  const interruption = identification.kind === 'caller' ? interruptionOf(call) : undefined;
  if (interruption !== undefined) return { ...(await withDocumentedBody(call, interruption)), problems };
  const draft =
    decision.kind === 'problem'
      ? withViolations(fromProblem(call, decision.problem), violations)
      : await fromDocument(call, decision, violations, dynamic);
  const note = preference.problem === undefined ? '' : `Prefer is ignored: ${preference.problem}`;
  return { ...withNote(draft, note), problems };
}

/** The documented response, with the reason of a failure, the preferences that it meets, and what it breaks of its own contract. */
async function fromDocument(
  call: Call,
  { chosen, isFailure }: Extract<Decision, { kind: 'documented' }>,
  violations: readonly Violation[],
  dynamic: boolean,
): Promise<DraftResponse> {
  const errors = violations.filter(({ severity }) => severity === 'Error');
  const mistakes = errors.map(({ message }) => message).join('; ');
  const reason = isFailure ? mistakes || 'None of the accepted media types is documented.' : '';
  const answer = isFailure ? undefined : await answerFromWorld(call);
  if (answer?.kind === 'failure') {
    const failed = createErrorResponse(call.api, call.operation, answer.status, { message: answer.reason });
    return withViolations(await withDocumentedBody(call, failed), violations);
  }
  const made = await makeDocumentedResponse({ ...call, like: answer?.like }, chosen, dynamic, (value, isExample) => {
    if (answer !== undefined) return answer.change(value);
    if (isExample) return value;
    return isFailure ? withReason(value, reason) : withPathReferences(value, call.operation.path, pathValues(call));
  });
  const broken = made.violations.map(toResponseViolation);
  const contractBreaks = broken.map(({ message }) => message);
  const all = [...violations, ...broken];
  if (call.api.plain?.errors === true && broken.length > 0)
    return { ...withViolations(fromBrokenResponse(call, broken), all), contractBreaks };
  const shownExample = made.isExample ? chosen.bodyExample?.key : undefined;
  const headers = {
    ...made.headers,
    ...answer?.headers,
    ...(made.status === 401 ? challengeOf(call) : {}),
    ...applied(call.preference, made, shownExample),
  };
  const noted = withNote({ status: made.status, headers, body: made.body, isUncoded: made.isUncoded }, answer?.note ?? '');
  const draft = withNote(withNote(noted, made.isExample ? reason : ''), unmetPreference(call, made.status, shownExample));
  return { ...withViolations(draft, all), contractBreaks, isOfClient: answer?.isOfClient };
}

function pathValues({ segments }: Call): readonly (readonly [string, string])[] {
  return [...segments].map(([name, raw]) => [name, decodeOrKeep(raw, false)]);
}

/** What the records of the mock say to a valid request; `undefined` if it asks for a documented response itself. */
async function answerFromWorld(call: Call): Promise<WorldAnswer | undefined> {
  const { code, example } = call.preference;
  return code === undefined && example === undefined ? await call.api.world?.answer(call) : undefined;
}

/** The mistakes that Prism does not see: in parameters that it cannot read, and in names that the document does not have. */
function ownProblems(call: Call): { readonly undeclared: readonly RequestProblem[]; readonly own: readonly RequestProblem[] } {
  const { ownParameters } = toPrismOperation(call.operation);
  if (ownParameters.size === 0 && call.pairs.length === 0) return { undeclared: [], own: [] };
  const { problems } = readParameters(call.operation, call);
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
function fromProblem({ api, operation }: Call, { name: type, message: title, status, detail, additional = {} }: Problem): DraftResponse {
  const { headers: added, ...members } = additional;
  const headers = (added ?? {}) as Readonly<Record<string, string>>;
  if (api.contract.error !== undefined) return createErrorResponse(api, operation, status, { message: detail, headers });
  const challenges = status === 401 && headers['www-authenticate'] === undefined ? challenge(api, operation) : {};
  const body = { type, title, status, detail, ...(members as JsonObject) };
  return { status, headers: { ...challenges, ...headers, 'content-type': 'application/problem+json' }, body };
}

type Problem = Extract<Decision, { kind: 'problem' }>['problem'];

/** The response of `--errors` to a response that breaks its own contract. */
function fromBrokenResponse(call: Call, validation: readonly Violation[]): DraftResponse {
  const { ProblemJsonError, VIOLATIONS } = prismProblems();
  const detail = 'The documented response breaks its own schema, and the mock was started with --errors.';
  return fromProblem(call, ProblemJsonError.fromTemplate(VIOLATIONS, detail, { validation }));
}

/** The preferences that a response meets; `shownExample` is the name of its example. */
function applied(
  { code, example, dynamic }: Preference,
  { status, body, isExample }: Awaited<ReturnType<typeof makeDocumentedResponse>>,
  shownExample: string | undefined,
): Record<string, string> {
  const text = printPreference({
    code: code === status ? code : undefined,
    example: example === shownExample ? example : undefined,
    dynamic: body !== undefined && (dynamic !== true || !isExample) ? dynamic : undefined,
  });
  return text === '' ? {} : { 'preference-applied': text };
}

/** Says which preference a response does not meet; empty if it meets all. */
function unmetPreference({ preference: { code, example }, operation }: Call, status: number, shownExample: string | undefined): string {
  const unmet = { code: code === status ? undefined : code, example: example === shownExample ? undefined : example };
  const text = printPreference(unmet);
  return text === '' ? '' : `Prefer is not met: ${operation.id} has no documented response with ${text} for this request`;
}

function challengeOf({ api, operation, identification }: Call): Readonly<Record<string, string>> {
  const challenges = identification.kind === 'stranger' ? (identification.challenges ?? []) : [];
  return challenges.length === 0 ? challenge(api, operation) : { 'www-authenticate': challenges.join(', ') };
}

/** Maximum length of the header with all mistakes, which clients must be able to read. */
const maxViolations = 8000;

/** A response with all mistakes in the header that Prism has for them. */
function withViolations(draft: DraftResponse, violations: readonly Violation[]): DraftResponse {
  if (violations.length === 0) return draft;
  const text = printJson(violations.map(({ location, ...violation }) => ({ location: toPublic(location), ...violation }))).replaceAll(
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
function toProblem({ location, severity, code, message }: Violation): readonly JournalProblem[] {
  if (severity !== 'Error' || code === '401') return [];
  const [place = 'body', name] = location;
  const isParameter = ['query', 'path', 'header', 'cookie'].includes(place) && name !== undefined;
  return [{ parameters: isParameter ? [name] : [], class: classesByCode[code] ?? 'malformed', message }];
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
