/** Recording pacts: from the exchanges of a mock to a file of what its clients rely on, one interaction for each shape of an exchange. */

import type { Contract } from '../../core/contract.ts';
import { UsageError } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { toProviderState } from '../../core/pact/provider-state.ts';
import { valueAt } from '../../core/pointer.ts';
import { toExchange } from "../listeners.ts";
import type { ServedApi } from "../served-api.ts";
import type { Served } from "../visit.ts";
import { describeInteraction, type InferredStates, inferStates } from './infer-states.ts';
import {
  createUnresolvedContract,
  type ObservedExchange,
  type RecordableExchange,
  readExchange,
  type UnresolvedContract,
} from './recordable-exchange.ts';
import {
  type AnonymizedExchange,
  createAnonymizer,
  isRepresentable,
  withoutEmpty,
  writeRequest,
  writeResponse,
} from './write-interaction.ts';

/** What was left out of a pact, and why. */
export interface LeftOut {
  /** A clause about the requests. */
  readonly reason: string;
  readonly count: number;
  /** The shortest of the requests: method and target, without keys and personal values. */
  readonly example: string;
}

/** What was seen of one provider. */
interface RecordedProvider {
  /** The name of its contract. */
  readonly provider: string;
  /** In the order of the file. */
  readonly interactions: readonly InteractionCandidate[];
}

/** Takes down what a pact is made from. */
export interface PactRecorder {
  /** Takes an exchange down; tells whether a pact is another one now. */
  readonly record: (exchange: ObservedExchange) => boolean;
  /** The providers that were asked something, by name. */
  readonly recorded: () => readonly RecordedProvider[];
  readonly leftOut: () => readonly LeftOut[];
}

/** The most shapes of one provider, and the most reasons that are told. */
const maxInteractions: number = 1000;

const maxReasons = 100;

/** An empty recorder of some APIs; which those are may change while the mock runs. */
export function createPactRecorder(apis: () => readonly ServedApi[]): PactRecorder {
  const books = new WeakMap<Contract, RecordingTools>();
  const shapes = new Map<string, Map<string, InteractionCandidate>>();
  const reasons = new Map<string, { count: number; example: string }>();
  const latest = new RecentExchanges();
  const bookOf = ({ contract }: ServedApi): RecordingTools => {
    const book = books.get(contract) ?? { unresolved: createUnresolvedContract(contract), anonymize: createAnonymizer(contract) };
    books.set(contract, book);
    return book;
  };
  const leaveOut = (reason: string, { request }: ObservedExchange): false => {
    const known = reasons.get(reason);
    const example = `${request.method} ${request.target}`;
    if (known === undefined && reasons.size >= maxReasons) return false;
    const isShorter = known === undefined || compareTexts(example, known.example) < 0;
    reasons.set(reason, { count: (known?.count ?? 0) + 1, example: isShorter ? example : known.example });
    return false;
  };
  return {
    record: (exchange) => {
      if (latest.knows(exchange)) return false;
      const seen = readExchange(apis(), (api) => bookOf(api).unresolved, exchange);
      if (seen === 'ignored') return false;
      if ('leftOut' in seen) return leaveOut(seen.leftOut, exchange);
      const { api } = seen.recordable;
      const draft = draftOf(seen.recordable, bookOf(api).anonymize);
      if (draft.omitReason !== undefined) return leaveOut(draft.omitReason, exchange);
      const known = shapes.get(api.contract.name) ?? new Map<string, InteractionCandidate>();
      shapes.set(api.contract.name, known);
      if (!known.has(draft.shape) && known.size >= maxInteractions)
        return leaveOut(`its pact has ${maxInteractions} interactions already`, exchange);
      latest.note(exchange);
      return keepSimplest(known, draft);
    },
    recorded: () =>
      [...shapes]
        .map(([provider, found]) => ({ provider, interactions: [...found.values()].toSorted(compareCandidates) }))
        .toSorted((left, right) => compareTexts(left.provider, right.provider)),
    leftOut: () =>
      [...reasons]
        .map(([reason, { count, example }]) => ({ reason, count, example }))
        .toSorted((left, right) => compareTexts(left.reason, right.reason)),
  };
}

/**
 * What was seen of a provider.
 * @throws {UsageError} when several were asked and none is named, or the named one was not asked.
 */
export function chooseProvider(
  recorded: readonly RecordedProvider[],
  provider: string | undefined,
  served: readonly string[],
): RecordedProvider {
  const names = recorded.map((each) => each.provider);
  if (provider !== undefined && !served.includes(provider))
    throw new UsageError(`this mock serves no ${provider}; a pact is with one of ${served.join(', ')}`);
  const wanted = provider ?? (names.length === 0 && served.length === 1 ? served[0] : names.length === 1 ? names[0] : undefined);
  if (wanted !== undefined) return recorded.find((each) => each.provider === wanted) ?? { provider: wanted, interactions: [] };
  throw new UsageError(`a pact is with one provider, and this mock serves ${served.join(', ')}; name one of them as the provider`);
}

