/** The options of `touchstone mock` for its journal and its control endpoint. */

import type { ControlOptions } from '../mocks/control/open.ts';
import { defaultEntries, mostEntries } from '../mocks/journal.ts';
import { type Arguments, type OptionSpec, wholeNumber } from './command.ts';

/** The options. */
export const controlOptionSpecs: readonly OptionSpec[] = [
  { name: 'journal', value: 'NUMBER', summary: `How many exchanges the journal at /__mock/journal keeps. Default ${defaultEntries}.` },
  {
    name: 'allowed-host',
    value: 'NAME',
    repeatable: true,
    summary:
      'A host name under which /__mock/ answers, besides localhost and the address of --host: "mock" in a network of containers. May be given several times.',
  },
  { name: 'no-control', summary: 'Serve no /__mock/, which tells of the mock, moves its clock, makes trouble and resets it.' },
];

/**
 * What was given of them.
 * @throws {UsageError} when the journal is to have no number of entries.
 */
export function readControlOptions({ values, lists, switches }: Arguments): ControlOptions {
  const journal = values['journal'] === undefined ? {} : { journal: wholeNumber('journal', values['journal'], 0, mostEntries) };
  return { ...journal, allowedHosts: lists['allowed-host'] ?? [], control: !switches.has('no-control') };
}
