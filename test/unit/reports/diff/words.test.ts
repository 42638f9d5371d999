/** The words of a comparison that all its reports share. */

import { describe, expect, it } from 'vitest';
import { type Change, unacceptedChanges } from '../../../../core/results/diff-result.ts';
import {
  describeAdvice,
  describeAffected,
  describeChangeCounts,
  describeComparison,
  describeConsumers,
  describeText,
  groupChangesByPlace,
  nameOperations,
} from '../../../../reports/diff/diff-sentences.ts';
import { changeOf, comparisonOf, huge, mildOf } from '../../../helpers/reports/sample-comparisons.ts';

const compared = (title: string, version: string) => ({ file: 'file.yaml', title, version });

describe('both contracts', () => {
  it.each([
    ['Things', '1', 'Things', '2', 'Things 1 → 2: no changes'],
    ['Things', '1', 'Goods', '2', 'Things 1 → Goods 2: no changes'],
    ['', '1', '', '2', 'file.yaml 1 → file.yaml 2: no changes'],
    ['Things', '1', 'Things', '', 'Things 1 → no version: no changes'],
  ])('are named: %s %s, %s %s', (oldTitle, oldVersion, newTitle, newVersion, words) => {
    expect(describeComparison(comparisonOf([], { old: compared(oldTitle, oldVersion), new: compared(newTitle, newVersion) }))).toBe(words);
  });

  it('have names of any length', () => {
    expect(describeComparison(comparisonOf([], { old: compared(huge, huge), new: compared('', huge) })).length).toBeLessThan(600);
  });
});

describe('consumers', () => {
  const consumer = { consumer: 'till', interactions: 41, broken: ['an order', 'all orders', 'a page'] };
  const other = { consumer: 'codex', interactions: 1, broken: ['an entry'] };

  it.each([
    [undefined, undefined],
    [[], 'breaks no known consumer, which proves nothing about others'],
    [[consumer], 'breaks till: 3 of 41 interactions, first: an order'],
    [[consumer, other], 'breaks till: 3 of 41 interactions, first: an order; codex: 1 of 1 interaction, first: an entry'],
  ])('%#', (consumers, words) => {
    expect(describeConsumers(changeOf(consumers === undefined ? {} : { consumers }))).toBe(words);
  });

  it('are counted beside the levels', () => {
    const broken = changeOf({ consumers: [consumer] });
    expect(describeChangeCounts(comparisonOf([broken]))).toBe('1 breaking change (it breaks a known consumer)');
    expect(describeChangeCounts(comparisonOf([broken, changeOf({ consumers: [] })]))).toBe(
      '2 breaking changes (1 breaks a known consumer)',
    );
    expect(describeChangeCounts(comparisonOf([broken, { ...broken }]))).toBe('2 breaking changes (2 break a known consumer)');
  });
});

describe('the advice', () => {
  const of = (from: string, to: string, others: object = {}, changes: readonly Change[] = [changeOf()]): string =>
    describeAdvice(
      comparisonOf(changes, { version: { suggested: 'major', next: '2.0.0', taken: 'major', isEnough: true, from, to, ...others } }),
    );

  it.each([
    [of('1.2.0', '2.0.0'), '1 breaking change: info.version 2.0.0 is enough.'],
    [of('1.2.0', '1.2.0', { taken: 'none', isEnough: false }), '1 breaking change: bump info.version to at least 2.0.0.'],
    [of('2.0.0', '1.0.0', { taken: 'none', isEnough: false }), '1 breaking change: bump info.version to at least 2.0.0.'],
    [
      of('2.0.0-rc.1', '2.0.0-rc.2', { suggested: 'pre-release', next: '2.0.0-rc.2', taken: 'pre-release' }),
      '1 breaking change: info.version 2.0.0-rc.2 is enough.',
    ],
    [of('1.2.0', '1.2.0', { suggested: 'none', taken: 'none' }, []), 'No changes: info.version may stay 1.2.0.'],
    [
      of('spring', '', { next: undefined, taken: undefined, isEnough: false }),
      '1 breaking change: needs a major version bump, but info.version spring → (empty) is not a semantic version (semver.org), so check it yourself.',
    ],
  ])('%#', (text, words) => {
    expect(text).toBe(words);
  });
});

describe('a change in words', () => {
  it.each([
    ['the value "x" is new', 'The value "x" is new.'],
    ['The value is new.', 'The value is new.'],
    ['theme: the value is new', 'theme: the value is new.'],
    ['limit: is it so?', 'limit: is it so?'],
  ])('is a sentence: %s', (text, words) => {
    expect(describeText(changeOf({ text }))).toBe(words);
  });

  it('says who is hit', () => {
    const wordsOf = (level: 'breaking' | 'risky' | 'compatible', ...affects: ('clients' | 'generated code' | 'server')[]): unknown =>
      Object.values(describeAffected(changeOf({ level, affects })));
    expect(wordsOf('breaking', 'clients')).toEqual(['breaks', 'clients']);
    expect(wordsOf('risky', 'clients', 'generated code', 'server')).toEqual(['may break', 'clients, generated code and server']);
    expect(wordsOf('compatible', 'server')).toEqual(['concerns', 'server']);
    expect(wordsOf('compatible')).toEqual(['why', undefined]);
  });

  it('leaves no single operation out', () => {
    expect(nameOperations(['a', 'b', 'c', 'd'])).toBe('a, b, c, d');
    expect(nameOperations(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
  });
});

describe('changes', () => {
  it('are grouped in the order in which their operations are met', () => {
    const at = (operation: string) => changeOf({ operation, operations: [operation] });
    const groups = groupChangesByPlace([
      at('b'),
      at('a'),
      at('b'),
      changeOf({ operations: ['a', 'b'] }),
      changeOf({ operation: undefined, operations: [] }),
    ]);
    expect(groups.map(({ title, changes }) => [title, changes.length])).toEqual([
      ['b', 2],
      ['a', 1],
      ['Several operations', 1],
      ['The whole contract', 1],
    ]);
  });

  it('that were accepted are not open, wherever they are listed; others that look like them are', () => {
    const [accepted, alike] = [changeOf(), changeOf()];
    const comparison = comparisonOf([accepted, alike, mildOf('risky')], {
      accepted: [{ change: accepted, reason: 'x', expires: undefined }],
    });
    expect(unacceptedChanges(comparison, 'breaking')).toEqual([alike]);
    expect(unacceptedChanges(comparison, 'breaking')[0]).toBe(alike);
  });
});
