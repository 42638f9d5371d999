/** The pacts of a running mock: from its first exchange on where that is asked for, and otherwise from what its journal has. */

import { UsageError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { toExchange } from '../listeners.ts';
import type { ServedApi } from '../served-api.ts';
import type { Served } from '../visit.ts';
import { chooseProvider, createPactRecorder, type LeftOut, type PactRecorder, printPact, toPactFile } from './recorder.ts';

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
