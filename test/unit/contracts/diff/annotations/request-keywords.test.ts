/** Changes of request annotations: rules on several parameters, and answers to invalid requests. */

import { describe, expect, it } from 'vitest';
import { compareLoadedContracts } from '../../../../../contracts/diff/compare-contracts.ts';
import type { LoadedContract } from '../../../../../contracts/diff/load-contract-pair.ts';
import { confirm, readBy, refuses } from './confirm-change.ts';
import { between, type Changed, change, onlyChange, type TextEdit } from './edited-contracts.ts';

const library = 'test/fixtures/library.openapi.yaml';

/** The changes, one in each line. */
function listed({ changes }: Changed): readonly string[] {
  return changes.map(({ id, level, verdict }) => [id, level, verdict ?? '-'].join(' '));
}

describe('a rule about several parameters', () => {
  const noRule: TextEdit = ['      x-parameter-rules:\n        - ordered: [pagesFrom, pagesBelow]\n', ''];
  const rule = (text: string): TextEdit => ['- ordered: [pagesFrom, pagesBelow]', text];
  const either = (names: string): TextEdit => rule(`- exactly-one-of: [${names}]`);

  it('is breaking when added, with a request as the witness', async () => {
    const changed = await between(library, [noRule], []);
    expect(listed(changed)).toEqual(['parameter-rule/added breaking witnessed']);
    const { target = '' } = changed.changes[0]?.witness?.exchange.request ?? {};
    expect([refuses(changed.old, target), refuses(changed.next, target)]).toEqual([false, true]);
    expect(changed.changes[0]?.witness).toMatchObject({ refusedBy: 'new', keyword: 'ordered' });
    expect(changed.changes[0]?.text).toBe('the rule on pagesFrom and pagesBelow was added: pagesFrom, pagesBelow in this order');
  });

  it.each<[string, readonly TextEdit[], readonly TextEdit[], readonly string[]]>([
    ['is compatible when it goes', [], [noRule], ['parameter-rule/removed compatible -']],
    [
      'is compatible when it holds for fewer',
      [rule('- ordered: [pagesFrom, pagesBelow, start]')],
      [],
      ['parameter-rule/loosened compatible -'],
    ],
    [
      'breaks when it holds for more',
      [],
      [rule('- ordered: [pagesFrom, pagesBelow, start]')],
      ['parameter-rule/changed breaking witnessed'],
    ],
    ['is the same in another order of names', [either('pagesFrom, find')], [either('find, pagesFrom')], []],
    [
      'is the same in another order of rules',
      [rule('- exactly-one-of: [pagesFrom, find]\n        - ordered: [pagesFrom, pagesBelow]')],
      [rule('- ordered: [pagesFrom, pagesBelow]\n        - exactly-one-of: [pagesFrom, find]')],
      [],
    ],
    [
      'is another rule when it is of another kind',
      [either('pagesFrom, pagesBelow')],
      [],
      ['parameter-rule/added breaking unwitnessed', 'parameter-rule/removed compatible -'],
    ],
  ])('%s', async (_, before, after, expected) => {
    expect(listed(await between(library, before, after))).toEqual(expected);
  });

  it('is only risky if the contract refuses no request for it', async () => {
    const ignored: TextEdit = ['broken-rule: refused', 'broken-rule: ignored'];
    expect(listed(await between(library, [ignored, noRule], [ignored]))).toEqual(['parameter-rule/added risky unwitnessed']);
  });
});

describe('the answer to an invalid request', () => {
  const range = (answer: string): TextEdit => ['out-of-range: refused', `out-of-range: ${answer}`, 'x-invalid:'];

  it.each([
    ['refused', 'accepted', 'invalid/out-of-range-accepted compatible -'],
    ['refused', 'clamped', 'invalid/out-of-range-softened risky witnessed'],
    ['refused', 'empty', 'invalid/out-of-range-softened risky witnessed'],
    ['clamped', 'refused', 'invalid/out-of-range-refused breaking witnessed'],
    ['clamped', 'ignored', 'invalid/out-of-range-answer-changed breaking witnessed'],
    ['ignored', 'empty', 'invalid/out-of-range-answer-changed breaking witnessed'],
  ])('from %s to %s', async (before, after, expected) => {
    const changed = await between(library, [range(before)], [range(after)]);
    expect(listed(changed)).toEqual([expected]);
    const [found] = changed.changes;
    expect(found?.operations).toEqual(['GET /books', 'GET /books/{number}']);
    if (found?.verdict === 'witnessed') confirm({ ...found, ...changed });
  });

  it('has a request as the witness that both contracts read differently', async () => {
    const { old, next, changes } = await between(library, [range('clamped')], [range('ignored')]);
    const { target = '' } = changes[0]?.witness?.exchange.request ?? {};
    expect(changes[0]?.witness?.refusedBy).toBeUndefined();
    expect(readBy(old, target).values).not.toEqual(readBy(next, target).values);
  });

  it('has a request without the parameter that is missing', async () => {
    const edits: readonly TextEdit[] = [
      ['{ name: find,', '{ name: find, required: true,'],
      ['      x-parameter-rules:\n        - ordered: [pagesFrom, pagesBelow]\n', ''],
    ];
    const { old, next } = await between(library, edits, [...edits, ['broken-rule: refused', 'broken-rule: ignored']]);
    const documents = [old, next].map((contract) => ({ document: contract.document, contract })) as [LoadedContract, LoadedContract];
    const { changes } = await compareLoadedContracts(documents);
    expect(changes.map(({ id, witness }) => [id, witness?.exchange.request?.target])).toEqual([['invalid/broken-rule-softened', '/books']]);
  });

  it('of one parameter applies to that parameter', async () => {
    const found = await onlyChange(library, ['x-invalid: { out-of-range: clamped }', 'x-invalid: { out-of-range: refused }']);
    expect([found.id, found.level, found.location]).toEqual([
      'invalid/out-of-range-refused',
      'breaking',
      'query parameter size, x-invalid, out-of-range',
    ]);
    expect(found.operations).toEqual(['GET /books']);
    expect(found.witness?.exchange.request?.target).toMatch(/^\/books\?size=/);
    confirm(found);
  });

  it('of one parameter falls back to the answer of the file', async () => {
    const found = await onlyChange(library, [', x-invalid: { out-of-range: clamped }', '']);
    expect([found.id, found.level, found.before.value, found.after.value]).toEqual([
      'invalid/out-of-range-refused',
      'breaking',
      'clamped',
      undefined,
    ]);
  });

  it('is documentation if it states the default', async () => {
    const found = await onlyChange(library, ['{ out-of-range: clamped }', '{ out-of-range: clamped, malformed: refused }']);
    expect([found.id, found.level]).toEqual(['invalid/malformed-made-explicit', 'documentation']);
  });

  it('is breaking when it becomes unspecified', async () => {
    const asked = 'far: { question: What then?, source: nowhere, mock: cut, choices: { none: refused, cut: clamped } }';
    const opened = await change(library, range('{ unspecified: far }'), ['x-unspecified:\n', `x-unspecified:\n  ${asked}\n`]);
    expect(listed(opened)).toEqual(['invalid/out-of-range-left-unspecified breaking witnessed']);
    expect(opened.changes[0]?.witness?.refusedBy).toBe('old');
    expect(opened.changes[0]?.witness?.place).toEqual(opened.changes[0]?.before.place);
  });
});
