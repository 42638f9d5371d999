import { describe, expect, it } from 'vitest';
import { listenToKeys } from '../../../../cli/mock/keyboard-shortcuts.ts';
import { UsageError } from '../../../../core/errors.ts';
import { stillClock } from '../../../helpers/still-clock.ts';

function open(set: (rules: string | readonly string[]) => void) {
  const printed: string[] = [];
  const refuse = (): never => expect.unreachable('no key asks for that');
  let press = (_key: string): void => undefined;
  const release = listenToKeys(
    (listener) => {
      press = listener;
      return () => {
        printed.push('released');
      };
    },
    {
      mock: {
        clock: stillClock(0),
        chaos: { list: () => [], set, add: refuse, clear: refuse, reset: refuse },
        journal: { record: refuse, list: refuse, find: refuse, clear: refuse } as never,
      },
      out: (text) => printed.push(`out: ${text}`),
      error: (text) => printed.push(`error: ${text}`),
      screen: refuse,
      reload: async () => refuse(),
      quit: () => printed.push('quit'),
    },
  );
  return { printed, press: (key: string) => press(key), release };
}

describe('a key', () => {
  it('reports chaos rules that are no longer valid, and the next key still works', () => {
    const { printed, press } = open(() => {
      throw new UsageError('there is no operation listThings');
    });
    press('x');
    press('t');
    expect(printed).toEqual(['error: touchstone: there is no operation listThings\n', 'out: The clock is at 1970-01-01T01:00:00Z.\n']);
  });

  it('switches on the default chaos if the mock has no rule', () => {
    const rules: unknown[] = [];
    open((given) => rules.push(given)).press('x');
    expect(rules).toEqual([['503 10%; latency 100ms..400ms']]);
  });

  it('has no effect after the session', () => {
    const { printed, press, release } = open(() => undefined);
    press('\u0003');
    release();
    expect(printed).toEqual(['quit', 'released']);
  });
});
