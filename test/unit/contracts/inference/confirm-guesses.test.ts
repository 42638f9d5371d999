/** Guesses about an API that a server confirms, refutes or does not decide. */

import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { type ConfirmedInference, confirmGuesses } from '../../../../contracts/inference/confirm-guesses.ts';
import type { Guess } from '../../../../core/inference/guess.ts';
import { inferContract } from '../../../../core/inference/infer-contract.ts';
import type { Json, JsonObject } from '../../../../core/json.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { loadText } from '../../../helpers/contracts/contract-text.ts';
import { fakeTarget } from '../../../helpers/engine.ts';

let contract: Contract;

beforeAll(async () => {
  contract = await loadText(readFileSync(new URL('../../../helpers/contracts/garden.openapi.yaml', import.meta.url), 'utf8'));
});

const soils = ['sand', 'clay', 'loam'];
const beds = Array.from({ length: 7 }, (_, index) => ({ id: index + 1, name: `Bed ${index + 1}`, soil: soils[index % 3] ?? '' }));

/** What a server does with a request of the list of beds. */
interface Habits {
  readonly ignoresLimit?: boolean;
  readonly ignoresCursor?: boolean;
  readonly ignoresSoil?: boolean;
  readonly items?: string;
  readonly keys?: (index: number) => Json;
}

function pageOf(query: URLSearchParams, habits: Habits): JsonObject {
  const soil = habits.ignoresSoil === true ? null : query.get('soil');
  const chosen = beds.filter((bed) => soil === null || bed.soil === soil);
  const start = habits.ignoresCursor === true ? 0 : Number(query.get('cursor') ?? 0);
  const limit = habits.ignoresLimit === true ? 5 : Number(query.get('limit') ?? 5);
  const shown = chosen.slice(start, start + limit);
  const records = habits.keys === undefined ? shown : shown.map((bed, index) => ({ ...bed, id: habits.keys?.(index) ?? null }));
  const next = start + limit < chosen.length ? String(start + limit) : null;
  return { [habits.items ?? 'data']: records, next_cursor: next, total: chosen.length };
}

async function ask(habits: Habits = {}): Promise<ConfirmedInference> {
  const target = fakeTarget((request) => {
    const { pathname, searchParams } = new URL(request.target, 'http://target.example');
    if (pathname === '/beds') return { body: pageOf(searchParams, habits) };
    const bed = beds.find(({ id }) => pathname === `/beds/${id}`);
    return bed === undefined ? { status: 404, body: { code: 'missing', message: 'There is none.' } } : { body: bed };
  });
  return confirmGuesses(contract, inferContract(contract), { target: 'http://target.example', connect: () => target });
}

function ofBeds({ inference }: ConfirmedInference): Readonly<Record<string, readonly [number, string] | undefined>> {
  const [collection] = inference.collections.filter(({ name }) => name === 'beds');
  const [list] = collection?.lists ?? [];
  const entry = (guess: Guess<unknown> | undefined): readonly [number, string] | undefined =>
    guess === undefined ? undefined : [guess.confidence, guess.reason.by];
  return {
    items: entry(list?.items),
    key: entry(collection?.key),
    page: entry(list?.paging),
    soil: entry(list?.filters.get('soil')),
    detail: entry(collection?.details[0]?.at),
  };
}

const yes = [1, 'response'];
const no = [0, 'contradicting-response'];

it('are confirmed by a server that does as guessed', async () => {
  const result = await ask();
  expect(ofBeds(result)).toEqual({ items: yes, key: yes, page: yes, soil: yes, detail: yes });
  expect(result.refuted).toBe(0);
  expect(result.requests).toBeLessThan(15);
});

it.each([
  ['a limit without effect', { ignoresLimit: true }, 'page'],
  ['a second page that is the first', { ignoresCursor: true }, 'page'],
  ['a filter without effect', { ignoresSoil: true }, 'soil'],
  ['records elsewhere', { items: 'results' }, 'items'],
  ['records that share a key', { keys: () => 1 }, 'key'],
])('are refuted by %s', async (_, habits, part) => {
  const result = await ask(habits);
  expect(ofBeds(result)[part]).toEqual(no);
});

it('stay open where the server says nothing of them', async () => {
  const target = fakeTarget(() => ({ status: 404, body: { code: 'missing', message: 'There is none.' } }));
  const result = await confirmGuesses(contract, inferContract(contract), { target: 'http://target.example', connect: () => target });
  expect([result.confirmed, result.refuted]).toEqual([0, 0]);
  expect(result.obstacle ?? result.open).toBeTruthy();
});
