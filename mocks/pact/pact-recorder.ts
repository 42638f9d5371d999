/**
 * Records pacts from the exchanges of a mock, one interaction per kind of exchange: at once with `recordPacts`, otherwise from the journal when somebody asks
 * for a pact. Writes no files.
 */

import { UsageError } from '../../core/errors.ts';
import { judgeRequestBody } from '../../core/http/check-request-body.ts';
import { isArray, type JsonObject, parseJson, printJson } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { valueAt } from '../../core/pointer.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { FinishedExchange } from '../served-exchange.ts';
import { toExchange } from '../served-exchange.ts';
import { type AnonymizedExchange, createAnonymizer } from './anonymize-exchange.ts';
import { type ContractWithoutProfile, createContractWithoutProfile } from './contract-without-profile.ts';
import { writeInteraction } from './convert-exchange-to-interaction.ts';
import { namesOf } from './describe-interaction.ts';
import { type InferredStates, inferStates } from './infer-recorded-states.ts';
import { printPact, toPactFile } from './pact-document.ts';
import { type ConsumerFilter, type ObservedExchange, type RecordableExchange, readRecordableExchange } from './recordable-exchange.ts';

/** Requests that are not in a pact, with the reason. */
export interface LeftOut {
  /** A clause about the requests. */
  readonly reason: string;
  /** Number of such requests. */
  readonly count: number;
  /** The shortest of the requests: method and target, without keys and personal data. */
  readonly example: string;
}

/** The interactions of one provider. */
interface RecordedProvider {
  /** Name of its contract. */
  readonly provider: string;
  /** In the order of the file. */
  readonly interactions: readonly RankedInteraction[];
}

/** Collects interactions from exchanges. */
interface PactRecorder {
  /** Adds an exchange; returns true if a pact has changed. */
  readonly record: (exchange: ObservedExchange) => boolean;
  /** Providers with interactions, by name. */
  readonly recorded: () => readonly RecordedProvider[];
  readonly leftOut: () => readonly LeftOut[];
}

/** Maximum number of interactions per provider, and of reasons for requests that are left out. */
const maxInteractions: number = 1000;

const maxReasons = 100;

/** Creates an empty recorder of the requests that the filter selects. The APIs may change while the mock runs. */
export function createPactRecorder(apis: () => readonly ServedApi[], filter: ConsumerFilter = {}): PactRecorder {
  const toolsByContract = new WeakMap<Contract, RecordingTools>();
  const byProvider = new Map<string, Map<string, RankedInteraction>>();
  const reasons = new Map<string, { count: number; example: string }>();
  const toolsOf = ({ contract }: ServedApi): RecordingTools => {
    return getOrCompute(toolsByContract, contract, () => ({
      withoutProfile: createContractWithoutProfile(contract),
      anonymize: createAnonymizer(contract),
    }));
  };
  const leaveOut = (reason: string, { request }: ObservedExchange): false => {
    const earlier = reasons.get(reason);
    const example = `${request.method} ${request.target}`;
    if (earlier === undefined && reasons.size >= maxReasons) return false;
    const isShorter = earlier === undefined || compareTexts(example, earlier.example) < 0;
    reasons.set(reason, { count: (earlier?.count ?? 0) + 1, example: isShorter ? example : earlier.example });
    return false;
  };
  return {
    record: (exchange) => {
      const result = readRecordableExchange(apis(), (candidate) => toolsOf(candidate).withoutProfile, exchange, filter);
      if (result === 'ignored') return false;
      if ('leftOut' in result) return leaveOut(result.leftOut, exchange);
      const { api } = result.recordable;
      const anonymous = toolsOf(api).anonymize(result.recordable);
      const states = inferStates(result.recordable, (name) => anonymous.parameters.has(name));
      const omitReason = reasonToLeaveOut(result.recordable, states, anonymous);
      if (omitReason !== undefined) return leaveOut(omitReason, exchange);
      const interactions = getOrCompute(byProvider, api.contract.name, () => new Map<string, RankedInteraction>());
      const kind = kindOfExchange(result.recordable, states);
      const best = interactions.get(kind);
      if (best === undefined && interactions.size >= maxInteractions)
        return leaveOut(`its pact already has ${maxInteractions} interactions`, exchange);
      const rank = rankOf(result.recordable);
      // Most exchanges rank lower than the current example, so they are not written.
      if (best !== undefined && rank > best.rank) return false;
      const interaction = writeInteraction(result.recordable, states, anonymous);
      const text = printJson(interaction);
      if (best?.rank === rank && compareTexts(text, best.text) >= 0) return false;
      interactions.set(kind, { order: orderOf(result.recordable, interaction), rank, interaction, text });
      return true;
    },
    recorded: () =>
      [...byProvider]
        .map(([provider, interactions]) => ({ provider, interactions: [...interactions.values()].toSorted(compareInteractions) }))
        .toSorted((left, right) => compareTexts(left.provider, right.provider)),
    leftOut: () =>
      [...reasons]
        .map(([reason, { count, example }]) => ({ reason, count, example }))
        .toSorted((left, right) => compareTexts(left.reason, right.reason)),
  };
}

