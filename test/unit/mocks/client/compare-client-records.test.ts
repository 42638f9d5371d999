/** The comparison of a client's records with those of the mock: each kind of difference with its reason, and copies of correct clients. */

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../core/json.ts';
import { valueAt } from '../../../../core/pointer.ts';
import type { ClientComparison } from '../../../../core/results/client-result.ts';
import { type ClientSequence, type SequenceRequest, startSequence } from '../../../helpers/client-sequence.ts';

const orders = '/api/integrations/v1/orders/index.php';
const reservations = '/api/integrations/v1/reservations/index.php';

type Copy = Map<number, JsonObject>;

/** Reads a list into a copy, up to a number of pages. Returns the newest change as a part of a query. */
async function read(client: ClientSequence, copy: Copy, query = 'limit=100', pages = 100, request: SequenceRequest = {}): Promise<string> {
  const [path, at] = query.startsWith('/') ? [query, '/data/reservations'] : [`${orders}?${query}`, '/data/orders'];
  let cursor: string | undefined;
  let newest = '';
  for (let page = 0; page < pages && (page === 0 || cursor !== undefined); page += 1) {
    const { body } = await client.send(`${path}${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`, request);
    for (const record of valueAt(body, at) as readonly JsonObject[]) {
      copy.set(Number(record['id']), record);
      if (String(record['changed_at']) > newest) newest = String(record['changed_at']);
    }
    const next = valueAt(body, '/data/page/next_cursor');
    cursor = typeof next === 'string' ? next : undefined;
  }
  return encodeURIComponent(newest);
}

interface Case {
  /** Reads, and returns the records that the client stores. */
  readonly steps: (client: ClientSequence, copy: Copy) => Promise<unknown>;
  /** The parts of its copy that the client stores. */
  readonly store?: (copy: Copy) => readonly JsonObject[];
  readonly expected: readonly (readonly [kind: string, message: RegExp])[];
}

const readChanges = async (client: ClientSequence, copy: Copy, checkpoint: (newest: string) => string): Promise<void> => {
  const newest = await read(client, copy);
  client.clock.advance('P1D');
  await read(client, copy, `limit=100&updated_after=${checkpoint(newest)}`);
};

const cases: Readonly<Record<string, Case>> = {
  'a filtered copy whose records left the filter': {
    steps: async (client, copy) => {
      const filter = 'limit=100&status=pending,confirmed,preparing,ready';
      const newest = await read(client, copy, filter);
      client.clock.advance('P1D');
      await read(client, copy, `${filter}&updated_after=${newest}`);
    },
    expected: [['ghost', /^\d+ of the orders (is a ghost|are ghosts), which the filter of the reads no longer finds: \d+/]],
  },
  'a filtered copy that is read anew': {
    steps: async (client, copy) => {
      const filter = 'limit=100&status=pending,confirmed,preparing,ready';
      await read(client, copy, filter);
      client.clock.advance('P1D');
      copy.clear();
      await read(client, copy, filter);
    },
    expected: [],
  },
  'a complete copy': { steps: read, expected: [] },
  'a copy of some fields': {
    steps: read,
    store: (copy) => [...copy.values()].map((record) => ({ id: record['id'] ?? null, status: record['status'] ?? null, own_field: 1 })),
    expected: [],
  },
  'instants in another spelling, and days as written': {
    steps: (client, copy) => read(client, copy, `${reservations}?limit=100`),
    store: (copy) =>
      [...copy.values()].map(({ id = null, changed_at, schedule }) => ({
        id,
        changed_at: new Date(String(changed_at)).toISOString(),
        schedule: { date: valueAt(schedule, '/date') ?? null },
      })),
    expected: [],
  },
  'a copy with the changes of a day': { steps: (client, copy) => readChanges(client, copy, (newest) => newest), expected: [] },
  'a copy of filtered records': { steps: (client, copy) => read(client, copy, 'limit=100&channel=table'), expected: [] },
  'a copy of one window of changes': {
    steps: (client, copy) => read(client, copy, `limit=100&updated_after=${encodeURIComponent('2026-03-20T00:00:00Z')}`),
    expected: [],
  },
  'a copy that the clock left behind after its last read': {
    steps: async (client, copy) => {
      await read(client, copy);
      client.clock.advance('P1D');
    },
    expected: [],
  },
  'the first page alone': {
    steps: (client, copy) => read(client, copy, 'limit=100', 1),
    expected: [['missing', /^128 of the orders are missing: \d+, .+ \(on the pages that follow exchange 1, which were not read\)\.$/]],
  },
  'a read that failed on its second page': {
    steps: async (client, copy) => {
      const [first] = [await client.send(`${orders}?limit=100`)];
      for (const record of valueAt(first.body, '/data/orders') as readonly JsonObject[]) copy.set(Number(record['id']), record);
      const cursor = encodeURIComponent(String(valueAt(first.body, '/data/page/next_cursor')));
      await client.send(`${orders}?limit=100&cursor=${cursor}`, { headers: { 'mock-chaos': '503' } });
    },
    expected: [['missing', /\(on the pages that follow exchange 1, which were not read\)\.$/]],
  },
  'a dropped record': {
    steps: read,
    store: (copy) => [...copy.values()].slice(1),
    expected: [['missing', /^1 of the orders is missing: \d+ \(delivered in exchange 1 and not kept\)\.$/]],
  },
  'a checkpoint that is too late': {
    steps: (client, copy) => readChanges(client, copy, () => '2026-03-30T14:00:00Z'),
    expected: [
      ['missing', /^\d+ of the orders are missing: .+ \(changed before the checkpoint of exchange 4\)\.$/],
      ['stale', /^\d+ of the orders are stale: .+ \(changed before the checkpoint of exchange 4\)\.$/],
    ],
  },
  'an old version that was kept': {
    steps: async (client, copy) => {
      const newest = await read(client, copy);
      client.clock.advance('P1D');
      const changes: Copy = new Map();
      await read(client, changes, `limit=100&updated_after=${newest}`);
      for (const [id, record] of changes) if (!copy.has(id)) copy.set(id, record);
    },
    expected: [['stale', /^\d+ of the orders are stale: .+ \(delivered in exchange 4 and not kept\)\.$/]],
  },
  'keys alone, after a checkpoint that is too late': {
    steps: (client, copy) => readChanges(client, copy, () => '2026-03-30T14:00:00Z'),
    store: (copy) => [...copy.keys()].map((id) => ({ id })),
    expected: [
      ['missing', /are missing/],
      ['stale', /are stale/],
    ],
  },
  'an invented record': {
    steps: read,
    store: (copy) => [...copy.values(), { id: -1 }],
    expected: [['invented', /^1 of the orders does not exist: -1\.$/]],
  },
  'a record twice': {
    steps: read,
    store: (copy) => [...copy.values(), ...[...copy.values()].slice(0, 1)],
    expected: [['duplicate', /^1 of the orders is stored more than once: \d+\.$/]],
  },
  'days in another time zone': {
    steps: (client, copy) => read(client, copy, `${reservations}?limit=100`),
    store: (copy) =>
      [...copy.values()].map((record) => {
        const [date, time] = [valueAt(record, '/schedule/date'), valueAt(record, '/schedule/time')];
        const utc = new Date(`${String(date)}T${String(time)}:00+02:00`).toISOString().slice(0, 10);
        return { id: record['id'] ?? null, schedule: { date: utc } };
      }),
    expected: [
      ['wrong-day', /are on the wrong day: .+ \(schedule\.date of \d+ is "2026-\d\d-\d\d"; exchange \d has "2026-\d\d-\d\d"\)\.$/],
    ],
  },
  'a personal value that was changed': {
    steps: read,
    store: (copy) => [...copy.values()].map((record) => ({ ...record, customer: { name: 'Mario' } })),
    expected: [['altered', /\(customer\.name of \d+ is "‹personal›"; exchange \d has "‹personal›"\)\.$/]],
  },
};

