/** Runs: nothing is reported that was seen only once, and everything that keeps a rule from being judged is stated. */

import { describe, expect, test } from 'vitest';
import type { Check } from '../../../../contracts/verify/choose-checks.ts';
import type { Reply } from '../../../../contracts/verify/evidence/call.ts';
import { RoundContext } from '../../../../contracts/verify/evidence/round-context.ts';
import { playRound, suspectsOf } from '../../../../contracts/verify/play-round.ts';
import { playRun, type RunSettings } from '../../../../contracts/verify/play-run.ts';
import { agrees, type Candidate, type Contradiction, type Judgement, type Rule } from '../../../../contracts/verify/rules/rule.ts';
import type { CheckResult, RunEvent } from '../../../../core/results/run-result.ts';
import {
  type Answer,
  contractOf,
  type Failure,
  type FakeTarget,
  fakeTarget,
  listIn,
  openSession,
  operationIn,
} from '../../../helpers/engine.ts';
import { pageBody } from '../../../helpers/lazy-list.ts';

const business = await contractOf('business');
const menu = operationIn(business, 'getMenu');
const manifest = operationIn(business, 'getMenuManifest');
const orders = listIn(business, 'listOrders');

const mutant: Candidate = { id: 'tag-missing', title: 'everything were wrong', missing: 'anything at all' };

function contradiction(reply: Reply, changes: Partial<Contradiction> = {}): Contradiction {
  return { kind: 'contradicts', replies: [reply], expected: 'it is so', actual: 'it is not', recordKeys: [], mutant, ...changes };
}

/** A rule that sends one request, and judges its answer by a function. */
function checkOf(judge: (reply: Reply) => readonly Judgement[], changes: Partial<Rule> = {}): Rule {
  return {
    id: 'details/absent',
    title: 'It is so',
    why: 'Because.',
    strength: 'stated',
    clause: (operation) => operation.place,
    examine: async (context, operation) => {
      const reply = await context.ask({ operation });
      return { mutants: [mutant], judge: () => judge(reply) };
    },
    ...changes,
  };
}

/** A rule that is contradicted by these witnesses, one list for each look; `undefined` is agreement. */
function ruleSeeing(...looks: readonly (readonly string[] | undefined)[]): Rule {
  let look = 0;
  return checkOf((reply) => {
    const witnesses = looks[Math.min(look, looks.length - 1)];
    look += 1;
    return witnesses === undefined ? [agrees('tag-missing')] : [contradiction(reply, { recordKeys: witnesses })];
  });
}

interface Played {
  readonly results: readonly CheckResult[];
  readonly target: FakeTarget;
  readonly events: readonly RunEvent[];
}

async function play(
  subjects: readonly Check[],
  answer: (path: string, number: number) => Answer | Failure = () => ({ body: {} }),
  changes: { readonly budget?: number; readonly quick?: boolean; readonly reserve?: number } = {},
): Promise<Played> {
  const target = fakeTarget((request, number) => answer(request.target, number));
  const { session, events } = openSession(target, { budget: changes.budget ?? 100 });
  session.reserve(changes.reserve ?? 0);
  const settings: RunSettings = {
    contract: business,
    session,
    hidden: [],
    quick: changes.quick ?? false,
    seed: 1,
    emit: (event) => events.push(event),
    printing: {
      clean: (text) => text.replaceAll('secret-of-full', '$KEY_FULL'),
      mask: (exchange) => exchange,
      maskRecord: (_, each) => each,
      url: target.url,
      secrets: [{ name: 'KEY_FULL', value: 'secret-of-full' }],
      headers: {},
      contractText: () => undefined,
    },
  };
  const results = await playRun(settings, new RoundContext(settings), subjects);
  return { results, target, events };
}

async function verdictOf(rule: Rule): Promise<CheckResult | undefined> {
  return (await play([{ rule, operation: menu }])).results[0];
}

