/** The law about parameters of which exactly one is to be given. */

import { placeBelow } from '../../../core/document.ts';
import type { Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import { isRecordRead, listOf } from '../../detail.ts';
import type { Lab } from '../../lab.ts';
import type { Law } from '../../law.ts';
import { isRefused } from '../../mistakes.ts';
import { type Attempt, documents, examineRefusals } from '../../refusal.ts';
import { keyOf } from '../../walk.ts';

/** The law. */
export const exactlyOne: Law = {
  id: 'details/exactly-one',
  title: 'Of parameters that name the same thing, both together and none at all are refused',
  why: 'Of two names that disagree one is a mistake, and a server that picks one hides it.',
  strength: 'stated',
  clause: (operation, contract) => {
    const index = choicesOf(operation)[0];
    return index === undefined || !isRecordRead(operation, contract) || !documents(operation, 'invalid')
      ? undefined
      : rulePlace(operation, index);
  },
  examine: async (lab, operation) => {
    const attempts = await attemptsFor(lab, operation);
    return examineRefusals(lab, operation, 'invalid', lab.quick ? attempts.slice(0, 1) : attempts);
  },
};

function choicesOf(operation: Operation): readonly number[] {
  return operation.rules.flatMap(({ rule }, index) => (rule === 'exactly-one-of' ? [index] : []));
}

function rulePlace(operation: Operation, index: number): ReturnType<typeof placeBelow> {
  return placeBelow(operation.document, operation.value, ['x-parameter-rules', index]);
}

/** Both with the values of one record, which tempts most to accept them, and none. */
async function attemptsFor(lab: Lab, operation: Operation): Promise<readonly Attempt[]> {
  const list = listOf(lab, operation);
  const { records } = await lab.universe(list);
  return choicesOf(operation).flatMap((index): readonly Attempt[] => {
    const names = operation.rules[index]?.parameters ?? [];
    const clause = rulePlace(operation, index);
    const valueFor = (name: string, record: Json): Json =>
      valueAt(record, operation.resource?.by.get(name) ?? '') ?? valueIfNone(operation, name);
    const attempts: readonly Attempt[] = [
      // What names no record may be told to be absent before the rule is looked at.
      ...records.slice(0, 1).map((record) => ({
        call: { operation, values: Object.fromEntries(names.map((name) => [name, valueFor(name, record)])) },
        what: `${names.join(' and ')} of one record`,
        clause,
        named: { list, key: keyOf(list, record) },
      })),
      { call: { operation, values: {} }, what: `neither ${names.join(' nor ')}`, clause },
    ];
    return attempts.filter(({ call }) => isRefused(lab.contract, call));
  });
}

function valueIfNone(operation: Operation, name: string): Json {
  return operation.parameters.find((each) => each.key === name)?.kinds.includes('string') === true ? 'none' : 1;
}
