/** Causes: violations with the same evidence are one mistake, and unrelated ones stay apart. */

import { describe, expect, test } from 'vitest';
import { findCauses, isCauseOf } from '../../../../contracts/verify/find-causes.ts';
import type { CheckResult, WrongResponse } from '../../../../core/results/run-result.ts';
import { violationOf } from '../../../helpers/reports/sample-results.ts';

/** A wrong answer to `listNotes`, with the members that a test changes. */
const answer = (changes: Partial<WrongResponse> = {}): WrongResponse => ({
  operation: 'listNotes',
  request: '00000001',
  parameters: [],
  status: 200,
  part: 'answer',
  mutants: [],
  ...changes,
});

/** A violated check of a rule with its evidence. */
function check(rule: string, subject: string, evidence: readonly WrongResponse[], changes: Partial<CheckResult> = {}): CheckResult {
  const { diagnosis: _, ...undiagnosed } = violationOf({ rule, subject, evidence, instances: 0 });
  const diagnosis = subject === '' ? {} : { diagnosis: `The server behaves as if ${subject}` };
  return { ...undiagnosed, ...diagnosis, fingerprint: `${rule} ${changes.operation ?? ''} ${subject}`, ...changes };
}

/** The rules that name the causes, each with the rules that it explains besides. */
const causesOf = (...checks: readonly CheckResult[]): readonly (readonly string[])[] =>
  findCauses(checks).map(({ rule, explains }) => [rule, ...explains.map((each) => each.rule).filter((each) => each !== rule)]);

describe('violations have one cause', () => {
  test('when a rule is violated in the same way at several operations', () => {
    const [cause, ...others] = findCauses([
      check('keys/missing', 'missing-key-accepted', [answer()]),
      check('keys/missing', 'missing-key-accepted', [answer({ operation: 'readNote' })], { operation: 'readNote' }),
    ]);
    expect(others).toEqual([]);
    expect(cause?.operations).toEqual(['listNotes', 'readNote']);
  });

  test('when a rule is violated in the same way with several parameters, or at the same member of several schemas', () => {
    const [tag, kind] = ['00000021', '00000022'].map((request) => answer({ request, part: 'records' }));
    if (tag === undefined || kind === undefined) throw new Error('no answers');
    expect(
      causesOf(
        check('filters/conjunction', 'filters-either.tag+kind', [tag]),
        check('filters/conjunction', 'filters-either.tag+since', [kind], { operation: 'listTasks' }),
      ),
    ).toHaveLength(1);
    const [cause, ...others] = findCauses([
      check('response/schema', '/data/*/changed type', [answer({ part: 'body /data/*/changed' })]),
      check('response/schema', '/note/changed type', [answer({ part: 'body /note/changed' })], { operation: 'readNote' }),
      check('response/schema', '/note/id type', [answer({ part: 'body /note/id' })], { operation: 'readNote' }),
    ]);
    expect([cause, ...others].map((each) => each?.operations)).toEqual([['listNotes', 'readNote'], ['readNote']]);
  });

  test('when two requests get the same wrong answer, whoever calls', () => {
    const unchanged = (request: string): WrongResponse => answer({ status: 304, request, parameters: ['id'] });
    expect(
      causesOf(
        check('tenancy/single', 'foreign-record-unchanged', [unchanged('00000023')], { instances: 4 }),
        check('keys/conditional', 'unchanged-before-key.expired', [unchanged('00000024')]),
      ),
    ).toEqual([['keys/conditional', 'tenancy/single']]);
  });

  test('when they rest on the same wrong answer', () => {
    const wrong = answer({ status: 404 });
    expect(
      causesOf(check('response/status', '', [wrong], { instances: 30 }), check('keys/scopes', 'scope-lacking-absent', [wrong])),
    ).toEqual([['keys/scopes', 'response/status']]);
  });

  test('when one mutant predicts all wrong answers', () => {
    const lost = [1, 2, 3].map((page) => answer({ request: `0000001${page}`, part: 'records', mutants: ['tie-skipped'] }));
    const tie = answer({ request: '00000099', part: 'records', mutants: ['tie-skipped'] });
    expect(causesOf(check('filters/complete', '', lost, { instances: 20 }), check('paging/ties', 'tie-skipped', [tie]))).toEqual([
      ['paging/ties', 'filters/complete'],
    ]);
  });

  test('when a wrong field decides which records are right', () => {
    const field = answer({ part: 'body /data/*/tag' });
    const records = answer({ request: '00000002', part: 'records', follows: ['body /data/*/tag'] });
    const pair = answer({ operation: 'readNote', part: 'body /tag', or: { ...answer(), part: 'body /data/*/tag' } });
    expect(
      causesOf(
        check('filters/sound', 'filter-ignored.tag', [records]),
        check('details/agree', 'detail-state-differs', [pair], { operation: 'readNote' }),
        check('response/schema', '/data/*/tag enum', [field]),
      ),
    ).toEqual([['response/schema', 'filters/sound', 'details/agree']]);
  });

  test('when a request is refused as a simpler one is', () => {
    const refused = answer({ status: 401, request: '00000003' });
    const filtered = answer({ status: 401, parameters: ['tag'], request: '00000004' });
    expect(causesOf(check('filters/values', 'refused', [filtered]), check('keys/none-needed', 'key-demanded', [refused]))).toEqual([
      ['keys/none-needed', 'filters/values'],
    ]);
  });
});