describe('confirmation', () => {
  test('a rule that holds is looked at once', async () => {
    const { results, target } = await play([{ rule: ruleSeeing(undefined), operation: menu }]);
    expect([results[0]?.verdict, target.requests.length]).toEqual(['holds', 1]);
    expect(results[0]).not.toHaveProperty('counterexample');
  });

  test('what is contradicted twice in the same way is violated, with what was seen the second time', async () => {
    const { results, target } = await play([{ rule: ruleSeeing([]), operation: menu }]);
    expect(results[0]).toMatchObject({
      verdict: 'violated',
      diagnosis: 'The server behaves as if everything were wrong',
      message: 'it is so; it is not',
    });
    expect(results[0]?.counterexample).toMatchObject({
      expected: 'it is so',
      actual: 'it is not',
      curl: [expect.stringContaining('"x-service-api-key: $KEY_FULL"')],
    });
    expect(target.requests).toHaveLength(2);
  });

  test('a wrong status that is right when repeated is flaky, since no change of the data explains it', async () => {
    const rule = { ...ruleSeeing([], undefined), id: 'response/status' } as const;
    const { results } = await play([{ rule, operation: menu }]);
    expect(results[0]).toMatchObject({
      verdict: 'violated',
      flaky: { responses: 1, of: 2 },
      message: '1 of 2 responses, and not when repeated: it is so; it is not',
    });
  });

  test('what is contradicted once and then holds is inconclusive', async () => {
    expect(await verdictOf(ruleSeeing([], undefined))).toMatchObject({
      verdict: 'inconclusive',
      message: 'Seen once, but not again: it is so; it is not',
    });
  });

  test.each<[string, readonly (readonly string[] | undefined)[], CheckResult['verdict']]>([
    [
      'of two looks with a witness in common',
      [
        ['1', '2'],
        ['2', '3'],
      ],
      'violated',
    ],
    ['of three looks, the first and the last with one in common', [['1'], ['2'], ['1']], 'violated'],
    ['of four looks, the last two with one in common', [['1'], ['2'], ['3'], ['3', '4']], 'violated'],
    ['whose witnesses are always others', [['1'], ['2'], ['3'], ['4']], 'inconclusive'],
    ['that rests on a record once and on the request alone then', [['1'], [], ['2'], []], 'violated'],
    ['once on a record, and never on it again', [['1'], [], ['2'], ['3']], 'inconclusive'],
  ])('a contradiction %s', async (_, looks, verdict) => expect((await verdictOf(ruleSeeing(...looks)))?.verdict).toBe(verdict));

  test('data that move each time leave it inconclusive after three further looks', async () => {
    let looks = 0;
    const rule = checkOf((reply) => {
      looks += 1;
      return looks === 1 ? [contradiction(reply, { recordKeys: ['1'] })] : [{ kind: 'data-moved', what: 'everything' }];
    });
    const { results, target } = await play([{ rule, operation: menu }]);
    expect(results[0]).toMatchObject({
      verdict: 'inconclusive',
      message: 'Seen once, but not confirmed (the data changed): it is so; it is not',
    });
    expect(target.requests).toHaveLength(4);
  });

  test('is asked of the server anew: no answer of an earlier look counts', async () => {
    const rule = checkOf((reply) => (reply.response.status === 200 ? [agrees('tag-missing')] : [contradiction(reply)]));
    const { results } = await play([{ rule, operation: menu }], (_, number) => ({ status: number === 1 ? 500 : 200, body: {} }));
    expect(results[0]?.verdict).toBe('inconclusive');
  });

  test('plays only what was contradicted, and the requests that showed it', async () => {
    const silent: Rule = checkOf(() => [], {
      id: 'response/schema',
      examine: async (context, operation) => ({
        mutants: [mutant],
        judge: () => context.replies.filter((reply) => reply.call.operation.id === operation.id).map((reply) => contradiction(reply)),
      }),
    });
    const { results, target } = await play([
      { rule: ruleSeeing(undefined), operation: menu },
      { rule: ruleSeeing(undefined), operation: manifest },
      { rule: silent, operation: menu },
    ]);
    expect(results.map(({ verdict }) => verdict)).toEqual(['holds', 'holds', 'violated']);
    expect(target.requests.map((request) => request.target)).toEqual([menu.path, manifest.path, menu.path]);
  });
});