describe.each(Object.entries(cases))('%s', (_, { steps, store = (copy) => [...copy.values()], expected }) => {
  it(expected.length === 0 ? 'is equal' : 'differs, with the reason, and is a finding', async () => {
    const client = await startSequence();
    const copy: Copy = new Map();
    await steps(client, copy);
    const { verdict, differences } = client.judge.compare({ records: store(copy) });
    expect(differences.map(({ kind, message }) => [kind, message])).toEqual(
      expected.map(([kind, message]) => [kind, expect.stringMatching(message)]),
    );
    expect(verdict).toBe(expected.length === 0 ? 'equal' : 'different');
    const broken = client.broken();
    for (const { rule } of differences) expect(broken).toContain(rule);
    expect(client.report().exercised).toContain('client/records-complete');
  });
});

describe('a comparison', () => {
  it('counts what the client has and what it should have, and follows its published schema', async () => {
    const schema = JSON.parse(readFileSync(new URL('../../../../specs/client-comparison.schema.json', import.meta.url), 'utf8')) as object;
    const validate = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);
    const client = await startSequence();
    const copy: Copy = new Map();
    await read(client, copy);
    const check = (records: readonly JsonObject[]): ClientComparison => {
      const comparison = client.judge.compare({ collection: 'orders', role: 'full', records });
      validate(JSON.parse(JSON.stringify(comparison)));
      expect(validate.errors).toBeNull();
      return comparison;
    };
    expect(check([...copy.values()])).toMatchObject({ stored: 228, expected: 228, correct: 228, verdict: 'equal' });
    expect(check([...copy.values()].slice(5))).toMatchObject({ stored: 223, expected: 228, correct: 223, verdict: 'different' });
  });

  it('replaces the findings of the one before', async () => {
    const client = await startSequence();
    const copy: Copy = new Map();
    await read(client, copy);
    client.judge.compare({ records: [] });
    expect(client.broken()).toEqual(['client/records-complete']);
    client.judge.compare({ records: [...copy.values()] });
    expect(client.broken()).toEqual([]);
  });

  it('works for numbered pages', async () => {
    const client = await startSequence({ contract: 'test/fixtures/parcels.openapi.yaml' });
    const records: JsonObject[] = [];
    for (let page = 1; page <= 4; page += 1) {
      const { body, status } = await client.send(`/v2/parcels?access_key=${client.api.keys.byRole.get('full')}&per_page=2&page=${page}`);
      if (status === 200) records.push(...(valueAt(body, '/parcels') as readonly JsonObject[]));
    }
    expect(client.judge.compare({ records })).toMatchObject({ verdict: 'equal', stored: records.length });
    const { differences } = client.judge.compare({ records: records.slice(1) });
    expect(differences).toMatchObject([{ kind: 'missing', count: 1, exchanges: [1] }]);
    expect(records.length).toBeGreaterThan(2);
  });

  it.each([
    [{ collection: 'order', records: [] }, /no collection order; did you mean orders\?/],
    [{ records: [] }, /collection is missing; the collections are orders, reservations/],
    [{ collection: 'orders', role: 'stranger', records: [] }, /the key role stranger has no orders/],
  ])('refuses %j', async (records, message) => {
    const client = await startSequence();
    expect(() => client.judge.compare(records)).toThrow(message);
  });
});
