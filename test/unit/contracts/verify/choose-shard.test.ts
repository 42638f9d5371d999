/** Shards are complete, disjoint and the same each time; merged, they are the whole again. */

import { describe, expect, test } from 'vitest';
import type { Check } from '../../../../contracts/verify/choose-checks.ts';
import { chooseChecks, listChecks } from '../../../../contracts/verify/choose-checks.ts';
import { chooseShard, readShard } from '../../../../contracts/verify/choose-shard.ts';
import { mergeResults, mergeRuns, type ShardResult } from '../../../../contracts/verify/merge-shards.ts';
import { isPassive } from '../../../../contracts/verify/rules/rule.ts';
import type { CheckResult, Observation, RunResult } from '../../../../core/results/run-result.ts';
import { contractOf, fakeTarget, openContext } from '../../../helpers/engine.ts';
import { checkOf, gapOf, resultOf, violationOf } from '../../../helpers/reports/sample-results.ts';

const business = await contractOf('business');
const wiki = await contractOf('wiki');
const nameOf = ({ rule, operation }: Check): string => `${rule.id} ${operation.id}`;

const cases = [
  ['business', listChecks(business)],
  ['wiki', listChecks(wiki)],
  ['a part of business', chooseChecks(business, { only: ['filters/*', 'keys/*'] })],
] as const;

describe.each(cases)('%s', (_, subjects) => {
  test.each([1, 2, 3, 4, 7, 8])('in %i shards is whole, and nothing is twice', (of) => {
    const shards = Array.from({ length: of }, (_each, at) => chooseShard(subjects, { index: at + 1, of }));
    const asking = ({ rule }: Check): boolean => !isPassive(rule.id);
    expect(shards.flat().filter(asking).map(nameOf).sort()).toEqual(subjects.filter(asking).map(nameOf).sort());
    // Rules that judge any answer are in every shard that sends requests, and in none of them twice.
    expect(new Set(shards.flat().map(nameOf))).toEqual(new Set(subjects.map(nameOf)));
    for (const shard of shards) expect(new Set(shard.map(nameOf)).size).toBe(shard.length);
    expect(shards.every((shard) => shard.length > 0)).toBe(true);
    // Each keeps the order of the whole.
    for (const shard of shards) expect(shard).toEqual(subjects.filter((subject) => shard.includes(subject)));
  });
});

test('rules of one group at one operation stay together', () => {
  const subjects = listChecks(business);
  const homes = new Map<string, Set<number>>();
  for (const index of [1, 2, 3, 4]) {
    for (const { rule, operation } of chooseShard(subjects, { index, of: 4 }).filter((each) => !isPassive(each.rule.id))) {
      const key = `${rule.id.split('/')[0]} ${operation.id}`;
      homes.set(key, (homes.get(key) ?? new Set()).add(index));
    }
  }
  expect([...homes.values()].filter(({ size }) => size !== 1)).toEqual([]);
});

test('the same is parted alike, whoever asks', () => {
  const parted = (): readonly string[] => chooseShard(listChecks(business), { index: 2, of: 4 }).map(nameOf);
  expect(parted()).toEqual(parted());
  expect(chooseShard(listChecks(business), { index: 1, of: 1 })).toEqual(listChecks(business));
});

test('more shards than there are parts are refused', () => {
  const few = chooseChecks(business, { only: ['keys/missing'], skip: ['get*'] });
  expect(chooseShard(few, { index: 2, of: 2 })).toHaveLength(1);
  expect(() => chooseShard(few, { index: 1, of: 3 })).toThrow('there are 3 shards, but the checks have only 2 parts; use fewer shards');
});

test('a shard is written N/M', () => {
  expect(readShard('2/4')).toEqual({ index: 2, of: 4 });
  for (const text of ['0/4', '5/4', '1', '1/0', 'a/b', '-1/4', '1/4/2', ''])
    expect(() => readShard(text)).toThrow(`${text} is no shard; write which of how many, from 1/4 to 4/4`);
});

test('rules that are said to judge whatever is answered ask nothing themselves, and are judged where nothing else is', async () => {
  const target = fakeTarget(() => ({ body: {} }));
  const about = listChecks(business).filter(({ rule }) => isPassive(rule.id));
  for (const { rule, operation } of about) await rule.examine(openContext(business, target), operation);
  expect([about.length > 50, target.requests]).toEqual([true, []]);
  const only = chooseChecks(business, { only: ['response/*'] });
  expect([1, 2].flatMap((index) => chooseShard(only, { index, of: 2 }))).toHaveLength(only.length);
});

const today = '2026-06-15';

