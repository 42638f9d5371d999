/** Mutants of filters, the selections that tell them from the truth, and the diagnosis of a server that behaves like one of them. */

import { describe, expect, test } from 'vitest';
import { concludeCheck, type RoundOutcome } from '../../../../../../contracts/verify/conclude-check.ts';
import { withinBase } from '../../../../../../contracts/verify/evidence/filter-values.ts';
import { explainingKinds } from '../../../../../../contracts/verify/evidence/pagination/find-explaining-mutant.ts';
import {
  mutantsOfKinds,
  type PredictableMutant,
  predictableMutants,
} from '../../../../../../contracts/verify/evidence/pagination/predict-filter-mutants.ts';
import type { ParameterValues } from '../../../../../../contracts/verify/evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../../../../../../contracts/verify/evidence/round-context.ts';
import { examineSelections, type SelectionPlan } from '../../../../../../contracts/verify/rules/examinations/examine-filters.ts';
import type { Json } from '../../../../../../core/json.ts';
import { readRequest } from '../../../../../../core/parameters/read-request.ts';
import type { DataRecord, FilterArguments } from '../../../../../../core/query/query.ts';
import { contractOf, type FakeTarget, fakeTarget, listIn, openContext } from '../../../../../helpers/engine.ts';
import { pageBody } from '../../../../../helpers/lazy-list.ts';

const business = await contractOf('business');
const wiki = await contractOf('wiki');
const reservations = listIn(business, 'listReservations');
const orders = listIn(business, 'listOrders');

const toArguments = (values: ParameterValues): FilterArguments => new Map(Object.entries(values));

const record = (id: number, status: string, changed_at: string, date: string, time: string): DataRecord => ({
  id,
  status,
  changed_at,
  schedule: { date, time, people: 2, timezone: 'Europe/Rome' },
});

/** Few reservations, with everything that the mutants need: equal days, several offsets, a time near midnight. */
const records: readonly DataRecord[] = [
  record(1, 'pending', '2026-03-01T09:00:00+01:00', '2026-03-10', '20:00'),
  record(2, 'confirmed', '2026-03-01T08:30:00+00:00', '2026-03-10', '00:30'),
  record(3, 'pending', '2026-03-01T23:30:00+01:00', '2026-03-11', '19:30'),
  record(4, 'completed', '2026-03-02T01:15:00+02:00', '2026-03-12', '13:00'),
  record(5, 'confirmed', '2026-03-02T07:00:00+01:00', '2026-03-01', '12:30'),
  record(6, 'completed', '2026-03-02T07:00:00+01:00', '2026-03-02', '23:45'),
  record(8, 'completed', '2026-03-04T12:00:00+01:00', '2026-03-09', '12:00'),
  record(7, 'no_show', '2026-03-05T12:00:00+01:00', '2026-02-28', '21:00'),
];

const distinct = (read: (each: DataRecord) => Json | undefined): readonly Json[] => [
  ...new Set(records.flatMap((each) => read(each) ?? [])),
];
const states = distinct((each) => each['status']);
const moments = distinct((each) => each['changed_at']);
const days = distinct((each) => (each['schedule'] as { readonly date: string }).date);

const candidates: readonly ParameterValues[] = [
  ...states.map((status): ParameterValues => ({ status: [status] })),
  ...states.flatMap((one) => states.map((other): ParameterValues => ({ status: [one, other] }))),
  ...moments.map((moment): ParameterValues => ({ updated_after: moment })),
  ...days.flatMap((day): readonly ParameterValues[] => [{ date_from: day }, { date_to: day }, { date_from: day, date_to: day }]),
  ...states.flatMap((status) => moments.map((moment): ParameterValues => ({ status: [status], updated_after: moment }))),
  ...states.flatMap((status) =>
    days.flatMap((day): readonly ParameterValues[] => [
      { status: [status], date_from: day },
      { status: [status], date_to: day },
    ]),
  ),
  ...moments.flatMap((moment) =>
    days.flatMap((day): readonly ParameterValues[] => [
      { updated_after: moment, date_from: day },
      { updated_after: moment, date_to: day },
    ]),
  ),
];