describe('what keeps a rule from being judged', () => {
  test('the target, between two looks', async () => {
    const { results } = await play([{ rule: ruleSeeing([]), operation: menu }], (_, number) =>
      number === 1 ? { body: {} } : { status: 503 },
    );
    expect(results[0]).toMatchObject({
      verdict: 'blocked',
      message: 'Seen once, but not confirmed (getMenu is not available (503)): it is so; it is not',
    });
  });

  test('the budget, between two looks', async () => {
    const { results, target } = await play([{ rule: ruleSeeing([]), operation: menu }], undefined, { budget: 1 });
    expect(results[0]).toMatchObject({
      verdict: 'inconclusive',
      message: expect.stringMatching(/^Seen once, but not confirmed \(the budget of 1 /),
    });
    expect(target.requests).toHaveLength(1);
  });

  test('the reserve: it is kept for confirming, and nothing else may use it', async () => {
    const subjects = [
      { rule: ruleSeeing([]), operation: menu },
      { rule: ruleSeeing(undefined), operation: manifest },
    ];
    const { results, target } = await play(subjects, undefined, { budget: 2, reserve: 1 });
    expect(results.map(({ verdict }) => verdict)).toEqual(['violated', 'not-exercised']);
    expect(target.requests).toHaveLength(2);
  });

  test('one operation that is not available does not keep others from being judged', async () => {
    const subjects = [menu, manifest].map((operation) => ({ rule: ruleSeeing(undefined), operation }));
    const { results } = await play(subjects, (path) => (path === menu.path ? { status: 503 } : { body: {} }));
    expect(results.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['blocked', 'getMenu is not available (503)'],
      ['holds', ''],
    ]);
  });

  test('a target that is gone blocks all that comes after', async () => {
    const subjects = [menu, manifest].map((operation) => ({ rule: ruleSeeing(undefined), operation }));
    const { results, target } = await play(subjects, () => ({ cause: 'unreachable', message: 'nothing listens' }));
    expect(results.map(({ verdict }) => verdict)).toEqual(['blocked', 'blocked']);
    expect(target.requests).toHaveLength(1);
  });

  test('a key that is lacking, and a quick run', async () => {
    const untestable = checkOf(() => [], { examine: async () => ({ untestable: 'a key of another tenant: --key other=VARIABLE' }) });
    expect(await verdictOf(untestable)).toMatchObject({
      verdict: 'not-testable',
      message: 'a key of another tenant: --key other=VARIABLE',
    });
    const slow = checkOf(() => [agrees('tag-missing')], { slow: true });
    const { results, target } = await play([{ rule: slow, operation: menu }], undefined, { quick: true });
    expect([results[0]?.verdict, results[0]?.message, target.requests]).toEqual(['not-exercised', 'Quick runs skip this check', []]);
  });

  test.each<[string, Rule]>([
    ['when it asks', checkOf(() => [], { examine: () => Promise.reject(new TypeError('a mistake of ours')) })],
    [
      'when it judges',
      checkOf(() => {
        throw new TypeError('a mistake of ours');
      }),
    ],
    [
      'when its evidence is collected',
      checkOf((reply) => {
        const call = { ...reply.call };
        Object.defineProperty(call, 'values', {
          get: () => {
            throw new TypeError('a mistake of ours');
          },
        });
        return [contradiction({ ...reply, call })];
      }),
    ],
    [
      'when it is printed',
      checkOf((reply) => [contradiction(reply)], {
        clause: () => {
          throw new TypeError('a mistake of ours');
        },
      }),
    ],
  ])('a mistake of ours %s, which ends this check alone', async (_, broken) => {
    const { results, events } = await play([
      { rule: broken, operation: menu },
      { rule: ruleSeeing(undefined), operation: manifest },
    ]);
    expect(results.map(({ verdict }) => verdict)).toEqual(['blocked', 'holds']);
    expect(results[0]).toMatchObject({
      failed: true,
      message: 'Internal error: this check was not completed (a mistake of ours). Run it again with --debug and report the output',
    });
    expect(results[1]).not.toHaveProperty('failed');
    expect(events.flatMap((event) => (event.kind === 'failed' ? [event.error.message] : []))).toEqual(['a mistake of ours']);
  });
});

