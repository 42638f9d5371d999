/** Breaking edits of a contract: `pact check` finds each of them alone, and all of them together, in a pact of an order's detail. */

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkPacts } from '../../../../../contracts/pact/check/check-pacts.ts';
import { memoize } from '../../../../../core/memo.ts';
import { answerQuestions, type Contract, loadUncheckedContract } from '../../../../../core/openapi/contract.ts';
import { parsePact } from '../../../../../core/pact/parse-pact.ts';
import type { CheckedInteraction, PactFinding } from '../../../../../core/results/pact-check-result.ts';
import { contractFile } from '../../../../../core/shipped-files.ts';
import { pactText } from './boxes.ts';

const rule = (match: string, more: object = {}): object => ({ combine: 'AND', matchers: [{ match, ...more }] });
const order = {
  id: 7,
  code: 'TDN-7',
  status: 'ready',
  totals: { subtotal: 3, discount: 1, total: 2, currency: 'EUR' },
  customer: { id: 1, name: 'Ada' },
};
const statuses = 'pending|confirmed|preparing|ready|completed|cancelled|rejected|no_show';

/** A pact of an order's detail, whose record stands at one of the possible places. */
function orderPact(content: object = { data: { order } }, at = '$.data.order'): string {
  return pactText({
    detail: {
      providerStates: [{ name: 'an order exists' }],
      request: {
        method: 'GET',
        path: '/api/integrations/v1/orders/view.php',
        query: { id: ['7'] },
        headers: { 'X-SERVICE-API-Key': ['k'] },
      },
      response: {
        status: 200,
        body: { content, contentType: 'application/json', encoded: false },
        matchingRules: {
          body: {
            [at]: rule('type'),
            [`${at}.id`]: rule('integer'),
            [`${at}.status`]: rule('regex', { regex: `^(${statuses})$` }),
            [`${at}.customer.id`]: rule('integer'),
          },
        },
      },
    },
  }).replace('"boxes"', '"business"');
}

const text = readFileSync(contractFile('business'), 'utf8');

const load = memoize((edited: string) => loadUncheckedContract(contractFile('business'), async () => edited));

function edited(edits: readonly (readonly [string, string])[]): Promise<Contract> {
  return load(
    edits.reduce((before, [from, to]) => {
      expect(before).toContain(from);
      return before.replace(from, to);
    }, text),
  );
}

async function check(contract: Contract, pact: string = orderPact(), old?: Contract): Promise<CheckedInteraction | undefined> {
  const { pacts } = await checkPacts({ pairs: [{ pact: parsePact('till.json', pact), contract, old }] });
  return pacts[0]?.interactions[0];
}

const printed = (findings: readonly PactFinding[] | undefined): readonly string[] =>
  (findings ?? []).map(({ pointer, message }) => `${pointer.replace(/.*content/, '')}: ${message}`);

const breaks: Readonly<Record<string, { readonly edits: readonly (readonly [string, string])[]; readonly says: string }>> = {
  'a renamed member': {
    edits: [
      ['required: [subtotal, discount, total, currency]', 'required: [subtotal, reduction, total, currency]'],
      ['discount: { type: number', 'reduction: { type: number'],
    ],
    says: '/data/order/totals/discount: the contract of getOrder does not define $.data.order.totals.discount, so no response needs to have it; remove it from the pact, or add it to the contract',
  },
  'a member that may be null': {
    edits: [['currency: { type: string', "currency: { type: [string, 'null']"]],
    says: '/data/order/totals/currency: $.data.order.totals.currency may be null, but the pact expects a string; accept null too, or remove it from the pact',
  },
  'a new value': {
    edits: [['completed, cancelled, rejected, no_show]', 'completed, cancelled, rejected, no_show, lost]']],
    says: `/data/order/status: $.data.order.status may be "lost", but the pact expects a string that matches ^(${statuses})$; widen the pattern to every allowed value`,
  },
  'another type': {
    edits: [["id: { type: integer, description: The customer's number", "id: { type: string, description: The customer's number"]],
    says: '/data/order/customer/id: $.data.order.customer.id is never 1 in a 200 from getOrder: the contract says string; correct the example',
  },
  'a member that may be absent': {
    edits: [['required: [id, code, channel', 'required: [id, channel']],
    says: '/data/order/code: $.data.order.code may be missing: the contract does not require it; remove it from the pact',
  },
};

describe('a pact of an order whose place is open', () => {
  let shipped: Contract;
  beforeAll(async () => {
    shipped = await edited([]);
  });

  it.each([
    ['data.order', orderPact(), '$.data.order'],
    ['data', orderPact({ data: order }, '$.data'), '$.data'],
    ['the top', orderPact(order, '$'), '$'],
  ])('holds at %s, with one note about the place', async (_name, pact, path) => {
    const checked = await check(shipped, pact);
    expect(printed(checked?.findings)).toEqual([]);
    expect(checked?.remarks.map(({ message }) => message)).toEqual([
      `the contract leaves this open (order-place): Where in its response is a single order? The check assumes ${path}`,
    ]);
  });

  it.each(Object.entries(breaks))('shows a break: %s', async (_name, { edits, says }) => {
    expect(printed((await check(await edited(edits)))?.findings)).toEqual([says]);
  });

  it('is checked at the place of a profile, without a note', async () => {
    const answered = answerQuestions(shipped, { 'order-place': 'data-order' });
    const checked = await check(answered);
    expect([printed(checked?.findings), checked?.remarks]).toEqual([[], []]);
    const [misplaced] = (await check(answered, orderPact({ data: order }, '$.data')))?.findings ?? [];
    expect(misplaced?.grade).toBe('not-guaranteed');
    const broken = answerQuestions(await edited(breaks['another type']?.edits ?? []), { 'order-place': 'data-order' });
    expect(printed((await check(broken))?.findings)).toEqual([breaks['another type']?.says]);
  });

  it('keeps questions open that a profile does not answer', () => {
    const answered = answerQuestions(shipped, { 'order-place': 'data-order' });
    expect([...answered.questions.keys()]).toEqual([...shipped.questions.keys()].filter((id) => id !== 'order-place'));
    expect(() => answerQuestions(shipped, { 'order-place': 'nowhere' })).toThrow('the choices are');
  });

  it('blames the change of the contract, and names the version that promised the expectation', async () => {
    const { edits = [] } = breaks['another type'] ?? {};
    const { version } = shipped;
    const [finding] = (await check(await edited(edits), orderPact(), shipped))?.findings ?? [];
    expect(finding?.promised?.version).toBe(version);
    expect(finding?.message).toMatch(
      new RegExp(
        `the contract says string; version ${version} of the contract \\(\\S+\\) promised it, so the change breaks this consumer$`,
      ),
    );
  });

  it('blames the pact for what no version promised', async () => {
    const pact = orderPact({ data: { order: { ...order, colour: 'red' } } });
    const checked = await check(await edited(breaks['another type']?.edits ?? []), pact, shipped);
    const [promised, unknown] = [true, false].map((wanted) => checked?.findings.filter((each) => (each.promised !== undefined) === wanted));
    expect([promised?.length, unknown?.length]).toEqual([1, 1]);
    expect(unknown?.[0]?.message).toMatch(/does not define \$\.data\.order\.colour.*remove it from the pact/);
  });

  it('shows every break of several', async () => {
    const found = printed((await check(await edited(Object.values(breaks).flatMap(({ edits }) => edits))))?.findings);
    expect(found.toSorted()).toEqual(
      Object.values(breaks)
        .map(({ says }) => says)
        .toSorted(),
    );
  });
});