function shardOf(index: number, of: number, changes: Partial<RunResult> = {}): ShardResult {
  return { name: `s${index}.json`, result: resultOf({ shard: { index, of }, checks: [checkOf({ operation: `op${index}` })], ...changes }) };
}

const observed = (answers: readonly string[], evidence: string): Observation => ({
  id: 'q',
  question: '?',
  source: 's',
  answers,
  evidence,
});

describe('merged shards', () => {
  test('has the rules of all shards in the order of a run, their requests, and no shard', () => {
    const one = shardOf(1, 2, { checks: [checkOf({ rule: 'keys/missing', operation: 'a' }), checkOf({ operation: 'a' })], durationMs: 5 });
    const started = '2026-07-01T09:29:00.000Z';
    const two = shardOf(2, 2, { checks: [checkOf({ operation: 'b' })], durationMs: 9, started });
    const whole = mergeResults([two, one], { today });
    expect(whole).toMatchObject({ verdict: 'holds', exitCode: 0, requests: 192, budget: 800, durationMs: 9, seed: 7, started });
    expect(whole).not.toHaveProperty('shard');
    const names = whole.checks.map(({ rule: id, operation }) => `${id} ${operation}`);
    expect(names).toHaveLength(3);
    expect(names.indexOf('filters/sound b') - names.indexOf('filters/sound a')).toBe(1);
  });

  test('is waived and required as a whole, and keeps what shards said', () => {
    const shards = [
      shardOf(1, 2, { checks: [violationOf()], notes: ['said'] }),
      shardOf(2, 2, { checks: [gapOf('pages/echo', 'x', 'pages')], notes: ['said'] }),
    ];
    expect(mergeResults(shards, { today }).exitCode).toBe(1);
    const merged = mergeResults(shards, {
      today,
      waivers: [{ fingerprint: violationOf().fingerprint ?? '', reason: 'known' }],
      require: ['pages/*'],
    });
    expect(merged.exitCode).toBe(4);
    expect(merged.checks.find(({ verdict }) => verdict === 'violated')?.waiver).toEqual({ reason: 'known' });
    expect(merged.notes).toEqual(['said', expect.stringContaining('pages/echo at x is required')]);
    expect(() => mergeResults(shards, { today, require: ['pages/eco'] })).toThrow('did you mean pages/echo?');
  });

  test('has a rule that judges whatever is answered once: a violation anywhere, or else the evidence of all', () => {
    const [seen, other] = [
      { id: 'a', title: 'a' },
      { id: 'b', title: 'b' },
    ];
    const id = 'response/schema';
    const holds = checkOf({ rule: id, killed: [seen], alive: [{ ...other, missing: 'b' }], instances: 2 });
    const open = gapOf(id, 'listNotes', 'data');
    const more = checkOf({ rule: id, killed: [other], alive: [], instances: 1 });
    const merge = (...rules: readonly CheckResult[]): CheckResult | undefined =>
      mergeResults(
        rules.map((rule, at) => shardOf(at + 1, rules.length, { checks: [rule] })),
        { today },
      ).checks[0];
    expect(merge(open, holds, more)).toMatchObject({ verdict: 'holds', instances: 3, killed: [seen, other], message: '' });
    expect(merge(holds, violationOf({ rule: id }), open)).toMatchObject({
      verdict: 'violated',
      counterexample: { curl: expect.anything() },
    });
    expect(merge(violationOf({ rule: id, waiver: { reason: 'x' } }), violationOf({ rule: id }))).not.toHaveProperty('waiver');
    expect(merge(open, checkOf({ rule: id, verdict: 'blocked', killed: [], message: '503' }))).toMatchObject({
      verdict: 'blocked',
      message: '503',
    });
  });

  test('a violation that a shard waived stays waived', () => {
    const waived = { ...violationOf(), waiver: { reason: 'known' } };
    expect(mergeResults([shardOf(1, 1, { checks: [waived] })], { today })).toMatchObject({ exitCode: 0, checks: [waived] });
  });

  test.each<readonly [changes: Partial<RunResult>, exitCode: number]>([
    [{ cutShort: 'interrupted' }, 130],
    [{ cutShort: 'lost' }, 3],
    [{ cutShort: 'budget' }, 4],
    [{ unavailable: 'Nothing listens', checks: [] }, 3],
  ])('is cut short where a shard was: %j', (changes, exitCode) => {
    const merged = mergeResults([shardOf(1, 2), shardOf(2, 2, changes)], { today });
    expect(merged.exitCode).toBe(exitCode);
    expect(merged).not.toHaveProperty('unavailable');
    if (changes.unavailable !== undefined) expect(merged.notes).toEqual(['The shard 2/2 could judge nothing: Nothing listens']);
  });

  test('could not be judged when no shard could be', () => {
    const gone = { unavailable: 'Nothing listens', rules: [] };
    expect(mergeResults([shardOf(1, 2, gone), shardOf(2, 2, gone)], { today })).toMatchObject({
      exitCode: 3,
      unavailable: 'Nothing listens',
    });
  });

  test.each<readonly [string, readonly Observation[], Observation]>([
    ['one that answers', [observed([], 'nothing'), observed(['a'], 'seen a')], observed(['a'], 'seen a')],
    ['what both leave standing', [observed(['a', 'b'], 'x'), observed(['b', 'c'], 'y')], observed(['b'], 'x; y')],
    ['contradictions stay open', [observed(['a'], 'x'), observed(['b'], 'y')], observed([], 'x; y')],
    ['nothing seen', [observed([], 'z'), observed([], 'z')], observed([], 'z')],
  ])('observes %s', (_, [one, two], expected) => {
    const shards = [one, two].map((each, at) => shardOf(at + 1, 2, { observations: each === undefined ? [] : [each] }));
    expect(mergeResults(shards, { today }).observations).toEqual([expected]);
  });
});

