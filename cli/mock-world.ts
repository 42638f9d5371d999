/** The options of `touchstone mock` for its world: what time it is there, and how much there is. */

import { UsageError } from '../core/errors.ts';
import type { MockOptions } from '../mocks/start.ts';
import type { Arguments, OptionSpec } from './command.ts';

/** The options. */
export const worldOptions: readonly OptionSpec[] = [
  {
    name: 'clock',
    value: 'WHEN',
    summary:
      'What time it is: live, a pace such as x60, or an instant such as 2026-03-29T02:30:00+01:00. Unless given, it stands still. The header "Mock-Clock: PT2H" moves it for one request.',
  },
  {
    name: 'size',
    value: 'NAME=NUMBER',
    repeatable: true,
    summary: 'How many records a collection has, up to 1000000. May be given several times.',
  },
];

/**
 * What was given of them.
 * @throws {UsageError} for a size that is not written as `NAME=NUMBER`.
 */
export function readWorld({ values, lists }: Arguments): Pick<MockOptions, 'clock' | 'sizes'> {
  const clock = values['clock'] === undefined ? {} : { clock: values['clock'] };
  return { ...clock, sizes: Object.fromEntries((lists['size'] ?? []).map(readSize)) };
}

function readSize(text: string): readonly [string, number] {
  const match = /^([^=]+)=(\d+)$/.exec(text);
  if (match === null) throw new UsageError(`--size ${text} is not written as NAME=NUMBER; write for example --size records=1000`);
  return [match[1] ?? '', Number(match[2])];
}