describe('the cause is named by', () => {
  test('the rule with the simplest request, where records are wrong with fewer filters too', () => {
    const since = answer({ request: '00000011', part: 'records', parameters: ['since'] });
    const both = answer({ request: '00000012', part: 'records', parameters: ['since', 'tag'] });
    expect(causesOf(check('paging/complete', '', [both], { instances: 8 }), check('sync/closure', '', [since], { instances: 2 }))).toEqual([
      ['sync/closure', 'paging/complete'],
    ]);
  });

  test('the rule about what a diagnosed violation follows from', () => {
    const lost = answer({ part: 'records' });
    const total = answer({ part: 'body /total', follows: ['records'], mutants: ['total-of-page'] });
    expect(causesOf(check('pages/total', 'total-of-page', [total]), check('filters/complete', '', [lost], { instances: 9 }))).toEqual([
      ['filters/complete', 'pages/total'],
    ]);
  });

  test('the rule that sees the same request get different answers, since none of them can then be compared with another', () => {
    const repeated = check('requests/repeated', 'reads-differ', [answer({ request: '00000015', mutants: ['reads-differ'] })]);
    const gap = check('pages/partition', 'page-gap', [answer({ request: '00000016', part: 'records', mutants: ['page-gap'] })]);
    expect(causesOf(gap, repeated)).toEqual([['requests/repeated', 'pages/partition']]);
    const elsewhere = answer({ operation: 'listTags', part: 'records', mutants: ['page-gap'] });
    expect(causesOf(check('pages/partition', 'page-gap', [elsewhere]), repeated)).toHaveLength(2);
  });

  test('the rule that has all wrong answers, where none says more than that they are wrong', () => {
    const [one, other] = ['00000013', '00000014'].map((request) => answer({ status: 500, request, parameters: ['limit'] }));
    if (one === undefined || other === undefined) throw new Error('no answers');
    expect(
      causesOf(
        check('requests/malformed', '', [one], { instances: 2 }),
        check('response/no-server-error', '', [one, other], { instances: 60 }),
      ),
    ).toEqual([['response/no-server-error', 'requests/malformed']]);
  });

  test('the rule whose mutant predicts all wrong answers, although it could not say so itself', () => {
    const lost = answer({ part: 'records', mutants: ['filter-value-lost.tag'] });
    expect(
      causesOf(check('paging/complete', '', [lost], { instances: 3 }), check('filters/complete', '', [lost], { instances: 30 })),
    ).toEqual([['filters/complete', 'paging/complete']]);
  });
});