/** What is needed of a contract to record by it. */
interface RecordingTools {
  readonly unresolved: UnresolvedContract;
  readonly anonymize: ReturnType<typeof createAnonymizer>;
}

/** Keeps the better of two examples of one shape: of equals, the one that is shorter when it is written down, or comes first. */
function keepSimplest(known: Map<string, InteractionCandidate>, draft: InteractionDraft): boolean {
  const best = known.get(draft.shape);
  // Most requests are worse examples than the best so far, and need not be written down to see that.
  if (best !== undefined && draft.rank > best.rank) return false;
  const candidate = draft.write();
  if (best?.rank === draft.rank && compareTexts(candidate.text, best.text) >= 0) return false;
  known.set(draft.shape, candidate);
  return true;
}

/** Exchanges that were taken down already: the same answer is often given several times, and need not be read each time. */
class RecentExchanges {
  private readonly bodies = new Map<string, string>();

  knows(exchange: ObservedExchange): boolean {
    return this.bodies.size > 0 && this.bodies.get(keyOf(exchange)) === exchange.response.body;
  }

  note(exchange: ObservedExchange): void {
    if (this.bodies.size >= 500) this.bodies.clear();
    this.bodies.set(keyOf(exchange), exchange.response.body);
  }
}

function keyOf({ request, response, visit }: ObservedExchange): string {
  return JSON.stringify([
    visit?.contract,
    visit?.role,
    visit?.cut,
    request.method,
    request.target,
    request.headers,
    response.status,
    response.headers['etag'],
  ]);
}

function compareCandidates(left: InteractionCandidate, right: InteractionCandidate): number {
  const [operation, status, words] = left.order;
  return (
    operation - right.order[0] || status - right.order[1] || compareTexts(words, right.order[2]) || compareTexts(left.text, right.text)
  );
}

function compareTexts(left: string, right: string): number {
  return left.length === right.length ? (left < right ? -1 : left > right ? 1 : 0) : left.length - right.length;
}

/** An exchange as an interaction, with what decides whether it stands for its shape. */
interface InteractionCandidate {
  /** The place in the file: by operation, status and words. */
  readonly order: readonly [number, number, string];
  readonly rank: number;
  readonly interaction: JsonObject;
  readonly text: string;
}

/** What is known of an exchange before it is written down. */
interface InteractionDraft {
  readonly shape: string;
  /** The smaller, the better the example: a list without records shows less than one with some, and a shorter request is read sooner. */
  readonly rank: number;
  /** Why it cannot be written down, as a clause about the request. */
  readonly omitReason: string | undefined;
  readonly write: () => InteractionCandidate;
}

function draftOf(recordable: RecordableExchange, anonymize: RecordingTools['anonymize']): InteractionDraft {
  const anonymous = anonymize(recordable);
  const states = inferStates(recordable, (name) => anonymous.parameters.has(name));
  const rank = (isWithoutRecords(recordable) ? 2 ** 32 : 0) + recordable.request.target.length;
  const unsayable = isRepresentable(recordable) ? undefined : 'only the wire shows what is wrong with it, and a pact holds decoded texts';
  return {
    shape: shapeOf(recordable, states),
    rank,
    omitReason: states.omitReason ?? unsayable,
    write: () => {
      const interaction = writeInteraction(recordable, states, anonymous);
      const number = recordable.api.contract.operations.findIndex(({ id }) => id === recordable.unresolved.operation.id);
      const order = [number, recordable.response.status, String(interaction['description'])] as const;
      return { order, rank, interaction, text: JSON.stringify(interaction) };
    },
  };
}

/** Exchanges of one shape differ in nothing that a pact tells apart. */
function shapeOf({ unresolved, response, code, given, key, isConditional }: RecordableExchange, { hasMore }: InferredStates): string {
  return JSON.stringify([unresolved.operation.id, response.status, code ?? null, [...given].toSorted(), key, isConditional, hasMore]);
}

function isWithoutRecords({ unresolved, body }: RecordableExchange): boolean {
  const { collection } = unresolved.operation;
  const items = collection === undefined ? undefined : valueAt(body, collection.items);
  return Array.isArray(items) && items.length === 0;
}

function writeInteraction(recordable: RecordableExchange, states: InferredStates, { body, parameters }: AnonymizedExchange): JsonObject {
  return withoutEmpty({
    type: 'Synchronous/HTTP',
    description: describeInteraction(recordable, states),
    pending: false,
    providerStates: states.conditions.map(toProviderState).map(({ name, params }) => withoutEmpty({ name, params })),
    request: writeRequest(recordable, states, parameters),
    response: writeResponse(recordable, body(), states.knownBody),
  });
}

