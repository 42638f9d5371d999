/**
 * Measures pages of 50 records per second of processor time, beside fast-check's own arbitraries of the same shape. After a build: `node
 * test/bench/generators.mjs`. Asserts nothing: times depend on the machine, so the ratio within one run counts.
 */

import fc from 'fast-check';

const { arbitraryFor } = await import(new URL('../../dist/generators/schema-arbitrary.js', import.meta.url).href);
const { invalidExampleFor } = await import(new URL('../../dist/generators/invalid/invalid-arbitrary.js', import.meta.url).href);

const text = (more = {}) => ({ type: 'string', ...more });
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const states = ['draft', 'open', 'paid', 'packed', 'sent', 'received', 'returned', 'void'];

const record = object({
  id: { type: 'integer', minimum: 1 },
  code: text({ pattern: '^[A-Z]{2}-[0-9]{4,6}$' }),
  channel: { enum: ['web', 'shop'] },
  kind: text(),
  state: { enum: states },
  person: object({
    id: { type: 'integer', minimum: 1 },
    name: text({ minLength: 1, maxLength: 80 }),
    phone: text({ pattern: '^\\+?[0-9]{6,15}$' }),
    email: text({ format: 'email' }),
  }),
  delivery: object({
    mode: text({ type: ['string', 'null'] }),
    date: text({ type: ['string', 'null'], format: 'date' }),
    time: text({ type: ['string', 'null'], pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
    place: { anyOf: [{ type: 'null' }, object({ label: text(), floor: { type: 'integer' }, room: { type: 'integer' }, note: text() })] },
  }),
  payment: object({ mode: text(), state: text(), provider: text(), paid_at: text({ type: ['string', 'null'], format: 'date-time' }) }, [
    'mode',
    'state',
  ]),
  totals: object({
    subtotal: { type: 'number', minimum: 0 },
    discount: { type: 'number', minimum: 0 },
    total: { type: 'number', minimum: 0 },
    currency: text({ pattern: '^[A-Z]{3}$' }),
  }),
  changed_at: text({ format: 'date-time' }),
});
const page = object({
  version: text(),
  owner: object({ id: { type: 'integer' } }),
  data: object({
    records: { type: 'array', items: { $ref: '#/$defs/record' }, minItems: 50, maxItems: 50 },
    page: object({ next: text({ type: ['string', 'null'] }), more: { type: 'boolean' } }),
  }),
});
const schema = { $defs: { record }, ...page };

/** fast-check's own arbitraries, written by hand for the same shape. */
function baseline() {
  const id = fc.integer({ min: 1 });
  const amount = fc.nat({ max: 100_000 }).map((cents) => cents / 100);
  const instant = fc
    .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const orNull = (arbitrary) => fc.option(arbitrary, { nil: null });
  const row = fc.record({
    id,
    code: fc.stringMatching(/^[A-Z]{2}-[0-9]{4,6}$/),
    channel: fc.constantFrom('web', 'shop'),
    kind: fc.string(),
    state: fc.constantFrom(...states),
    person: fc.record({
      id,
      name: fc.string({ minLength: 1, maxLength: 80 }),
      phone: fc.stringMatching(/^\+?[0-9]{6,15}$/),
      email: fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.[a-z]{2,3}$/),
    }),
    delivery: fc.record({
      mode: orNull(fc.string()),
      date: orNull(instant.map((date) => date.slice(0, 10))),
      time: orNull(fc.stringMatching(/^([01][0-9]|2[0-3]):[0-5][0-9]$/)),
      place: orNull(fc.record({ label: fc.string(), floor: fc.integer(), room: fc.integer(), note: fc.string() })),
    }),
    payment: fc.record(
      { mode: fc.string(), state: fc.string(), provider: fc.string(), paid_at: orNull(instant) },
      { requiredKeys: ['mode', 'state'] },
    ),
    totals: fc.record({ subtotal: amount, discount: amount, total: amount, currency: fc.stringMatching(/^[A-Z]{3}$/) }),
    changed_at: instant,
  });
  return fc.record({
    version: fc.string(),
    owner: fc.record({ id: fc.integer() }),
    data: fc.record({
      records: fc.array(row, { minLength: 50, maxLength: 50, size: 'max' }),
      page: fc.record({ next: orNull(fc.string()), more: fc.boolean() }),
    }),
  });
}

/** Draws for some seconds of processor time, and returns the rate per second. */
function measure(arbitrary, seconds) {
  fc.sample(arbitrary, { seed: 1, numRuns: 20 });
  const before = process.cpuUsage();
  let [pages, bytes, spent] = [0, 0, 0];
  for (let seed = 2; spent < seconds; seed += 1) {
    const drawn = fc.sample(arbitrary, { seed, numRuns: 50 });
    const { user, system } = process.cpuUsage(before);
    spent = (user + system) / 1_000_000;
    pages += drawn.length;
    if (seed === 2) bytes = drawn.reduce((sum, each) => sum + JSON.stringify(each).length, 0) / drawn.length;
  }
  return { rate: pages / spent, bytes };
}

function print(what, value, unit) {
  console.log(`${what.padEnd(52)} ${value.padStart(9)} ${unit}`);
}

const opened = performance.now();
const ours = arbitraryFor(schema);
print('opening the schema', (performance.now() - opened).toFixed(1), 'ms');
const rounds = Array.from({ length: 5 }, () => ({ ours: measure(ours, 1), theirs: measure(baseline(), 1) }));
const median = (numbers) => numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
print('pages of 50 records, from the schema', median(rounds.map((round) => round.ours.rate)).toFixed(0), 'per second of processor time');
print("pages of 50 records, fast-check's own", median(rounds.map((round) => round.theirs.rate)).toFixed(0), 'per second of processor time');
print('ratio of the two (median of five)', median(rounds.map((round) => round.ours.rate / round.theirs.rate)).toFixed(2), '');
print('size of a page, from the schema', ((rounds[0]?.ours.bytes ?? 0) / 1024).toFixed(1), 'KiB');
print("size of a page, fast-check's own", ((rounds[0]?.theirs.bytes ?? 0) / 1024).toFixed(1), 'KiB');
print('invalid examples of a page', measure(invalidExampleFor(schema), 2).rate.toFixed(0), 'per second of processor time');
