/** For each rule there is a target that does not exercise it, where the rule says what is missing. */

import { describe, expect, test, vi } from 'vitest';
import { rules } from '../../../contracts/verify/rules/rule-catalogue.ts';
import { judgePoorWorlds, type Said } from './poor-datasets.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Rules that need no data: their requests follow from the contract alone, so any answer decides. */
const decidedByAnyAnswer: Readonly<Record<string, string>> = {
  'keys/carriers': 'each carrier of the key is answered alike, or not',
  'filters/values': 'each value that the contract lists is accepted, or not',
  'filters/unknown-value': 'a value that the contract does not list is rejected, or not',
  'ranges/inverted': 'a range that ends before it begins is rejected, or not',
  'ranges/impossible': 'a day that no calendar has is rejected, or not',
  'sync/malformed': 'a text that is no moment is rejected, or not',
  'paging/limit-bounds': 'a limit outside its bounds is rejected, or not',
  'paging/damaged-cursor': 'a made-up cursor is rejected, or not',
  'details/identifier': 'a name that is none is rejected, or not',
  'details/exactly-one': 'no name at all is rejected, or not',
  'details/hostile': 'a hostile name finds nothing, or something',
  'details/views': 'both views are there or both absent, or not',
  'requests/malformed': 'a malformed query is answered, or breaks the server',
  'pages/numbers': 'a page number that is none leads to a server error, or not',
  'paging/next-cursor': 'the page says whether more follows, and how to get it, or not',
  'response/no-server-error': 'an answer is a server error, or not',
  'response/error-code': 'a failure has a documented code, or not',
  'response/request-id': 'an answer has an identifier of its own, or not',
  'response/no-key': 'an answer holds a key, or not',
};

/** Rules that lack nothing in the data, but an option of the run or a state of the target. */
const lackedByTheRun: Readonly<Record<string, RegExp>> = {
  'visible/single': /: --hidden KEY$/,
  'availability/retry-after': /^a target that throttles this run$/,
  'availability/not-ready': /^a target that is not ready for a while$/,
};

/** Rules about what the shipped contracts do not have: writeOnly members and plain operations; or that a run has only with an option. */
const withoutOperations: readonly string[] = [
  'response/write-only',
  'response/undeclared',
  'requests/parameters',
  'requests/identifier',
  'requests/head',
  'requests/repeated',
];

let judged: Promise<readonly Said[]> | undefined;

/** Results of a rule for all datasets. Each dataset is run once. */
async function saidOf(id: string): Promise<readonly Said[]> {
  judged ??= judgePoorWorlds();
  return (await judged).filter((said) => said.rule === id);
}

const describeSaid = ({ world, operation, verdict, message }: Said): string => `${world}, ${operation}, ${verdict}: ${message}`;

/** Faults in the message of a rule that lacked data; empty when the message helps. */
function complaints({ message, alive: open, verdict }: Said): readonly string[] {
  if (verdict === 'not-testable') return /--(key \S+=VARIABLE|hidden KEY)|^a (key|target) (of|that) .{12,}/.test(message) ? [] : [message];
  const missing = [...new Set(open.map((mutant) => mutant.missing))];
  const wrong = missing.filter((each) => /undefined|\s\s|^\s|[.\s]$/.test(each));
  return message === `The data lacks ${missing.join('; ')}` && missing.length > 0 ? wrong : [...wrong, message];
}

describe('a rule', () => {
  const ids = rules.map(({ id }) => id).filter((id) => !(id in decidedByAnyAnswer) && !withoutOperations.includes(id));
  test.each(ids)('%s', async (id) => {
    const said = await saidOf(id);
    const wanted = id in lackedByTheRun ? 'not-testable' : 'not-exercised';
    const unseen = said.filter(({ verdict }) => verdict === 'not-exercised' || verdict === 'not-testable');
    expect(
      unseen.map(({ verdict }) => verdict),
      `a world for it; it said ${said.map(describeSaid).join(' | ')}`,
    ).toContain(wanted);
    expect(unseen.flatMap((each) => complaints(each).map((complaint) => `${describeSaid(each)}: ${complaint}`))).toEqual([]);
    const lacked = lackedByTheRun[id];
    if (lacked !== undefined) expect(unseen.filter(({ message }) => lacked.test(message))).toHaveLength(unseen.length);
  });
});

test.each(Object.entries(decidedByAnyAnswer))('%s is decided without any data: %s', async (id) => {
  const said = await saidOf(id);
  expect(said.filter(({ verdict }) => verdict === 'not-exercised').map(describeSaid)).toEqual([]);
  expect(said.map(({ verdict }) => verdict)).toContain('holds');
});

test('the tables name rules, each of them once', () => {
  const known: readonly string[] = rules.map(({ id }) => id);
  const named = [...Object.keys(decidedByAnyAnswer), ...Object.keys(lackedByTheRun)];
  expect(named.filter((id) => !known.includes(id))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});

test.each(['a tenant that has nothing, and another one', 'one record, and one key', 'counted pages of nothing', 'one counted record'])(
  'a correct target that has little is not blamed for it: %s',
  async (world) => {
    judged ??= judgePoorWorlds();
    const own = (await judged).filter((said) => said.world === world);
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter(({ verdict }) => verdict === 'violated').map(describeSaid)).toEqual([]);
  },
);
