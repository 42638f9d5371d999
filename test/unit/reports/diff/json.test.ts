/** The JSON report matches its published schema for every kind of comparison, and the schema refuses what is no report. */

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../core/json.ts';
import type { ContractComparison } from '../../../../core/results/diff-result.ts';
import { changeLevels } from '../../../../core/results/diff-result.ts';
import { renderDiffJson } from '../../../../reports/diff/diff-json.ts';
import { complaintsAboutLater, complaintsAboutReport } from '../../../helpers/reports/report-schema.ts';
import { changeOf, comparisonOf, huge, kinds, mildOf, witness } from '../../../helpers/reports/sample-comparisons.ts';

const complaintsAbout = (report: unknown): readonly string[] => complaintsAboutReport('diff', report);
const parse = (comparison: ContractComparison): JsonObject => JSON.parse(renderDiffJson(comparison)) as JsonObject;
const firstChange = (comparison: ContractComparison): JsonObject => (parse(comparison)['changes'] as readonly JsonObject[])[0] ?? {};

describe('the report in JSON', () => {
  it.each(kinds)('of %s is valid', (_, comparison) => {
    expect(complaintsAbout(parse(comparison))).toEqual([]);
  });

  it('holds everything that is there', () => {
    const report = parse(comparisonOf([changeOf(), mildOf('compatible')], { notes: ['A note'] }));
    expect(Object.keys(report)).toEqual([
      'schema',
      'breaking',
      'semver',
      'count',
      'old',
      'new',
      'changes',
      'accepted',
      'searched',
      'notCompared',
      'notes',
    ]);
    expect(report).toMatchObject({
      schema: 'touchstone-diff/1',
      breaking: true,
      semver: { suggested: 'major', next: '2.0.0', from: '1.2.0', to: '1.3.0', taken: 'minor', enough: false },
      count: { breaking: 1, risky: 0, compatible: 1, documentation: 0 },
      old: { file: 'old.yaml', title: 'Things', version: '1.2.0' },
      notes: ['A note'],
    });
    const [breaking, mild] = report['changes'] as readonly JsonObject[];
    expect(breaking).toEqual({
      ...changeOf(),
      before: { present: true, ...changeOf().before },
      after: { present: true, ...changeOf().after },
      witness: {
        exchange: {
          request: { ...witness.exchange.request, body: { present: false, value: null } },
          response: { ...witness.exchange.response, body: { present: true, value: witness.exchange.response?.body } },
        },
        pointer: '/items/1/state',
        refused: { present: true, value: 'archived' },
        refusedBy: 'old',
        keyword: 'enum',
        message: witness.message,
        place: witness.place,
      },
    });
    expect(mild).toMatchObject({ before: { present: false, value: null } });
    expect(mild).not.toHaveProperty('witness');
  });

  it('tells a null from nothing', () => {
    const place = { file: 'a.yaml', line: 1, column: 1 };
    const change = firstChange(comparisonOf([changeOf({ before: { value: null, place }, after: { value: undefined, place } })]));
    expect(change['before']).toEqual({ present: true, value: null, place });
    expect(change['after']).toEqual({ present: false, value: null, place });
  });

  it('shortens nothing', () => {
    const change = firstChange(comparisonOf([changeOf({ text: huge, witness: { ...witness, value: huge } })]));
    expect(change['text']).toBe(huge);
    expect(change['witness']).toMatchObject({ refused: { value: huge } });
  });

  it('keeps accepted changes apart, and they do not break', () => {
    const change = changeOf();
    const accepted = [{ change, reason: 'Nobody reads it', expires: undefined }];
    // A caller may list an accepted change among all changes.
    const report = parse({ ...comparisonOf([], { accepted }), changes: [change] });
    expect(report).toMatchObject({
      breaking: false,
      changes: [],
      accepted: [{ change: { id: change.id }, reason: 'Nobody reads it' }],
    });
  });

  it('ends with a line break and is the same each time', () => {
    expect(renderDiffJson(comparisonOf([changeOf()]))).toMatch(/\}\n$/);
    expect(renderDiffJson(comparisonOf([changeOf()]))).toBe(renderDiffJson(comparisonOf([changeOf()])));
  });
});

describe('the schema of the report', () => {
  const good = parse(comparisonOf(changeLevels.slice(1).map((level) => (level === 'breaking' ? changeOf() : mildOf(level)))));
  const change = (good['changes'] as readonly JsonObject[])[0] ?? {};
  const shown = change['witness'] as JsonObject;
  const withChange = (changed: Json): JsonObject => ({ ...good, changes: [changed] });
  const withWitness = (changes: JsonObject): JsonObject => withChange({ ...change, witness: { ...shown, ...changes } });
  const without = (object: JsonObject, key: string): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

  const wrong: readonly (readonly [string, JsonObject])[] = [
    ['another version', { ...good, schema: 'touchstone-diff/2' }],
    ['what breaks, and counts nothing that does', { ...good, count: { breaking: 0, risky: 0, compatible: 0, documentation: 0 } }],
    ['what does not break, and counts something that does', { ...good, breaking: false }],
    ['a step that is none', { ...good, semver: { ...(good['semver'] as JsonObject), suggested: 'huge' } }],
    ['a level that is none', withChange({ ...change, level: 'fatal' })],
    ['a change without a place', withChange({ ...change, after: without(change['after'] as JsonObject, 'place') })],
    ['a line before the first', withChange({ ...change, after: { present: true, value: 1, place: { file: 'a', line: 0, column: 1 } } })],
    ['a value that is not there and is one', withChange({ ...change, before: { ...(change['before'] as JsonObject), present: false } })],
    ['a witnessed change without a witness', withChange(without(change, 'witness'))],
    ['somebody unknown who is hit', withChange({ ...change, affects: ['everybody'] })],
    ['a witness that a third contract refuses', withWitness({ refusedBy: 'other' })],
    ['a witness without an exchange', withWitness({ exchange: null })],
    ['records without responses', withWitness({ records: { given: [] } })],
    [
      'a header that is a number',
      withWitness({ exchange: { response: { status: '200', headers: { age: 1 }, body: { present: false, value: null } } } }),
    ],
    ['an accepted change without a reason', { ...good, accepted: [{ change, reason: '' }] }],
  ];

  it.each(wrong)('refuses %s', (_, report) => {
    expect(complaintsAbout(report)).not.toEqual([]);
  });

  it.each(Object.keys(good))('requires %s', (key) => {
    expect(complaintsAbout(without(good, key))).not.toEqual([]);
  });

  it.each(Object.keys(change).filter((name) => !['operation', 'direction', 'verdict'].includes(name)))('requires %s of a change', (key) => {
    expect(complaintsAbout(withChange(without(change, key)))).not.toEqual([]);
  });

  it.each(Object.keys(shown).filter((name) => !['refusedBy', 'place'].includes(name)))('requires %s of a witness', (key) => {
    expect(complaintsAbout(withChange({ ...change, witness: without(shown, key) }))).not.toEqual([]);
  });

  it('takes fields that a later version adds', () => {
    expect(complaintsAboutLater('diff', { ...good, tool: 'x', changes: [{ ...change, since: '1.0.0' }] })).toEqual([]);
  });
});
