/** Every legal answer to every open question of both shipped contracts closes them: the rules hold it, and all schemas still compile. */

import { beforeAll, describe, expect, it } from 'vitest';
import { type Contract, loadContract, resolveContract } from '../../../core/contract.ts';
import type { Json } from '../../../core/json.ts';
import { isObject } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import { contractFile, listShipped } from '../../../core/shipped.ts';
import type { Validator } from '../../../core/validator.ts';

/** Validators compile when they are first used; using each of them shows that it compiles. */
function useAll(contract: Contract): number {
  const validators: Validator[] = contract.operations.flatMap(({ parameters, responses }) => [
    ...parameters.map((parameter) => parameter.validate),
    ...[...responses.values()].flatMap(({ headers, content }) => [
      ...headers.map(({ parameter }) => parameter.validate),
      ...[...content.values()].map(({ validate }) => validate),
    ]),
  ]);
  for (const validate of validators) validate({});
  contract.error?.validate({});
  return validators.length;
}

describe.each(listShipped())('the contract of the %s API', (name) => {
  let contract: Contract;
  beforeAll(async () => {
    contract = await loadContract(contractFile(name));
  });

  it('asks its questions at places that exist', () => {
    const asked = [...contract.questions.values()].filter(({ choices }) => choices.size > 0);
    expect(asked.length).toBeGreaterThan(5);
    for (const { id, pointers } of asked) {
      for (const pointer of pointers) {
        const value = valueAt(contract.document.root, pointer);
        expect(isObject(value) && (value['unspecified'] ?? value['x-unspecified'])).toBe(id);
      }
    }
  });

  it('holds every answer to every question where it is asked', () => {
    for (const { id, choices, pointers } of contract.questions.values()) {
      for (const [choice, answer] of choices) {
        const closed = resolveContract(contract, { [id]: choice }).closed.root;
        const found = pointers.map((pointer) => valueAt(closed, pointer));
        expect(found.map((value) => holds(value, answer))).toEqual(pointers.map(() => true));
      }
    }
  });

  it('compiles with every answer to every question', () => {
    const asked = [...contract.questions.values()].filter(({ choices }) => choices.size > 0);
    const rounds = Math.max(...asked.map(({ choices }) => choices.size));
    for (let round = 0; round < rounds; round += 1) {
      const profile = Object.fromEntries(asked.map(({ id, choices }) => [id, [...choices.keys()][round % choices.size] ?? '']));
      expect(useAll(resolveContract(contract, profile))).toBeGreaterThan(10);
    }
  });

  it('has no question left open when it is resolved', () => {
    const { 'x-unspecified': _questions, ...rest } = resolveContract(contract).closed.root;
    const text = JSON.stringify(rest, (key, value: unknown) => (key === 'example' || key === 'examples' ? undefined : value));
    expect(text).not.toMatch(/"(x-)?unspecified":/);
  });
});

/** A rule is the answer; a schema has it beside what it said before, and `false` leaves nothing of it. */
function holds(value: Json | undefined, answer: Json): boolean {
  const same = (left: Json | undefined): boolean => JSON.stringify(left) === JSON.stringify(answer);
  if (same(value)) return true;
  return isObject(value) && Array.isArray(value['allOf']) && (value['allOf'] as readonly Json[]).some(same);
}

describe('the schemas of the business API', () => {
  const page = (next: Json | undefined): Json => ({
    schema_version: '1',
    business: 1,
    data: { orders: [], page: { has_more: false, ...(next === undefined ? {} : { next_cursor: next }) } },
  });

  let open: Contract;
  beforeAll(async () => {
    open = await loadContract(contractFile('business'));
  });
  const lastPage = (contract: Contract): Validator | undefined =>
    contract.operations
      .find(({ id }) => id === 'listOrders')
      ?.responses.get('200')
      ?.content.get('application/json')?.validate;

  it.each([
    ['null', [null, undefined], ['x', 5]],
    ['absent', [undefined], [null, 'x', 5]],
    ['given', ['x', undefined], [null, 5]],
  ] as const)('close the cursor of the last page: %s', (choice, accepted, refused) => {
    const validate = lastPage(resolveContract(open, { 'last-cursor': choice }));
    expect(accepted.map((next) => validate?.(page(next)).length)).toEqual(accepted.map(() => 0));
    expect(refused.map((next) => validate?.(page(next)).length === 0)).toEqual(refused.map(() => false));
  });

  it('accept every legal answer while they are open', () => {
    const validate = lastPage(open);
    expect([null, undefined, 'x'].map((next) => validate?.(page(next)).length)).toEqual([0, 0, 0]);
    expect(validate?.(page(5))).not.toEqual([]);
  });
});
