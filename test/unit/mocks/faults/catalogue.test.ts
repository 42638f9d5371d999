/** The catalogue of faults: ids that can be relied on, and laws that exist. */

import { describe, expect, it } from 'vitest';
import { laws } from '../../../../contracts/laws/catalogue.ts';
import { contractFile } from '../../../../core/shipped.ts';
import { listFaults } from '../../../../mocks/faults/catalogue.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';

const contracts = await Promise.all(['business', 'wiki'].map((name) => openContract(contractFile(name))));
const all = contracts.flatMap(listFaults);
const lawIds: readonly string[] = laws.map(({ id }) => id);

describe('the catalogue', () => {
  it('has a fault only once', () => {
    const ids = all.map((fault) => fault.id);
    expect(ids).not.toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  });

  it('writes ids as KIND:PLACE', () => {
    expect(all.filter(({ id }) => !/^[a-z]+(-[a-z0-9]+)*:[A-Za-z0-9._-]+$/.test(id)).map(({ id }) => id)).toEqual([]);
  });

  it('says in a sentence what is wrong', () => {
    expect(all.filter(({ title }) => !/^[A-Za-z/].{10,140}\.$/.test(title)).map(({ title }) => title)).toEqual([]);
  });

  it('names laws that exist', () => {
    expect(all.filter(({ law }) => !lawIds.includes(law)).map(({ id, law }) => `${id} ${law}`)).toEqual([]);
  });
});