/**
 * Selects the interactions of a provider.
 * @throws {UsageError} when several providers have interactions and none is named, or the named one is not served.
 */
export function chooseProvider(
  recorded: readonly RecordedProvider[],
  provider: string | undefined,
  served: readonly string[],
): RecordedProvider {
  const names = recorded.map((each) => each.provider);
  if (provider !== undefined && !served.includes(provider))
    throw new UsageError(`this mock does not serve ${provider}; name one of ${served.join(', ')}`);
  const wanted = provider ?? (names.length === 0 && served.length === 1 ? served[0] : names.length === 1 ? names[0] : undefined);
  if (wanted !== undefined) return recorded.find((each) => each.provider === wanted) ?? { provider: wanted, interactions: [] };
  throw new UsageError(`this mock serves ${served.join(', ')}; name one of them as the provider of the pact`);
}

/** Returns the reason to leave out an exchange that no state repeats, or whose request body a pact may only show in an invalid form. */
function reasonToLeaveOut(
  recordable: RecordableExchange,
  { omitReason }: InferredStates,
  { sentBody }: AnonymizedExchange,
): string | undefined {
  if (omitReason !== undefined) return omitReason;
  const { withoutProfile, request, response, sentBody: sent } = recordable;
  if (sent === undefined || sentBody === undefined || response.status >= 400) return undefined;
  const body = sent.format === 'json' ? printJson(sentBody) : String(sentBody);
  const { problem } = judgeRequestBody(withoutProfile.operation, { ...request, body });
  return problem === undefined ? undefined : 'its request body is only valid with its secrets and personal data';
}

/** Created once per contract. */
interface RecordingTools {
  readonly withoutProfile: ContractWithoutProfile;
  readonly anonymize: ReturnType<typeof createAnonymizer>;
}

function compareInteractions(left: RankedInteraction, right: RankedInteraction): number {
  const [operation, status, description] = left.order;
  return (
    operation - right.order[0] ||
    status - right.order[1] ||
    compareTexts(description, right.order[2]) ||
    compareTexts(left.text, right.text)
  );
}

function compareTexts(left: string, right: string): number {
  return left.length === right.length ? (left < right ? -1 : left > right ? 1 : 0) : left.length - right.length;
}

/** The best interaction of its kind: the one with the lowest rank, then the shortest one. */
interface RankedInteraction {
  /** Position in the file: by operation, status and description. */
  readonly order: readonly [number, number, string];
  readonly rank: number;
  readonly interaction: JsonObject;
  readonly text: string;
}

/** Lists with records come before empty ones, and short requests before long ones. */
function rankOf({ withoutProfile, body, request }: RecordableExchange): number {
  const { target, body: sent = '' } = request;
  const { collection } = withoutProfile.operation;
  const items = collection === undefined ? undefined : valueAt(body, collection.items);
  return (Array.isArray(items) && items.length === 0 ? 2 ** 32 : 0) + target.length + sent.length;
}

function orderOf({ api, withoutProfile, response }: RecordableExchange, interaction: JsonObject): RankedInteraction['order'] {
  const number = api.contract.operations.findIndex(({ id }) => id === withoutProfile.operation.id);
  return [number, response.status, String(interaction['description'])];
}

