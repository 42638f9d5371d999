/** Pacts that ask for no more than is promised: nothing is found in them. */

import { describe, expect, it } from 'vitest';
import type { PactCheck } from '../../../../../core/pact/check-result.ts';
import { boxesText, checkText, goodInteractions, pactText } from './boxes.ts';

let checked: Promise<PactCheck> | undefined;

/** All of them in one pact: the contract is opened once, and no interaction knows of another. */
function checkGood(): Promise<PactCheck> {
  checked ??= checkText(pactText(goodInteractions()));
  return checked;
}

describe('an honest pact', () => {
  it.each(Object.keys(goodInteractions()))('holds: %s', async (name) => {
    const interaction = (await checkGood()).pacts[0]?.interactions.find(({ description }) => description === name);
    expect(interaction?.findings.map(({ id, pointer, message }) => `${id} ${pointer} ${message}`)).toEqual([]);
    const unknown = interaction?.states.includes('the moon is full')
      ? ['the state "the moon is full" has none of the known forms and is ignored']
      : [];
    expect(interaction?.remarks.map(({ message }) => message)).toEqual(unknown);
  });

  it('is about every operation of the contract, and none of its interactions is lost', async () => {
    const { pacts, count } = await checkGood();
    const operations = new Set(pacts[0]?.interactions.map(({ operation }) => operation));
    expect([...operations].toSorted()).toEqual([...boxesText.matchAll(/operationId: (\w+)/g)].map(([, id]) => id).toSorted());
    expect(count).toEqual({ interactions: Object.keys(goodInteractions()).length, wrong: 0, impossible: 0, notGuaranteed: 0, pending: 0 });
  });

  it('holds no more when its states are taken away', async () => {
    const stateless = Object.entries(goodInteractions()).map(([name, each]) => [name, { ...each, providerStates: [] }]);
    const { pacts } = await checkText(pactText(Object.fromEntries(stateless)));
    const wrong = pacts[0]?.interactions.filter(({ findings }) => findings.length > 0).map(({ description }) => description);
    expect(wrong).toEqual([
      ...['page', 'first', 'next', 'filtered', 'one', 'unchanged', 'absent', 'unknown', 'forbidden', 'throttled', 'unready'],
    ]);
  });

  it('may rely on a state of its own for a list that is not empty, and for no more', async () => {
    const { page, filtered } = goodInteractions();
    const states = [{ name: 'three boxes stand in the yard' }];
    const { pacts } = await checkText(
      pactText({ page: { ...page, providerStates: states }, filtered: { ...filtered, providerStates: states } }),
    );
    expect(pacts[0]?.interactions.map(({ findings }) => findings.map(({ message }) => message))).toEqual([[], []]);
  });

  it('is told of when it is pending, and counts for nothing', async () => {
    const { invalid } = goodInteractions();
    const { count, pacts } = await checkText(
      pactText({ invalid: { ...invalid, pending: true, request: { ...invalid.request, query: {} } } }),
    );
    expect(count).toEqual({ interactions: 1, wrong: 0, impossible: 0, notGuaranteed: 0, pending: 1 });
    expect(pacts[0]?.interactions[0]?.findings).toHaveLength(1);
  });
});
