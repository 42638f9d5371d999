/** The options of `touchstone mock` that write down what its client relies on, as a pact. */

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../core/errors.ts';
import { listShipped } from '../core/shipped.ts';
import type { LeftOut } from '../mocks/pact/recorder.ts';
import { requireConsumerName, requireNoMutants } from '../mocks/pact/recorder.ts';
import type { MockOptions, RunningMock } from '../mocks/start.ts';
import type { Arguments, OptionSpec } from './command.ts';
import { checkWritable, writeReport } from './report-file.ts';

/** The options. */
export const pactOptions: readonly OptionSpec[] = [
  {
    name: 'record-pact',
    value: 'FILE',
    summary:
      'Write what the client asks, and what the contract promises of the answers, as a pact for touchstone pact; in a folder, one file for each contract. It is written whenever something new was seen. Goes with --consumer.',
  },
  { name: 'consumer', value: 'NAME', summary: 'The name of the client in its pact.' },
];

/** Writes the pacts of a mock. */
export interface PactFileWriter {
  /** What the mock is to be started with. */
  readonly options: Pick<MockOptions, 'recordPacts' | 'onPact'>;
  /** Writes the pacts of a mock that is up; tells so in a line, which is empty when nothing is to be recorded. */
  readonly attach: (mock: RunningMock) => string;
  /** What was recorded and what was left out, in lines; empty when nothing was to be recorded. */
  readonly summary: () => string;
  /** The same for a program; `undefined` when nothing was to be recorded. */
  readonly state: () => object | undefined;
}

/** Nobody asked for a pact. */
const noRecording: PactFileWriter = { options: {}, attach: () => '', summary: () => '', state: () => undefined };

/**
 * Reads the options. `onError` hears of a file that can no longer be written.
 * @throws {UsageError} when one of them is given without the other, the file cannot be written or would have to hold several pacts, or the mock is to have
 * faults.
 */
export function readPactOptions({ values, lists, positionals }: Arguments, onError: (error: unknown) => void): PactFileWriter {
  const { 'record-pact': target, consumer } = values;
  if (target === undefined && consumer === undefined) return noRecording;
  if (target === undefined)
    throw new UsageError(`--consumer ${consumer ?? ''} names the client of a pact, and none is recorded; add --record-pact FILE`);
  if (consumer === undefined) throw new UsageError(`--record-pact ${target} needs the name of the client in its pact; add --consumer NAME`);
  requireConsumerName(consumer);
  requireNoMutants(lists['fault'] ?? []);
  const isFolder = existsSync(target) && statSync(target).isDirectory();
  const names = positionals.length > 0 ? positionals : listShipped();
  if (!isFolder && names.length > 1) {
    throw new UsageError(
      `--record-pact ${target} is no folder that exists, and this mock serves ${names.join(' and ')}; a file has the pact of one: name one of them, or a folder`,
    );
  }
  checkWritable(isFolder ? path.join(target, `${fileName(consumer)}.json`) : target, 'pact');
  return new MockPactWriter(consumer, target, isFolder, onError);
}

/** A pact that was written. */
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

  constructor(consumer: string, target: string, isFolder: boolean, onError: (error: unknown) => void) {
    this.consumer = consumer;
    this.target = target;
    this.isFolder = isFolder;
    this.onError = onError;
    this.options = { recordPacts: true, onPact: () => this.write() };
  }

  attach(mock: RunningMock): string {
    this.mock = mock;
    return `Recording the pact of ${this.consumer} in ${this.target}.\n`;
  }

  summary(): string {
    const written = [...this.written.values()].map(
      ({ file, provider, interactions }) =>
        `Recorded ${count(interactions, 'interaction')} of ${this.consumer} with ${provider} in ${file}.\n`,
    );
    const none = written.length === 0 ? [`Recorded no interaction of ${this.consumer}; ${this.target} was not written.\n`] : [];
    return [...written, ...none, ...renderLeftOut(this.leftOut())].join('');
  }

  state(): object {
    const pacts = [...this.written.values()].map(({ file, provider, interactions }) => ({ file, provider, interactions }));
    return { event: 'pact', consumer: this.consumer, pacts, leftOut: this.leftOut() };
  }

  /** Whatever is new is written at once, so that nothing is lost when the process is killed. A pact without interactions is none. */
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
    writeReport(file, pact.text, 'pact');
    this.written.set(provider, { file, provider, interactions: pact.interactions, text: pact.text });
  }

  private leftOut(): readonly LeftOut[] {
    const [first] = this.mock?.contracts ?? [];
    return first === undefined ? [] : (this.mock?.recordPact({ consumer: this.consumer, provider: first.name }).leftOut ?? []);
  }
}

/** Pact names its files by both sides. */
function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
}

function renderLeftOut(leftOut: readonly LeftOut[]): readonly string[] {
  if (leftOut.length === 0) return [];
  const lines = leftOut.map((each) => `  ${count(each.count, 'request')}, because ${each.reason}: ${each.example}\n`);
  return ['Not in the pact:\n', ...lines];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
