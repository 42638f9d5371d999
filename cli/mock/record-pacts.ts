/** `--record-pact` and `--consumer` of `touchstone mock`: writes pacts to files while the mock runs. */

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { countNoun } from '../../core/count-noun.ts';
import { UsageError } from '../../core/errors.ts';
import { listShipped } from '../../core/shipped-files.ts';
import { type LeftOut, type RecordedPact, requireConsumerName, requireNoMutants } from '../../mocks/pact/pact-recorder.ts';
import type { ConsumerFilter } from '../../mocks/pact/recordable-exchange.ts';
import type { MockOptions, RunningMock } from '../../mocks/start-mock.ts';
import type { Arguments, OptionSpec } from '../command.ts';
import { checkWritable, writeWholeFile } from '../write-file.ts';

/** The options of `touchstone mock` for pacts. */
export const pactOptions: readonly OptionSpec[] = [
  {
    name: 'record-pact',
    value: 'FILE',
    summary:
      "Record the client's requests, and what the contract guarantees about their responses, as a pact. If FILE is a folder, it gets one pact per contract. Needs --consumer.",
  },
  {
    name: 'consumer',
    value: 'NAME[=FILTER]',
    summary:
      'Name of the client in its pact. If other clients call the mock too, FILTER selects the requests of this client: role:ROLE or header:NAME:VALUE, where * matches anything.',
  },
];

/** Writes the pacts of a mock to files. */
export interface PactFileWriter {
  /** Options to start the mock with. */
  readonly options: Pick<MockOptions, 'recordPacts' | 'recordOnly' | 'onPact'>;
  /** Starts writing for a running mock. Returns a line for the terminal. */
  readonly attach: (mock: RunningMock) => string;
  /** Returns lines about recorded and left-out requests. */
  readonly summary: () => string;
  /** Returns the summary as data for `--json`. */
  readonly summaryData: () => object;
}

/**
 * Reads the options; `undefined` without them. `onError` is called if the file can no longer be written.
 * @throws {UsageError} for one option without the other, an unwritable file, one file for several pacts, or a mock with mutants.
 */
export function readPactOptions({ values, lists, positionals }: Arguments, onError: (error: unknown) => void): PactFileWriter | undefined {
  const { 'record-pact': target, consumer: namedConsumer } = values;
  if (target === undefined && namedConsumer === undefined) return undefined;
  if (target === undefined)
    throw new UsageError(`--consumer ${namedConsumer ?? ''} names the client of a pact, but no pact is recorded; add --record-pact FILE`);
  if (namedConsumer === undefined)
    throw new UsageError(`--record-pact ${target} needs the name of the client in its pact; add --consumer NAME`);
  const { consumer, recordOnly } = readConsumer(namedConsumer);
  requireConsumerName(consumer);
  requireNoMutants(lists['mutant'] ?? []);
  const isFolder = existsSync(target) && statSync(target).isDirectory();
  const names = positionals.length > 0 ? positionals : listShipped();
  if (!isFolder && names.length > 1) {
    throw new UsageError(
      `--record-pact ${target} is not an existing folder, and this mock serves ${names.join(' and ')}; one file holds one pact: name one contract, or a folder`,
    );
  }
  checkWritable(isFolder ? path.join(target, `${fileName(consumer)}.json`) : target, 'pact');
  const fileOf = (provider: string): string => (isFolder ? path.join(target, `${fileName(consumer)}-${fileName(provider)}.json`) : target);
  return createPactWriter({ consumer, target, recordOnly, fileOf, onError });
}

/** Reads the name of a consumer, and the filter that selects its requests. */
function readConsumer(text: string): { readonly consumer: string; readonly recordOnly: ConsumerFilter } {
  const [, consumer = text, filter] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (filter === undefined) return { consumer, recordOnly: {} };
  const [, role] = /^role:(.+)$/.exec(filter) ?? [];
  if (role !== undefined) return { consumer, recordOnly: { role } };
  const [, name, value] = /^header:([^:]+):(.+)$/.exec(filter) ?? [];
  if (name !== undefined && value !== undefined) return { consumer, recordOnly: { header: { name, value } } };
  throw new UsageError(`--consumer ${text} has an unknown filter; write NAME=role:ROLE or NAME=header:NAME:VALUE`);
}

/** Settings of a writer. */
interface PactWriterSettings {
  readonly consumer: string;
  /** File or folder as the user named it. */
  readonly target: string;
  readonly recordOnly: ConsumerFilter;
  readonly fileOf: (provider: string) => string;
  readonly onError: (error: unknown) => void;
}

function createPactWriter({ consumer, target, recordOnly, fileOf, onError }: PactWriterSettings): PactFileWriter {
  const writtenPacts = new Map<string, RecordedPact & { readonly file: string; readonly provider: string }>();
  let mock: RunningMock | undefined;
  const writePact = (provider: string): void => {
    const pact = mock?.recordPact({ consumer, provider });
    if (pact === undefined || pact.interactions === 0 || writtenPacts.get(provider)?.text === pact.text) return;
    const file = fileOf(provider);
    writeWholeFile(file, pact.text, 'pact');
    writtenPacts.set(provider, { ...pact, file, provider });
  };
  // All pacts leave out the same requests: those that no pact can hold.
  const listLeftOut = (): readonly LeftOut[] => {
    const [first] = mock?.contracts ?? [];
    return first === undefined ? [] : (mock?.recordPact({ consumer, provider: first.name }).leftOut ?? []);
  };
  return {
    options: {
      recordPacts: true,
      recordOnly,
      // Each change is written at once, so nothing is lost if the process is killed.
      onPact: () => {
        try {
          for (const { name } of mock?.contracts ?? []) writePact(name);
        } catch (error) {
          onError(error);
        }
      },
    },
    attach: (runningMock) => {
      mock = runningMock;
      return `Recording the pact of ${consumer} in ${target}.\n`;
    },
    summary: () => {
      const lines = [...writtenPacts.values()].map(
        ({ file, provider, interactions }) =>
          `Recorded ${countNoun(interactions, 'interaction')} between ${consumer} and ${provider} in ${file}.\n`,
      );
      const none = lines.length === 0 ? `Recorded no interactions of ${consumer}, so ${target} was not written.\n` : '';
      return [...lines, none, ...renderLeftOut(listLeftOut())].join('');
    },
    summaryData: () => {
      const pacts = [...writtenPacts.values()].map(({ file, provider, interactions }) => ({ file, provider, interactions }));
      return { event: 'pact', consumer, pacts, leftOut: listLeftOut() };
    },
  };
}

/** Converts a name to a file name, as Pact does. */
function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
}

function renderLeftOut(leftOut: readonly LeftOut[]): readonly string[] {
  if (leftOut.length === 0) return [];
  const lines = leftOut.map((each) => `  ${countNoun(each.count, 'request')}, because ${each.reason}: ${each.example}\n`);
  return ['Not in the pact:\n', ...lines];
}