/** The pact of a consumer with a provider. */
export function toPactFile(consumer: string, { provider, interactions }: RecordedProvider): JsonObject {
  return {
    consumer: { name: consumer },
    interactions: makeDescriptionsUnique(interactions.map(({ interaction }) => interaction)),
    metadata: { pactSpecification: { version: '4.0' } },
    provider: { name: provider },
  };
}

/** The text of a pact: members in the order of their names, as the libraries of Pact write them. */
export function printPact(pact: JsonObject): string {
  return `${JSON.stringify(sorted(pact), undefined, 2)}\n`;
}

/** An interaction is known by its description and its states; two that share them are told apart by a number. */
function makeDescriptionsUnique(interactions: readonly JsonObject[]): readonly JsonObject[] {
  const times = new Map<string, number>();
  return interactions.map((interaction) => {
    const name = JSON.stringify([interaction['description'], interaction['providerStates'] ?? []]);
    const count = (times.get(name) ?? 0) + 1;
    times.set(name, count);
    return count === 1 ? interaction : { ...interaction, description: `${String(interaction['description'])} (${count})` };
  });
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

/** What a client relied on. */
export interface RecordedPact {
  readonly provider: string;
  /** The pact, as JSON. */
  readonly pact: JsonObject;
  /** The same as the text of a file. */
  readonly text: string;
  /** How many interactions it has. */
  readonly interactions: number;
  /** What the mock was asked and is not in a pact, with the reasons. */
  readonly leftOut: readonly LeftOut[];
}

/** Whose pact is wanted. */
export interface PactQuery {
  /** Who asked the mock. */
  readonly consumer: string;
  /** The name of the contract; it may be left out where only one was asked something. */
  readonly provider?: string | undefined;
}

/** How a mock records. */
export interface RecordingOptions {
  /** Whether pacts are recorded from the first exchange on; otherwise they are made of the exchanges that the journal has. */
  readonly recordPacts?: boolean;
  /** Hears that a recorded pact is another one now. */
  readonly onPact?: () => void;
}

/** What is recorded. */
export interface RecordingSource {
  readonly apis: () => readonly ServedApi[];
  readonly faults: () => readonly unknown[];
  /** The exchanges that the journal has, oldest first. */
  readonly kept: () => Iterable<Served>;
  readonly onError: (error: unknown) => void;
}

/** The pacts of a mock. */
export interface PactRecording {
  readonly hear: (served: Served) => void;
  /** @throws {UsageError} when the consumer has no name, the provider is none of the mock's or not told, or the mock has faults. */
  readonly pact: (query: PactQuery) => RecordedPact;
}

/** Begins to record. Where nothing is to be recorded, hearing an exchange costs nothing. */
export function createRecording({ recordPacts = false, onPact }: RecordingOptions, recordable: RecordingSource): PactRecording {
  const { apis, faults, kept, onError } = recordable;
  const running = recordPacts ? createPactRecorder(apis) : undefined;
  const recorder = (): PactRecorder => running ?? recordAll(createPactRecorder(apis), kept());
  return {
    hear: (served) => {
      if (running === undefined) return;
      try {
        if (running.record(toExchange(served))) onPact?.();
      } catch (error) {
        // An exchange that cannot be taken down must not take its answer with it.
        onError(error);
      }
    },
    pact: ({ consumer, provider }) => {
      requireConsumerName(consumer);
      requireNoMutants(faults());
      const found = recorder();
      const served = apis().map(({ contract }) => contract.name);
      const chosen = chooseProvider(found.recorded(), provider, served);
      const pact = toPactFile(consumer, chosen);
      const text = printPact(pact);
      const sorted = JSON.parse(text) as JsonObject;
      return { provider: chosen.provider, pact: sorted, text, interactions: chosen.interactions.length, leftOut: found.leftOut() };
    },
  };
}

/** A mock that is wrong on purpose promises nothing. */
export function requireNoMutants(faults: readonly unknown[]): void {
  if (faults.length > 0)
    throw new UsageError('this mock deviates from its contract, and a pact of its answers would be wrong; start it without faults');
}

/** @throws {UsageError} for a consumer without a name. */
export function requireConsumerName(consumer: string): void {
  if (consumer.trim() === '') throw new UsageError('the consumer of a pact has no name; give the one of the program that asks the mock');
}

function recordAll(recorder: PactRecorder, exchanges: Iterable<Served>): PactRecorder {
  for (const served of exchanges) recorder.record(toExchange(served));
  return recorder;
}