describe('violations have causes of their own', () => {
  test('when one lacks records, and others are diagnosed by records that should not be there', () => {
    const lost = answer({ request: '00000014', part: 'records', parameters: ['tag'] });
    const foreign = answer({ request: '00000015', part: 'records', parameters: ['since', 'tag'] });
    expect(
      causesOf(
        check('filters/complete', '', [lost]),
        check('tenancy/lists', 'foreign-records-listed', [foreign]),
        check('tenancy/lists', 'foreign-records-filtered', [foreign]),
      ).map(([rule]) => rule),
    ).toEqual(['tenancy/lists', 'filters/complete']);
  });

  test('when other answers are wrong, or other parts of the same answer', () => {
    const [one, two] = [answer({ part: 'header etag' }), answer({ part: 'body /data' })];
    const three = answer({ request: '00000005', parameters: ['limit'] });
    expect(
      causesOf(
        check('conditional/tag', 'tag-missing', [one]),
        check('response/schema', '/data type', [two]),
        check('requests/malformed', 'accepted', [three]),
      ),
    ).toHaveLength(3);
  });

  test('when each is specific, even if a general rule sees both', () => {
    const [tie, filter] = [
      answer({ request: '00000006', part: 'records', mutants: ['tie-skipped'] }),
      answer({ request: '00000007', part: 'records', mutants: ['filter-first-only.tag'] }),
    ];
    const causes = causesOf(
      check('filters/complete', '', [tie, filter], { instances: 20 }),
      check('paging/ties', 'tie-skipped', [tie]),
      check('filters/union', 'filter-first-only.tag', [filter]),
    );
    expect(causes.map(([rule]) => rule).toSorted()).toEqual(['filters/union', 'paging/ties']);
  });

  test('when one of them is waived', () => {
    const waiver = { reason: 'known' };
    const causes = findCauses([
      check('order/within', 'order-reversed', [answer()], { waiver }),
      check('order/across', 'order-reversed', [answer()]),
    ]);
    expect(causes.map((cause) => [cause.rule, cause.waiver])).toEqual([
      ['order/across', undefined],
      ['order/within', waiver],
    ]);
  });
});

test('causes come with the worst harm first', () => {
  const causes = findCauses([
    check('availability/retry-after', 'x', [answer({ request: '1' })]),
    check('order/within', 'order-reversed', [answer({ request: '2', part: 'records' })]),
    check('sync/closure', 'changes-lost', [answer({ request: '3', part: 'records' })]),
    check('tenancy/single', 'foreign-record-shown', [answer({ request: '4', status: 403 })]),
  ]);
  expect(causes.map(({ severity }) => severity)).toEqual(['leak', 'loss', 'wrong', 'form']);
});

test('the id of a cause stays when data, messages and the operations that show it change', () => {
  const idOf = (...checks: readonly CheckResult[]): string | undefined => findCauses(checks)[0]?.id;
  const id = idOf(check('order/within', 'order-reversed', [answer()]));
  expect(idOf(check('order/within', 'order-reversed', [answer({ request: '00000008' })], { message: 'id 9 comes before id 8' }))).toBe(id);
  expect(idOf(check('order/within', 'order-reversed', [answer()], { operation: 'listTags' }))).toBe(id);
  expect(isCauseOf(id ?? '', 'order/within')).toBe(true);
  expect(isCauseOf(id ?? '', 'order/across')).toBe(false);
});

test('the id of a cause stays when other checks are added, whether the mistake explains them or not', () => {
  const mistake = check('order/within', 'order-reversed', [answer()]);
  const [explained, other] = [
    check('filters/complete', '', [answer({ part: 'records' })], { instances: 9 }),
    check('conditional/tag', 'tag-missing', [answer({ operation: 'readNote', request: '00000021', part: 'header etag' })], {
      operation: 'readNote',
    }),
  ];
  const [alone] = findCauses([mistake]);
  const together = findCauses([explained, other, mistake]);
  expect(together.map(({ rule }) => rule)).toEqual(['order/within', 'conditional/tag']);
  expect(together[0]?.id).toBe(alone?.id);
});