describe('rounds', () => {
  test('tell how far they are, and each rule once it is settled', async () => {
    const { events } = await play([
      { rule: ruleSeeing([]), operation: menu },
      { rule: ruleSeeing(undefined), operation: manifest },
    ]);
    const told = events.flatMap((event) =>
      event.kind === 'phase' ? [`${event.title} ${event.done}/${event.of}`] : event.kind === 'check' ? [event.result.verdict] : [],
    );
    expect(told).toEqual(['checking 0/2', 'checking 1/2', 'checking 2/2', 'confirming 0/1', 'confirming 1/1', 'violated', 'holds']);
  });

  test('judge only after the lists were read a last time', async () => {
    const rule = checkOf(() => [], {
      examine: async (context, operation) => {
        const snapshot = await context.snapshot(listIn(business, operation.id));
        return { mutants: [mutant], judge: () => (snapshot.finalPagination === undefined ? [] : [agrees('tag-missing')]) };
      },
    });
    const page = { body: pageBody(orders, { records: [{ id: 1 }], more: false }) };
    const { results, target } = await play([{ rule, operation: orders }], () => page);
    expect([results[0]?.verdict, target.requests.length]).toEqual(['holds', 2]);
  });

  test.each([
    [['status'], { status: ['ready'] }],
    [undefined, undefined],
    [['status', 'channel'], undefined],
  ])('try a pagination again with the filters that the mistake needs (%j), as far as the budget allows', async (needs, values) => {
    const { session } = openSession(fakeTarget(() => ({ body: pageBody(orders, { records: [], more: false }) })));
    const settings = { contract: business, session, hidden: [], quick: false, seed: 1 };
    const first = await new RoundContext(settings).ask({ operation: menu });
    const paginationPlan = { operation: orders, values: { status: ['ready'], channel: ['table'] }, limit: 2, maxPages: 3 };
    const contradictions = [contradiction(first, { paginationPlan, ...(needs === undefined ? {} : { neededFilters: needs }) })];
    const suspects = suspectsOf({ verdict: 'violated', instances: 0, killed: [], alive: [], message: '', contradictions }, settings);
    const simpler = values === undefined ? [] : [{ paginationPlan: { ...paginationPlan, values }, isSimpler: true }];
    expect(suspects).toEqual([{ paginationPlan }, ...simpler]);
    const again = async (): Promise<number> => {
      const before = session.requests;
      const tasks = [{ rule: ruleSeeing(undefined), operation: menu, suspects }];
      await playRound(settings, new RoundContext(settings), tasks, 'again', () => undefined);
      return session.requests - before;
    };
    expect(await again()).toBe(2 + simpler.length);
    session.reserve(session.requestsLeft - 50);
    expect(await again()).toBe(2);
  });

  test('suspect each request of a contradiction, one again that it compares with itself, or the pagination that it is about', async () => {
    const { session } = openSession(fakeTarget(() => ({ body: pageBody(orders, { records: [], more: false }) })));
    const settings = { contract: business, session, hidden: [], quick: false, seed: 1 };
    const context = new RoundContext(settings);
    const [first, same, other] = [
      await context.ask({ operation: menu }),
      await context.askAgain({ operation: menu }),
      await context.ask({ operation: manifest }),
    ];
    const outcome = (changes: Partial<Contradiction>) => ({
      verdict: 'violated' as const,
      instances: 0,
      killed: [],
      alive: [],
      message: '',
      contradictions: [contradiction(first, changes)],
    });
    expect(suspectsOf(outcome({ replies: [first, same, other] }), settings)).toEqual([
      { call: first.call },
      { call: other.call },
      { call: first.call, isAgain: true },
    ]);
    const paginationPlan = { operation: orders, values: {}, limit: 2, maxPages: 3 };
    expect(suspectsOf(outcome({ paginationPlan }), settings)).toEqual([{ paginationPlan }]);
    const tasks = [{ rule: ruleSeeing(undefined), operation: menu, suspects: [{ call: other.call }, { paginationPlan }] }];
    const before = session.requests;
    await playRound(settings, new RoundContext(settings), tasks, 'again', () => undefined);
    expect(session.requests - before).toBe(3);
  });
});
