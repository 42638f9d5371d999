/** A client that keeps a copy ends up with the right one, however the clock moves between its requests. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/json.ts';
import { type Contract, resolveContract } from '../../../core/openapi/contract.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { createClock, type MockClock } from '../../../mocks/clock.ts';
import { createBusinessDatasets } from '../../../mocks/data/business/business-dataset.ts';
import { createCursorCodec } from '../../../mocks/handler/cursor.ts';
import { createMock, type Mock } from '../../../mocks/handler/mock.ts';
import { preparedToHttpResponse } from '../../../mocks/handler/prepare-response.ts';
import type { ServedApi } from '../../../mocks/handler/served-api.ts';
import { createKeys } from '../../../mocks/key-ring.ts';
import { openContract } from '../../helpers/exchange-judge.ts';

const written = await openContract(contractFile('business'));
const start = Date.UTC(2026, 2, 10, 9);

const lists = [
  ['orders', 'descending', resolveContract(written)],
  ['reservations', 'descending', resolveContract(written)],
  ['reservations', 'ascending', resolveContract(written, { 'reservations-direction': 'ascending' })],
] as const;

/** Seconds before each request: mostly few, sometimes days. */
const steps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 7200 }), fc.integer({ min: 1, max: 200_000 })), {
  minLength: 5,
  maxLength: 40,
});

describe.each(lists)('a copy of the %s, %s', (name, _, contract) => {
  it('is the same as a full read, after pages that were walked while time went on and a read of what changed since', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), steps, fc.integer({ min: 7, max: 100 }), async (seed, waits, limit) => {
        const client = createClient(contract, seed, name, waits);
        const first = await client.walk({ limit });
        const copy = new Map(first.map((record) => [record['id'], record]));
        let checkpoint = latest(first);
        for (let round = 0; round < 3; round += 1) {
          const changed = await client.walk({ limit, updated_after: checkpoint });
          for (const record of changed) copy.set(record['id'], record);
          checkpoint = latest([...copy.values()]);
        }
        client.stop();
        for (const record of await client.walk({ limit: 100, updated_after: checkpoint })) copy.set(record['id'], record);
        const all = await client.walk({ limit: 100 });
        expect(sortById([...copy.values()])).toEqual(sortById(all));
      }),
      { seed: 3, numRuns: 4 },
    );
  });

  it('meets no record twice in a walk, but for those that changed on the way', async () => {
    const client = createClient(contract, 2, name, [600, 3600, 60, 86_400]);
    const met = await client.walk({ limit: 9 });
    const twice = met.filter((record, index) => met.findIndex((other) => other['id'] === record['id']) !== index);
    for (const record of twice) expect(Date.parse(String(record['changed_at']))).toBeGreaterThan(start);
  });
});

interface Client {
  /** All records, page by page. */
  readonly walk: (query: Readonly<Record<string, string | number>>) => Promise<readonly JsonObject[]>;
  /** From now on the clock stands still. */
  readonly stop: () => void;
}

/** A client whose clock goes on before each request, by these numbers of seconds one after another. */
function createClient(contract: Contract, seed: number, name: string, waits: readonly number[]): Client {
  const clock = createClock({ from: start, pace: 0 }, start, () => 0);
  const { mock, key } = serve(contract, seed, clock);
  let asked = 0;
  let goesOn = true;
  const read = async (query: URLSearchParams): Promise<JsonObject> => {
    if (goesOn) clock.advance((waits[asked % waits.length] ?? 0) * 1000);
    asked += 1;
    const target = `/api/integrations/v1/${name}/index.php?${query}`;
    const { status, body } = preparedToHttpResponse(
      await mock.respond(mock.receive({ method: 'GET', target, headers: { authorization: `Bearer ${key}` } })),
    );
    expect(status, body).toBe(200);
    return JSON.parse(body).data;
  };
  return {
    stop: () => {
      goesOn = false;
    },
    walk: async (query) => {
      const found: JsonObject[] = [];
      const asking = new URLSearchParams();
      for (const [field, value] of Object.entries(query)) asking.set(field, String(value));
      for (;;) {
        const data = await read(asking);
        found.push(...(data[name] as readonly JsonObject[]));
        const { has_more: more, next_cursor: next } = data['page'] as JsonObject;
        if (more !== true) return found;
        asking.set('cursor', String(next));
      }
    },
  };
}

function serve(contract: Contract, seed: number, clock: MockClock): { readonly mock: Mock; readonly key: string } {
  const dataset = createBusinessDatasets({ seed });
  const keys = createKeys(contract, dataset, seed);
  const api: ServedApi = {
    contract,
    dataset,
    clock,
    keys,
    cursors: createCursorCodec(seed, contract.title),
    envelopeMembers: new Map(),
    nextRequestId: () => 'request',
  };
  const mock = createMock([{ api }], (error) => {
    throw error;
  });
  return { mock, key: keys.byRole.get('full') ?? '' };
}

function latest(records: readonly JsonObject[]): string {
  const moments = records.map((record) => String(record['changed_at']));
  return moments.toSorted((left, right) => Date.parse(left) - Date.parse(right)).at(-1) ?? new Date(0).toISOString();
}

function sortById(records: readonly JsonObject[]): readonly JsonObject[] {
  return records.toSorted((left, right) => Number(left['id']) - Number(right['id']));
}
