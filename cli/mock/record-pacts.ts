/**
 * The options `--record-pact` and `--consumer` of `touchstone mock`, which write the pacts of a client to files. `mock-command.ts` reads them at the
 * start, and attaches the writer to the running mock. The recording itself is in `mocks/pact/`.
 */

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../core/errors.ts';
import { listShipped } from '../../core/shipped-files.ts';
import type { ConsumerFilter } from '../../mocks/pact/recordable-exchange.ts';
import type { LeftOut } from '../../mocks/pact/recorder.ts';
import { requireConsumerName, requireNoMutants } from '../../mocks/pact/recorder.ts';
import type { MockOptions, RunningMock } from '../../mocks/start.ts';
import type { Arguments, OptionSpec } from '../command.ts';
import { checkWritable, writeWholeFile } from '../write-file.ts';

/** The options. */
export const pactOptions: readonly OptionSpec[] = [
  {
    name: 'record-pact',
    value: 'FILE',
    summary:
      'Record the requests of the client, and the parts of the answers that the contract guarantees, as a pact for touchstone pact. In a folder, one file per contract. The file is updated with each new interaction. Needs --consumer.',
  },
  {
    name: 'consumer',
    value: 'NAME[=FILTER]',
    summary:
      'Name of the client in its pact. If others call the mock too, FILTER selects its requests: role:ROLE or header:NAME:VALUE, where * matches anything. Requests of touchstone verify are never recorded.',
  },
];

/** Writes the pacts of a mock to files. */
export interface PactFileWriter {
  /** Options to start the mock with. */
  readonly options: Pick<MockOptions, 'recordPacts' | 'recordOnly' | 'onPact'>;
  /** Starts writing for a running mock. Returns a line for the terminal; empty without recording. */
  readonly attach: (mock: RunningMock) => string;
  /** Returns lines about recorded and left-out requests; empty without recording. */
  readonly summary: () => string;
  /** Returns the summary as data for `--json`; `undefined` without recording. */
  readonly summaryData: () => object | undefined;
}

/** The writer without `--record-pact`: it does nothing. */
const noPactFile: PactFileWriter = { options: {}, attach: () => '', summary: () => '', summaryData: () => undefined };

/**
 * Reads the options. `onError` is called if the file can no longer be written.
 * @throws {UsageError} for one option without the other, an unwritable file, one file for several pacts, or a mock with mutants.
 */
export function readPactOptions({ values, lists, positionals }: Arguments, onError: (error: unknown) => void): PactFileWriter {
  const { 'record-pact': target, consumer: named } = values;
  if (target === undefined && named === undefined) return noPactFile;
  if (target === undefined)
    throw new UsageError(`--consumer ${named ?? ''} names the client of a pact, but no pact is recorded; add --record-pact FILE`);
  if (named === undefined) throw new UsageError(`--record-pact ${target} needs the name of the client in its pact; add --consumer NAME`);
  const { consumer, recordOnly } = readConsumer(named);
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
  return new MockPactWriter(consumer, { target, isFolder }, recordOnly, onError);
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

/** A written pact. */
interface WrittenPact {
  readonly file: string;
  readonly provider: string;
  readonly interactions: number;
}

class MockPactWriter implements PactFileWriter {
  readonly options: PactFileWriter['options'];
  private readonly consumer: string;
  private readonly target: string;
  private readonly isFolder: boolean;
  private readonly onError: (error: unknown) => void;
  private readonly written = new Map<string, WrittenPact & { readonly text: string }>();
  private mock: RunningMock | undefined;

  constructor(
    consumer: string,
    { target, isFolder }: { readonly target: string; readonly isFolder: boolean },
    recordOnly: ConsumerFilter,
    onError: (error: unknown) => void,
  ) {
    this.consumer = consumer;
    this.target = target;
    this.isFolder = isFolder;
    this.onError = onError;
    this.options = { recordPacts: true, recordOnly, onPact: () => this.write() };
  }

  attach(mock: RunningMock): string {
    this.mock = mock;
    return `Recording the pact of ${this.consumer} in ${this.target}.\n`;
  }

  summary(): string {
    const written = [...this.written.values()].map(
      ({ file, provider, interactions }) =>
        `Recorded ${countNoun(interactions, 'interaction')} of ${this.consumer} with ${provider} in ${file}.\n`,
    );
    const none = written.length === 0 ? [`Recorded no interaction of ${this.consumer}; ${this.target} was not written.\n`] : [];
    return [...written, ...none, ...renderLeftOut(this.leftOut())].join('');
  }

  summaryData(): object {
    const pacts = [...this.written.values()].map(({ file, provider, interactions }) => ({ file, provider, interactions }));
    return { event: 'pact', consumer: this.consumer, pacts, leftOut: this.leftOut() };
  }

  /** Writes each change at once, so nothing is lost if the process is killed. A pact without interactions is not written. */
  private write(): void {
    try {
      for (const { name } of this.mock?.contracts ?? []) this.writeOne(name);
    } catch (error) {
      this.onError(error);
    }
  }

  private writeOne(provider: string): void {
    const pact = this.mock?.recordPact({ consumer: this.consumer, provider });
    if (pact === undefined || pact.interactions === 0 || this.written.get(provider)?.text === pact.text) return;
    const file = this.isFolder ? path.join(this.target, `${fileName(this.consumer)}-${fileName(provider)}.json`) : this.target;
    writeWholeFile(file, pact.text, 'pact');
    this.written.set(provider, { file, provider, interactions: pact.interactions, text: pact.text });
  }

  private leftOut(): readonly LeftOut[] {
    const [first] = this.mock?.contracts ?? [];
    return first === undefined ? [] : (this.mock?.recordPact({ consumer: this.consumer, provider: first.name }).leftOut ?? []);
  }
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

function countNoun(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
