/** From findings to a verdict: the gravest finding counts, nothing holds without a killed mutant, and the simplest counterexample is shown. */

import { describe, expect, test } from 'vitest';
import { concludeCheck, type RoundOutcome, withoutEvidence } from '../../../../contracts/verify/conclude-check.ts';
import type { Reply } from '../../../../contracts/verify/evidence/call.ts';
import { agrees, type Candidate, type Contradiction, fromReplies, type Judgement } from '../../../../contracts/verify/rules/rule.ts';
import { contractOf, operationIn, replyTo } from '../../../helpers/engine.ts';

const call = { operation: operationIn(await contractOf('business'), 'listOrders') };

const mutants: readonly Candidate[] = [
  { id: 'filter-ignored', title: 'it were ignored', missing: 'two different values' },
  { id: 'exclusive-upper', title: 'the bound were left out', missing: 'a record at the bound' },
  { id: 'checkpoint-by-day', title: 'only days were compared', missing: 'a record at the bound' },
];

const concluded = (...findings: readonly Judgement[]): RoundOutcome => concludeCheck({ mutants, judge: () => findings });

function contradiction(changes: Partial<Contradiction> & { readonly targets?: readonly string[] } = {}): Contradiction {
  const { targets = ['/a'], ...rest } = changes;
  const replies = targets.map((target): Reply => replyTo(call, {}, { target }));
  return { kind: 'contradicts', replies, expected: 'it is so', actual: 'it is not', recordKeys: [], ...rest };
}

const [ignored, exclusive] = mutants.map(({ id, title }) => ({ id, title }));

describe('evidence', () => {
  test('a rule holds when some mutant was killed; those that were not stay open', () => {
    const outcome = concluded(agrees('filter-ignored'), agrees('filter-ignored', 'exclusive-upper'), agrees());
    expect(outcome).toMatchObject({ verdict: 'holds', instances: 3, message: '' });
    const killed = outcome.killed.map(({ id, title }) => ({ id, title }));
    expect([killed, outcome.alive.map(({ id }) => id)]).toEqual([[ignored, exclusive], ['checkpoint-by-day']]);
  });

  test('a killed mutant has the fewest replies that killed it', () => {
    const [one, two] = [replyTo(call, {}, { target: '/a' }), replyTo(call, {}, { target: '/b' })];
    const findings = [
      fromReplies([one, two], agrees('filter-ignored')),
      agrees('filter-ignored'),
      fromReplies([two], agrees('filter-ignored')),
    ];
    expect(concluded(...findings.flat()).killed.map(({ replies }) => replies)).toEqual([[two]]);
  });

  test('any number of observations that no mutant would have answered otherwise prove nothing', () => {
    const outcome = concluded(...Array.from({ length: 50 }, () => agrees()));
    expect(outcome).toMatchObject({ verdict: 'not-exercised', instances: 50, killed: [] });
    expect(outcome.message).toBe('The data lacks two different values; a record at the bound');
  });

  test('a mutant that is not among those of the rule is no evidence', () => {
    expect(concluded(agrees('tag-missing')).verdict).toBe('not-exercised');
  });

  test('without mutants and findings, nothing was seen', () => {
    expect(concludeCheck({ mutants: [], judge: () => [] })).toMatchObject({
      verdict: 'not-exercised',
      message: 'No response could test this',
    });
  });

  test('data that moved, and what another rule names, leave it inconclusive; both only where nothing was killed', () => {
    const moved: Judgement = { kind: 'data-moved', what: 'no record stayed as it was' };
    const obscured: Judgement = { kind: 'reported-elsewhere', by: 'response/status' };
    expect(concluded(obscured, moved, agrees())).toMatchObject({
      verdict: 'inconclusive',
      message: 'The data changed: no record stayed as it was',
    });
    expect(concluded(obscured).message).toBe('The responses are wrong in a way that response/status reports');
    expect(concluded(moved, obscured, agrees('filter-ignored')).verdict).toBe('holds');
  });

  test('an outcome without evidence says why', () => {
    expect(withoutEvidence('blocked', 'it is away', mutants)).toEqual({
      verdict: 'blocked',
      instances: 0,
      killed: [],
      alive: mutants,
      message: 'it is away',
      contradictions: [],
    });
  });
});

describe('contradictions', () => {
  test('one of them outweighs everything else, and the evidence is kept', () => {
    const outcome = concluded(agrees('filter-ignored'), { kind: 'data-moved', what: 'x' }, contradiction(), agrees('exclusive-upper'));
    expect(outcome).toMatchObject({ verdict: 'violated', instances: 2, message: 'it is so; it is not' });
    expect(outcome.killed).toHaveLength(2);
  });

  test.each<[string, Contradiction, Contradiction]>([
    ['one that a mutant explains', contradiction({ targets: ['/a', '/b'], ...(exclusive && { mutant: exclusive }) }), contradiction()],
    ['one of fewer requests', contradiction({ targets: ['/long/long'] }), contradiction({ targets: ['/a', '/b'] })],
    ['one of shorter requests', contradiction({ targets: ['/a'] }), contradiction({ targets: ['/abc'] })],
  ])('%s is shown rather than another', (_, better, worse) => {
    for (const findings of [
      [better, worse],
      [worse, better],
    ])
      expect(concluded(...findings).contradictions[0]?.replies).toEqual(better.replies);
  });

  test('those that the same mutant explains lend it their witnesses; others do not', () => {
    const first = contradiction({ recordKeys: ['1', '2'], ...(exclusive && { mutant: exclusive }) });
    const same = contradiction({ targets: ['/ab'], recordKeys: ['2', '3'], ...(exclusive && { mutant: exclusive }) });
    const other = contradiction({ targets: ['/abc'], recordKeys: ['9'], ...(ignored && { mutant: ignored }) });
    expect(concluded(first, same, other).contradictions[0]?.recordKeys).toEqual(['1', '2', '3']);
  });

  test('of several mutants that explain it, one that something else killed is none', () => {
    const both = contradiction({ mutants: [ignored, exclusive].flatMap((each) => each ?? []), ...(ignored && { mutant: ignored }) });
    expect(concluded(both).contradictions[0]?.mutant?.id).toBe('filter-ignored');
    expect(concluded(both, agrees('filter-ignored')).contradictions[0]?.mutant?.id).toBe('exclusive-upper');
  });

  test('a mutant that something else killed explains nothing', () => {
    const killed = contradiction({ ...(ignored && { mutant: ignored }) });
    expect(concluded(killed, agrees('filter-ignored')).contradictions[0]).not.toHaveProperty('mutant');
  });

  test('of several mutants, the one that explains the most is reported', () => {
    const [both, one] = [
      contradiction({ mutants: [ignored, exclusive].flatMap((each) => each ?? []) }),
      contradiction({ ...(exclusive && { mutant: exclusive }) }),
    ];
    expect(concluded(both, one).contradictions.map(({ mutant }) => mutant?.id)).toEqual(['exclusive-upper']);
  });

  test('what is wrong in several ways is reported in several contradictions, each once', () => {
    const [null1, null2, enum1] = ['/data/*/a type', '/data/*/a type', '/data/*/b enum'].map((about) =>
      contradiction({ stableName: about }),
    );
    const outcome = concluded(...[null1, null2, enum1].flatMap((each) => each ?? []));
    expect(outcome.contradictions.map(({ stableName: about }) => about)).toEqual(['/data/*/a type', '/data/*/b enum']);
  });
});