describe('merged runs', () => {
  const contract = { name: 'menus', title: 'Menus', version: '1.0' };
  const runOf = (changes: Partial<RunResult>): ShardResult => ({ name: 'run.json', result: resultOf(changes) });

  test('of one contract at one target are one run, if each check was judged once', () => {
    const [one, two] = [{ checks: [checkOf({ operation: 'a' })] }, { checks: [checkOf({ operation: 'b' })] }].map(runOf);
    if (one === undefined || two === undefined) throw new TypeError('no runs');
    const [merged, ...others] = mergeRuns([one, two], { today });
    expect(others).toEqual([]);
    expect(merged?.checks.map(({ operation }) => operation)).toEqual(['a', 'b']);
    expect(() => mergeRuns([one, one], { today })).toThrow('filters/sound at a was judged twice');
  });

  test('of other contracts and targets stand beside it, each with what is required of it, and with its own baseline', () => {
    const runs = [
      runOf({ checks: [violationOf()] }),
      runOf({ contract, checks: [violationOf(), checkOf({ rule: 'pages/echo' })] }),
      runOf({ contract, target: 'http://b', checks: [gapOf('pages/echo', 'x', 'pages')] }),
    ];
    const merged = mergeRuns(runs, { today, require: ['pages/*'], baseline: [resultOf({ contract, checks: [violationOf()] })] });
    expect(merged.map((run) => [run.contract.name, run.target, run.exitCode])).toEqual([
      ['notes', 'http://127.0.0.1:8080/v1', 1],
      ['menus', 'http://127.0.0.1:8080/v1', 0],
      ['menus', 'http://b', 4],
    ]);
    expect(() => mergeRuns(runs, { today, require: ['pages/eco'] })).toThrow('did you mean pages/echo?');
  });
});

describe('shards that are refused', () => {
  const contract = { name: 'notes', title: 'Notes', version: '2.0' };
  test.each<readonly [message: string, shards: readonly ShardResult[]]>([
    ['there is nothing to merge', []],
    [
      'the shard 2/3 of notes 1.0 at http://127.0.0.1:8080/v1 with the seed 7 in 3 shards is there 0 times; name',
      [shardOf(1, 3), shardOf(3, 3)],
    ],
    ['is there 2 times, as s1.json, as s1.json; name the report of each shard once', [shardOf(1, 2), shardOf(2, 2), shardOf(1, 2)]],
    [
      's1.json and s1.json are of different runs: notes 1.0 at http://127.0.0.1:8080/v1 with the seed 7 in 2 shards, and notes 1.0',
      [shardOf(1, 2), shardOf(1, 3), shardOf(2, 3), shardOf(3, 3)],
    ],
    ['x.json and s1.json are of different runs', [{ name: 'x.json', result: resultOf() }, shardOf(1, 1)]],
    ['s1.json and s2.json are of different runs', [shardOf(1, 2), shardOf(2, 2, { contract })]],
    ['and notes 1.0 at http://b with', [shardOf(1, 2), shardOf(2, 2, { target: 'http://b' })]],
    ['with the seed 8', [shardOf(1, 2), shardOf(2, 2, { seed: 8 })]],
    [
      'filters/sound at a was judged twice; run every shard with the same --only and --skip',
      [1, 2].map((at) => shardOf(at, 2, { checks: [checkOf({ operation: 'a' })] })),
    ],
  ])('%s', (message, shards) => expect(() => mergeResults(shards, { today })).toThrow(message));
});