/** Returns the kind of an exchange: exchanges of one kind become one interaction. */
function kindOfExchange(
  { withoutProfile, response, code, sentParameters, sentBody, key, isConditional, context }: RecordableExchange,
  { hasMore }: InferredStates,
): string {
  return printJson([
    withoutProfile.operation.id,
    response.status,
    code ?? null,
    [...sentParameters].toSorted(),
    sentBody === undefined ? null : [sentBody.format, isArray(sentBody.value), ...namesOf(sentBody)],
    key,
    isConditional,
    context.isOfClient === true,
    hasMore,
  ]);
}

/** A recorded pact. */
export interface RecordedPact {
  /** Name of the contract. */
  readonly provider: string;
  /** The pact as JSON. */
  readonly pact: JsonObject;
  /** The pact as the text of a file. */
  readonly text: string;
  /** Number of interactions. */
  readonly interactions: number;
  /** Requests that are not in the pact, with the reasons. */
  readonly leftOut: readonly LeftOut[];
}

/** Parties of the wanted pact. */
export interface PactQuery {
  /** Name of the client. */
  readonly consumer: string;
  /** Name of the contract; optional if the client called only one API. */
  readonly provider?: string | undefined;
}

/** Recording options of a mock. */
export interface RecordingOptions {
  /** True to record from the first exchange on; otherwise a pact is made from the journal. */
  readonly recordPacts?: boolean;
  /** The consumer's requests, if others call the mock too. Requests of `touchstone verify` are never recorded. */
  readonly recordOnly?: ConsumerFilter;
  /** Called when a recorded pact has changed. */
  readonly onPact?: () => void;
}

/** Access to the mock that is recorded. */
interface RecordingSource {
  readonly apis: () => readonly ServedApi[];
  readonly mutants: () => readonly unknown[];
  /** Exchanges of the journal, oldest first. */
  readonly journaled: () => Iterable<FinishedExchange>;
  readonly onError: (error: unknown) => void;
}

/** The recording of a mock. */
export interface PactRecording {
  /** Records an exchange; does nothing without `recordPacts`. */
  readonly observe: (served: FinishedExchange) => void;
  /**
   * Makes a pact from the recorded exchanges, or from the journal without `recordPacts`.
   * @throws {UsageError} for an empty consumer, an unknown or missing provider, or a mock with mutants.
   */
  readonly pact: (query: PactQuery) => RecordedPact;
}

/** Creates the recording of a mock. */
export function createRecording(
  { recordPacts = false, recordOnly = {}, onPact }: RecordingOptions,
  source: RecordingSource,
): PactRecording {
  const { apis, mutants, journaled, onError } = source;
  const continuous = recordPacts ? createPactRecorder(apis, recordOnly) : undefined;
  const recorder = (): PactRecorder => continuous ?? recordAll(createPactRecorder(apis, recordOnly), journaled());
  return {
    observe: (served) => {
      if (continuous === undefined) return;
      try {
        if (continuous.record(toExchange(served))) onPact?.();
      } catch (error) {
        // A recording error must not fail the response.
        onError(error);
      }
    },
    pact: ({ consumer, provider }) => {
      requireConsumerName(consumer);
      requireNoMutants(mutants());
      const current = recorder();
      const served = apis().map(({ contract }) => contract.name);
      const chosen = chooseProvider(current.recorded(), provider, served);
      const unprinted = toPactFile(consumer, chosen);
      const text = printPact(unprinted);
      const pact = parseJson(text) as JsonObject;
      return { provider: chosen.provider, pact, text, interactions: chosen.interactions.length, leftOut: current.leftOut() };
    },
  };
}

/** Rejects a mock with mutants, since its responses do not follow the contract. */
export function requireNoMutants(mutants: readonly unknown[]): void {
  if (mutants.length > 0)
    throw new UsageError('this mock deviates from its contract, so its pact would be wrong; start it without mutants');
}

/** @throws {UsageError} for an empty name. */
export function requireConsumerName(consumer: string): void {
  if (consumer.trim() === '') throw new UsageError('the consumer of a pact needs a name: that of the program that calls the mock');
}

function recordAll(recorder: PactRecorder, exchanges: Iterable<FinishedExchange>): PactRecorder {
  for (const served of exchanges) recorder.record(toExchange(served));
  return recorder;
}
