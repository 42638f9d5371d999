/** From findings to a verdict: the gravest counts, nothing holds that nothing could have refuted, and the plainest counterexample is shown. */

import { describe, expect, test } from 'vitest';
import { conclude, type Outcome, withoutEvidence } from '../../../../contracts/verify/check-outcome.ts';
import type { Reply } from '../../../../contracts/verify/engine/call.ts';
import { agrees, type Candidate, type Contradiction, type Judgement } from '../../../../contracts/verify/rules/rule.ts';
import { contractOf, operationIn, replyTo } from '../../../helpers/engine.ts';

const call = { operation: operationIn(await contractOf('business'), 'listOrders') };

const rivals: readonly Candidate[] = [
  { id: 'filter-ignored', title: 'it were ignored', missing: 'two different values' },
  { id: 'exclusive-upper', title: 'the bound were left out', missing: 'a record at the bound' },
  { id: 'checkpoint-by-day', title: 'only days were compared', missing: 'a record at the bound' },
];

const concluded = (...findings: readonly Judgement[]): Outcome => conclude({ rivals, judge: () => findings });

function contradiction(changes: Partial<Contradiction> & { readonly targets?: readonly string[] } = {}): Contradiction {
  const { targets = ['/a'], ...rest } = changes;
  const replies = targets.map((target): Reply => replyTo(call, {}, { target }));
  return { kind: 'contradicts', replies, expected: 'it is so', actual: 'it is not', witnesses: [], ...rest };
}

const [ignored, exclusive] = rivals.map(({ id, title }) => ({ id, title }));

describe('evidence', () => {
  test('a law holds when some rival was refuted; those that were not stay open', () => {
    const outcome = concluded(agrees('filter-ignored'), agrees('filter-ignored', 'exclusive-upper'), agrees());
    expect(outcome).toMatchObject({ verdict: 'holds', instances: 3, message: '' });
    expect([outcome.refuted, outcome.open.map(({ id }) => id)]).toEqual([[ignored, exclusive], ['checkpoint-by-day']]);
  });

  test('any number of observations that no rival would have answered otherwise prove nothing', () => {
    const outcome = concluded(...Array.from({ length: 50 }, () => agrees()));
    expect(outcome).toMatchObject({ verdict: 'not-exercised', instances: 50, refuted: [] });
    expect(outcome.message).toBe('The data lacks two different values; a record at the bound');
  });

  test('a rival that is not among those of the law is no evidence', () => {
    expect(concluded(agrees('tag-missing')).verdict).toBe('not-exercised');
  });

  test('without rivals and findings, nothing was seen', () => {
    expect(conclude({ rivals: [], judge: () => [] })).toMatchObject({
      verdict: 'not-exercised',
      message: 'Nothing that could show it was seen',
    });
  });

  test('data that moved, and what another law names, leave it inconclusive; both only where nothing was refuted', () => {
    const moved: Judgement = { kind: 'moved', what: 'no record stayed as it was' };
    const obscured: Judgement = { kind: 'obscured', by: 'response/status' };
    expect(concluded(obscured, moved, agrees())).toMatchObject({
      verdict: 'inconclusive',
      message: 'The data moved: no record stayed as it was',
    });
    expect(concluded(obscured).message).toBe('The answers differ in a way that response/status names');
    expect(concluded(moved, obscured, agrees('filter-ignored')).verdict).toBe('holds');
  });

  test('an outcome without evidence says why', () => {
    expect(withoutEvidence('blocked', 'it is away', rivals)).toEqual({
      verdict: 'blocked',
      instances: 0,
      refuted: [],
      open: rivals,
      message: 'it is away',
      contradictions: [],
    });
  });
});

describe('contradictions', () => {
  test('one of them outweighs everything else, and the evidence is kept', () => {
    const outcome = concluded(agrees('filter-ignored'), { kind: 'moved', what: 'x' }, contradiction(), agrees('exclusive-upper'));
    expect(outcome).toMatchObject({ verdict: 'violated', instances: 2, message: 'it is so; it is not' });
    expect(outcome.refuted).toHaveLength(2);
  });

  test.each<[string, Contradiction, Contradiction]>([
    ['one that a rival explains', contradiction({ targets: ['/a', '/b'], ...(exclusive && { rival: exclusive }) }), contradiction()],
    ['one of fewer requests', contradiction({ targets: ['/long/long'] }), contradiction({ targets: ['/a', '/b'] })],
    ['one of shorter requests', contradiction({ targets: ['/a'] }), contradiction({ targets: ['/abc'] })],
  ])('%s is shown rather than another', (_, better, worse) => {
    for (const findings of [
      [better, worse],
      [worse, better],
    ])
      expect(concluded(...findings).contradictions[0]?.replies).toEqual(better.replies);
  });

  test('those that the same rival explains lend it their witnesses; others do not', () => {
    const first = contradiction({ witnesses: ['1', '2'], ...(exclusive && { rival: exclusive }) });
    const same = contradiction({ targets: ['/ab'], witnesses: ['2', '3'], ...(exclusive && { rival: exclusive }) });
    const other = contradiction({ targets: ['/abc'], witnesses: ['9'], ...(ignored && { rival: ignored }) });
    expect(concluded(first, same, other).contradictions[0]?.witnesses).toEqual(['1', '2', '3']);
  });

  test('of several rivals that explain it, one that something else refuted is none', () => {
    const both = contradiction({ rivals: [ignored, exclusive].flatMap((each) => each ?? []), ...(ignored && { rival: ignored }) });
    expect(concluded(both).contradictions[0]?.rival?.id).toBe('filter-ignored');
    expect(concluded(both, agrees('filter-ignored')).contradictions[0]?.rival?.id).toBe('exclusive-upper');
  });

  test('a rival that something else refuted explains nothing', () => {
    const refuted = contradiction({ ...(ignored && { rival: ignored }) });
    expect(concluded(refuted, agrees('filter-ignored')).contradictions[0]).not.toHaveProperty('rival');
  });

  test('of several rivals, the one that explains the most is told', () => {
    const [both, one] = [
      contradiction({ rivals: [ignored, exclusive].flatMap((each) => each ?? []) }),
      contradiction({ ...(exclusive && { rival: exclusive }) }),
    ];
    expect(concluded(both, one).contradictions.map(({ rival }) => rival?.id)).toEqual(['exclusive-upper']);
  });

  test('what is wrong in several ways is told in several contradictions, each once', () => {
    const [null1, null2, enum1] = ['/data/*/a type', '/data/*/a type', '/data/*/b enum'].map((about) => contradiction({ about }));
    const outcome = concluded(...[null1, null2, enum1].flatMap((each) => each ?? []));
    expect(outcome.contradictions.map(({ about }) => about)).toEqual(['/data/*/a type', '/data/*/b enum']);
  });
});
