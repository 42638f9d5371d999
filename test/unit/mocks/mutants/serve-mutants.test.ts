/** The catalogue of the mock's mutants: ids, titles and rules. */

import { describe, expect, it } from 'vitest';
import { rules } from '../../../../contracts/verify/rules/rule-catalogue.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { mutantsOf } from '../../../../mocks/mutants/find-mutants.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';

const contracts = await Promise.all(['business', 'wiki'].map((name) => openContract(contractFile(name))));
const all = contracts.flatMap(mutantsOf);
const ruleIds: readonly string[] = rules.map(({ id }) => id);

describe('the catalogue', () => {
  it('has unique mutants', () => {
    const ids = all.map((mutant) => mutant.id);
    expect(ids).not.toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  });

  it('writes ids as KIND:PLACE', () => {
    expect(all.filter(({ id }) => !/^[a-z]+(-[a-z0-9]+)*:[A-Za-z0-9._+-]+$/.test(id)).map(({ id }) => id)).toEqual([]);
  });

  it('has a clause as each title', () => {
    expect(all.filter(({ title }) => !/^[A-Za-z/][^{}]{10,140}[^.{}]$/.test(title)).map(({ title }) => title)).toEqual([]);
  });

  it('has known rules', () => {
    expect(all.filter(({ rule }) => !ruleIds.includes(rule)).map(({ id, rule }) => `${id} ${rule}`)).toEqual([]);
  });
});
