/** Valid pacts: the contract guarantees every expectation, and nothing is found. */

import { describe, expect, it } from 'vitest';
import type { PactCheck } from '../../../../../core/results/pact-check-result.ts';
import { boxesText, checkText, goodInteractions, pactText } from './boxes.ts';

let checked: Promise<PactCheck> | undefined;

/** All interactions in one pact, so that the contract is opened once. They do not affect each other. */
function checkGood(): Promise<PactCheck> {
  checked ??= checkText(pactText(goodInteractions()));
  return checked;
}

describe('a valid pact', () => {
  it.each(Object.keys(goodInteractions()))('holds: %s', async (name) => {
    const interaction = (await checkGood()).pacts[0]?.interactions.find(({ description }) => description === name);
    expect(interaction?.findings.map(({ id, pointer, message }) => `${id} ${pointer} ${message}`)).toEqual([]);
    expect(interaction?.remarks).toEqual([]);
  });

  it('lists the unknown states', async () => {
    const { states } = await checkGood();
    expect(states.map(({ name, guess }) => ({ name, guess }))).toEqual([{ name: 'the moon is full', guess: undefined }]);
  });

  it('covers every operation of the contract, and every interaction is checked', async () => {
    const { pacts, count } = await checkGood();
    const operations = new Set(pacts[0]?.interactions.map(({ operation }) => operation));
    expect([...operations].toSorted()).toEqual([...boxesText.matchAll(/operationId: (\w+)/g)].map(([, id]) => id).toSorted());
    expect(count).toEqual({
      interactions: Object.keys(goodInteractions()).length,
      wrong: 0,
      impossible: 0,
      notGuaranteed: 0,
      pending: 0,
      waived: 0,
    });
  });

  it('has findings without its states', async () => {
    const stateless = Object.entries(goodInteractions()).map(([name, each]) => [name, { ...each, providerStates: [] }]);
    const { pacts } = await checkText(pactText(Object.fromEntries(stateless)));
    const wrong = pacts[0]?.interactions.filter(({ findings }) => findings.length > 0).map(({ description }) => description);
    expect(wrong).toEqual([
      ...['page', 'first', 'next', 'filtered', 'one', 'unchanged', 'absent', 'unknown', 'forbidden', 'throttled', 'unready'],
    ]);
  });

  it('may rely on an unknown state for a list that is not empty, and for nothing else', async () => {
    const { page, filtered } = goodInteractions();
    const states = [{ name: 'three boxes stand in the yard' }];
    const { pacts } = await checkText(
      pactText({ page: { ...page, providerStates: states }, filtered: { ...filtered, providerStates: states } }),
    );
    expect(pacts[0]?.interactions.map(({ findings }) => findings.map(({ message }) => message))).toEqual([[], []]);
  });

  it('is reported if it is pending, but does not count', async () => {
    const { invalid } = goodInteractions();
    const { count, pacts } = await checkText(
      pactText({ invalid: { ...invalid, pending: true, request: { ...invalid.request, query: {} } } }),
    );
    expect(count).toEqual({ interactions: 1, wrong: 0, impossible: 0, notGuaranteed: 0, pending: 1, waived: 0 });
    expect(pacts[0]?.interactions[0]?.findings).toHaveLength(1);
  });
});