const mutants = mutantsOfKinds(business, reservations, ['filter-ignored', 'bound-ignored', 'checkpoint-ignored', ...explainingKinds]);
const truth = (each: DataRecord, values: FilterArguments): boolean => reservations.collection.query.matching(values)(each);
/** Records that the rule accepts, by candidate. */
const truths = new Map([{}, ...candidates].map((values) => [values, records.map((each) => truth(each, toArguments(values)))] as const));
const seenBy = (mutant: PredictableMutant, values: ParameterValues): readonly boolean[] => {
  const given = toArguments(values);
  return records.map((each) => mutant.accepting(given)(each));
};
const tells = (mutant: PredictableMutant, values: ParameterValues): boolean =>
  mutant.parameters.every((name) => name in values) && seenBy(mutant, values).join() !== truths.get(values)?.join();

/** A target that returns, in one page, what a reader of filters accepts. */
function serving(accepts: (each: DataRecord, values: FilterArguments) => boolean): FakeTarget {
  return fakeTarget((request) => {
    const { values, problems } = readRequest(reservations, request, new Map());
    if (problems.length > 0) return { status: 422, body: {} };
    const given = new Map([...values].filter(([name]) => reservations.collection.filters.has(name)));
    return { body: pageBody(reservations, { records: records.filter((each) => accepts(each, given)), more: false }) };
  });
}

async function judged(context: RoundContext, plan: Partial<SelectionPlan> = {}): Promise<RoundOutcome> {
  const examination = await examineSelections(context, reservations, {
    mutants,
    filterValues: candidates,
    fallbackRule: 'filters/explored',
    ...plan,
  });
  await context.readAgain();
  return concludeCheck('judge' in examination ? examination : { mutants: [], judge: () => [] });
}

