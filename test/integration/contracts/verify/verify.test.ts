/** `verify` as a whole, over HTTP: what is judged, what is reported, when it stops, and what it concludes. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rules } from '../../../../contracts/verify/rules/rule-catalogue.ts';
import type { VerifyOptions } from '../../../../contracts/verify/run-options.ts';
import { type Verification, verify } from '../../../../contracts/verify/verify.ts';
import { loadContract } from '../../../../core/openapi/contract.ts';
import type { RunEvent } from '../../../../core/results/run-result.ts';
import { type RunningMock, startMock } from '../../../../mocks/start-mock.ts';
import { contractOf, fakeClock, namedKeys } from '../../../helpers/engine.ts';
import { closedPort, serve } from '../servers.ts';

vi.setConfig({ testTimeout: 30_000 });

const business = await contractOf('business');
const wiki = await contractOf('wiki');

let mock: RunningMock;
let asked = 0;
beforeAll(async () => {
  mock = await startMock({
    onExchange: () => {
      asked += 1;
    },
  });
});
afterAll(() => mock.close());

function start(options: Partial<VerifyOptions> = {}): Verification {
  const keys = options.contract === wiki ? {} : namedKeys(mock.keys);
  return verify({ contract: business, target: mock.url, keys, ...options });
}

async function eventsOf(run: Verification): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

const judged = async (options: Partial<VerifyOptions>): Promise<readonly string[]> => {
  const { checks: results } = await start(options).result;
  return results.map(({ rule: id, operation }) => `${id} ${operation}`);
};

describe('what is judged', () => {
  test('only what matches a pattern, of rules or of operations', async () => {
    expect(await judged({ only: ['keys/missing'] })).toHaveLength(7);
    expect(await judged({ only: ['*/missing'], skip: ['get*'] })).toEqual(['keys/missing listOrders', 'keys/missing listReservations']);
    expect(
      new Set((await judged({ only: ['getIdentity'], skip: ['response/*', 'availability/*'] })).map((each) => each.split(' ')[1])),
    ).toEqual(new Set(['getIdentity']));
  });

  test('what is left out wins over what is chosen', async () => {
    expect(await judged({ only: ['keys/missing', 'keys/unknown'], skip: ['keys/u*', 'list*', 'getMenu*', 'get*er*'] })).toEqual([
      'keys/missing getIdentity',
    ]);
  });

  test.each([
    ['keys/mising', 'keys/mising matches no rule and no operation of business; did you mean keys/missing?'],
    ['listOrder', 'listOrder matches no rule and no operation of business; did you mean listOrders?'],
    ['zzzzzzzzzz*', 'zzzzzzzzzz* matches no rule and no operation of business; rules are named GROUP/NAME, and * matches anything'],
    ['keys.missing', 'matches no rule'],
    ['pages/echo', 'pages/echo matches no rule and no operation of business'],
  ])('a pattern that matches nothing is refused: %s', async (pattern, message) => {
    const before = asked;
    await expect(start({ only: [pattern] }).result).rejects.toThrow(message);
    await expect(start({ skip: [pattern] }).result).rejects.toMatchObject({ name: 'UsageError' });
    expect(asked).toBe(before);
  });

  test('every rule of the catalogue is about some operation of the shipped contracts, except those on plain operations and writeOnly', async () => {
    const isAbout = (rule: (typeof rules)[number]): boolean =>
      [business, wiki].some((contract) => contract.operations.some((each) => rule.clause(each, contract) !== undefined));
    expect(rules.filter((rule) => !isAbout(rule)).map(({ id }) => id)).toEqual([
      'requests/parameters',
      'requests/identifier',
      'response/write-only',
    ]);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });
});

describe('events', () => {
  test('come in the order of the run, and the result with the last of them', async () => {
    const run = start({ only: ['keys/missing'], skip: ['get*'] });
    const events = await eventsOf(run);
    const result = await run.result;
    expect(events[0]).toEqual({ kind: 'started', target: mock.url, budget: 600, checks: 2 });
    expect(events.at(-1)).toEqual({ kind: 'finished', result });
    const numbers = events.flatMap((event) => (event.kind === 'request' ? [event.number] : []));
    expect(numbers).toEqual(Array.from({ length: result.requests }, (_, index) => index + 1));
    expect(events.flatMap((event) => (event.kind === 'check' ? [event.result] : []))).toEqual(result.checks);
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.lastIndexOf('request')).toBeLessThan(kinds.lastIndexOf('finished'));
  });

  test('are kept for whoever reads them late, and nobody needs to', async () => {
    const run = start({ only: ['keys/missing'], skip: ['get*'] });
    const result = await run.result;
    expect((await eventsOf(run)).at(-1)).toEqual({ kind: 'finished', result });
    expect((await start({ only: ['keys/missing'], skip: ['get*'] }).result).verdict).toBe('holds');
  });

  test('end when the run cannot begin, and whoever only reads them is not brought down', async () => {
    const run = start({ only: ['no/such-rule'] });
    expect(await eventsOf(run)).toEqual([]);
    await expect(run.result).rejects.toThrow('no/such-rule');
  });
});