describe('mutants', () => {
  test('of reservations: every filter ignored, every list read in part, every bound moved, every pair broken', () => {
    const ofFilters = (names: string): readonly PredictableMutant[] => mutants.filter(({ parameters }) => parameters.join() === names);
    const kinds = (names: string): readonly string[] => [...new Set(ofFilters(names).map(({ kind }) => kind))];
    expect(kinds('status')).toEqual(['filter-ignored', 'filter-first-only', 'filter-last-only', 'filter-whole-text']);
    expect(kinds('updated_after')).toEqual([
      'checkpoint-ignored',
      'checkpoint-exclusive',
      'checkpoint-by-day',
      'checkpoint-as-text',
      'checkpoint-by-wall-clock',
    ]);
    expect(kinds('date_from')).toEqual(['bound-ignored', 'exclusive-lower', 'bound-on-version', 'bound-in-utc']);
    expect(kinds('status,date_to')).toEqual(['filters-either', 'filter-ignored-beside-other']);
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  test('of filters whose rules are open are none', () => {
    const names = predictableMutants(wiki, listIn(wiki, 'listEntries')).flatMap(({ parameters }) => parameters);
    expect([...new Set(names)]).toEqual(['type']);
    expect(predictableMutants(business, orders).some(({ parameters }) => parameters.includes('channel'))).toBe(true);
  });

  test.each(mutants.map((mutant) => [mutant.id, mutant] as const))('%s differs from the truth on the made-up list', (_, mutant) => {
    expect(candidates.some((values) => tells(mutant, values))).toBe(true);
  });

  test.each(mutants.map((mutant) => [mutant.id, mutant] as const))('%s is the truth where its filters are not sent', (_, mutant) => {
    // The mutant of a whole range is asked at either of its ends, and names both.
    const names = mutant.id.split('.').at(-1)?.split('+') ?? [];
    const others = [...truths].filter(([values]) => !names.some((name) => name in values));
    expect(others.filter(([values, expected]) => seenBy(mutant, values).join() !== expected.join())).toEqual([]);
  });

  test('have titles that read well after “It behaves as if”, and say what they need', () => {
    for (const { title, missing } of mutants) {
      expect(title).toMatch(/^[a-z_]+ .*[^.]$/);
      expect(missing).toMatch(/^(a|records|two) /);
    }
  });
});

describe('selections', () => {
  test('tell every mutant that can be told, and a right list holds', async () => {
    const target = serving(truth);
    const outcome = await judged(openContext(business, target));
    expect([outcome.verdict, outcome.alive.map(({ id }) => id)]).toEqual(['holds', []]);
    expect(target.requests.length).toBeLessThan(candidates.length / 2);
  });

  test('need fewer requests where one look at each mutant is enough', async () => {
    const [once, twice] = [serving(truth), serving(truth)];
    await judged(openContext(business, once, { quick: true }));
    await judged(openContext(business, twice));
    expect(once.requests.length).toBeLessThan(twice.requests.length);
    expect(new Set(twice.requests.map((each) => each.target)).size).toBe(twice.requests.length - 1);
  });

  test('leave open exactly what no candidate could tell, with what is missing', async () => {
    const few = candidates.filter((values) => !('updated_after' in values));
    const outcome = await judged(openContext(business, serving(truth)), { filterValues: few });
    const untold = mutants.filter((mutant) => !few.some((values) => tells(mutant, values)));
    expect(outcome.alive.map(({ id }) => id)).toEqual(untold.map(({ id }) => id));
    expect(untold.length).toBeGreaterThan(0);
  });

  test.each(mutants.map((mutant) => [mutant.id, mutant] as const))('a server that is %s is found out, and named', async (id, mutant) => {
    const outcome = await judged(
      openContext(
        business,
        serving((each, given) => mutant.accepting(given)(each)),
      ),
    );
    expect(outcome.verdict).toBe('violated');
    const [contradiction] = outcome.contradictions;
    const named = mutants.find((each) => each.id === contradiction?.mutant?.id);
    expect((contradiction?.mutants ?? []).map((each) => each.id)).toContain(id);
    // Another mutant may be named only if it selects the same records in every request.
    const isAlike = (values: ParameterValues): boolean =>
      records.every((each) => named?.accepting(toArguments(values))(each) === mutant.accepting(toArguments(values))(each));
    expect(named?.id === id || (contradiction?.paginationPlan !== undefined && isAlike(contradiction.paginationPlan.values))).toBe(true);
    expect(contradiction?.recordKeys.length).toBeGreaterThan(0);
  });

  test('that nothing explains are for another rule to name', async () => {
    const odd = (each: DataRecord, values: FilterArguments): boolean => truth(each, values) === (values.size === 0);
    expect((await judged(openContext(business, serving(odd)))).message).toBe(
      'The responses are wrong in a way that filters/explored reports',
    );
  });

  test('of a list that is empty show nothing, and say what is missing', async () => {
    const outcome = await judged(
      openContext(
        business,
        fakeTarget(() => ({ body: pageBody(reservations, { records: [], more: false }) })),
      ),
    );
    expect(outcome.verdict).toBe('not-exercised');
    expect(outcome.message).toMatch(/^The data lacks /);
  });

  test('stay within the filter that cuts out a snapshot', async () => {
    const context = openContext(business, serving(truth));
    const snapshot = { ...(await context.snapshot(reservations)), base: { updated_after: '2026-03-02T00:00:00+01:00' } };
    const part = { ...snapshot, records: snapshot.records.filter((each) => truth(each, toArguments(snapshot.base))) };
    expect(withinBase(part, { status: ['pending'] })).toEqual({ ...snapshot.base, status: ['pending'] });
    expect(withinBase(part, { updated_after: '2026-03-02T07:00:00+01:00' })).toEqual({ updated_after: '2026-03-02T07:00:00+01:00' });
    expect(withinBase(part, { updated_after: '2026-03-01T00:00:00+01:00' })).toBeUndefined();
    expect(withinBase({ ...part, base: { status: ['pending'] } }, { status: ['confirmed'] })).toBeUndefined();
  });
});