describe('a budget', () => {
  test.each([
    [business, 0],
    [business, 1],
    [business, 5],
    [business, 30],
    [wiki, 1],
    [wiki, 5],
    [wiki, 30],
  ])('%# of at most so many requests is kept, and there is a result', async (contract, budget) => {
    const before = asked;
    // Hidden keys and other tenants do not matter here; without them, fewer rules run.
    const result = await start({
      contract,
      budget,
      skip: ['details/*', 'conditional/*'].filter((each) => contract === business || each.startsWith('details')),
    }).result;
    expect(asked - before).toBe(result.requests);
    expect(result.requests).toBeLessThanOrEqual(budget);
    expect(result.budget).toBe(budget);
    expect(result.checks.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    if (budget === 0)
      expect([result.exitCode, result.checks.every(({ verdict }) => verdict === 'not-exercised' || verdict === 'not-testable')]).toEqual([
        4,
        true,
      ]);
  });

  test('is kept of a target that refuses, throttles and fails', async () => {
    for (const status of [401, 404, 429, 500, 503]) {
      let requests = 0;
      const { url } = await serve((_, response) => {
        requests += 1;
        response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end('{"ok":false}');
      });
      const result = await start({ target: url, budget: 3, clock: fakeClock() }).result;
      expect([requests <= 3, result.requests]).toEqual([true, requests]);
    }
  });
});

describe('conclusions', () => {
  test('0 when something held and nothing was found', async () => {
    expect(await start({ only: ['keys/missing'] }).result).toMatchObject({
      verdict: 'holds',
      exitCode: 0,
      seed: 1,
      contract: { name: 'business' },
    });
  });

  test('1 when something was found', async () => {
    await using faulty = await startMock({ contracts: ['business'], mutants: ['missing-key-accepted:listOrders'] });
    const result = await start({ target: faulty.url, keys: namedKeys(faulty.keys), only: ['keys/*'], skip: ['get*'] }).result;
    expect(result).toMatchObject({ exitCode: 1, verdict: 'violated' });
  });

  test('3 when the target cannot be judged, with one paragraph', async () => {
    const gone = await start({ target: `http://127.0.0.1:${await closedPort()}` }).result;
    expect(gone).toMatchObject({
      verdict: 'blocked',
      exitCode: 3,
      checks: [],
      requests: 1,
      unavailable: expect.stringContaining('Nothing was checked'),
    });
    const refusing = await start({ keys: namedKeys({ full: 'not-a-key-of-this-mock' }) }).result;
    expect(refusing.exitCode).toBe(3);
    expect(refusing.unavailable).toContain('The target rejects the key (401');
  });

  test('3 when a stated rule is blocked', async () => {
    const { url } = await serve((request, response) => {
      const isList = request.url?.includes('index.php') === true;
      response.writeHead(isList ? 503 : 200, { 'content-type': 'application/json' }).end('{"ok":true}');
    });
    const result = await start({ target: url, only: ['keys/missing'], skip: ['get*'], clock: fakeClock() }).result;
    expect([result.exitCode, result.checks.map(({ verdict }) => verdict)]).toEqual([3, ['blocked', 'blocked']]);
  });

  test('4 when nothing could be shown', async () => {
    expect(await start({ only: ['keys/expired'], keys: namedKeys({ full: mock.keys['full'] ?? '' }) }).result).toMatchObject({
      verdict: 'not-exercised',
      exitCode: 4,
    });
  });

  test('130 when it was interrupted, at once or in the middle; what was judged is reported', async () => {
    const before = asked;
    const result = await start({ interrupted: Promise.resolve() }).result;
    expect([result.exitCode, asked - before <= 1, result.requests <= 1]).toEqual([130, true, true]);
    let stop = (): void => undefined;
    const interrupted = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const run = start({ interrupted, only: ['keys/*'] });
    for await (const event of run) if (event.kind === 'request' && event.number === 12) stop();
    const part = await run.result;
    expect([part.exitCode, part.verdict, part.requests < 16, part.checks.some(({ verdict }) => verdict === 'holds')]).toEqual([
      130,
      'inconclusive',
      true,
      true,
    ]);
  });

  test('the same seed asks the same of the same data', async () => {
    const targets = async (): Promise<readonly string[]> => {
      const events = await eventsOf(start({ seed: 7, only: ['filters/*'], skip: ['listReservations'] }));
      const sent = events.flatMap((event) => (event.kind === 'request' && !event.target.includes('cursor=') ? [event.target] : []));
      // Some requests are sent side by side, so the order differs with the speed of the responses.
      return sent.toSorted();
    };
    expect(await targets()).toEqual(await targets());
  }, 90_000);

  test('a target that is no address is a mistake of the user', async () => {
    await expect(start({ target: 'ftp://somewhere' }).result).rejects.toMatchObject({ name: 'UsageError' });
  });
});

test('a file of another author raises nothing at its own mock: a token is no key, and an error without content may have a body', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
  const file = path.join(folder, 'api.json');
  const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
  const failure = { type: 'object', properties: { errors: { type: 'object' } }, required: ['errors'] };
  const flows = { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: {} } };
  const document = {
    openapi: '3.0.3',
    info: { title: 'things', version: '1.0.0' },
    security: [{ key: [] }, { token: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'Authorization' }, token: { type: 'oauth2', flows } } },
    paths: {
      '/things': {
        get: {
          responses: {
            200: { description: 'ok', ...json({ type: 'object' }) },
            401: { description: 'no key' },
            422: { description: 'wrong', ...json(failure) },
          },
        },
      },
    },
  };
  await writeFile(file, JSON.stringify(document));
  const own = await startMock({ contracts: [file], fixedKeys: true });
  try {
    const { checks } = await verify({ contract: await loadContract(file), target: own.url, keys: namedKeys(own.keys) }).result;
    expect(checks.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  } finally {
    await own.close();
    await rm(folder, { recursive: true });
  }
});
