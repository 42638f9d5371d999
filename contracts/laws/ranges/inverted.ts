/** The law about ranges that end before they begin. */

import type { Operation } from '../../../core/operation.ts';
import type { ParameterRule } from '../../../core/rules.ts';
import type { Law } from '../../law.ts';
import { isRefused } from '../../mistakes.ts';
import { documents, examineRefusals } from '../../refusal.ts';
import { isList } from '../../walk.ts';
import { describeValues } from '../../words.ts';

/** The law. */
export const inverted: Law = {
  id: 'ranges/inverted',
  title: 'A range that ends before it begins is refused',
  why: 'An empty list for two bounds in the wrong order hides the mistake of whoever wrote them.',
  strength: 'stated',
  clause: (operation, contract) => {
    const [rule] = documents(operation, 'invalid') && isList(operation) ? orderedRules(operation) : [];
    const isAsserted = rule !== undefined && wrongWays(operation, rule).some((values) => isRefused(contract, { operation, values }));
    return isAsserted ? operation.document.place(operation.value, 'x-parameter-rules') : undefined;
  },
  examine: async (lab, operation) => {
    const attempts = orderedRules(operation)
      .flatMap((rule) => wrongWays(operation, rule))
      .map((values) => ({ call: { operation, values }, what: describeValues(values) }))
      .filter(({ call }) => isRefused(lab.contract, call));
    return examineRefusals(lab, operation, 'invalid', attempts.slice(0, 1));
  },
};

function orderedRules(operation: Operation): readonly ParameterRule[] {
  return operation.rules.filter((rule) => rule.rule === 'ordered' && rule.parameters.length > 1);
}

/** The same two bounds in the wrong order: far apart, and one step apart. */
function wrongWays(operation: Operation, { parameters }: ParameterRule): readonly Readonly<Record<string, string | number>>[] {
  const [lower = '', upper = ''] = parameters;
  const isNumber =
    operation.parameters.find((each) => each.key === lower)?.kinds.some((kind) => kind === 'integer' || kind === 'number') === true;
  const pairs = isNumber
    ? ([
        [8, 7],
        [900, 3],
      ] as const)
    : ([
        ['2026-03-02', '2026-03-01'],
        ['2026-04-02', '2026-03-01'],
      ] as const);
  return pairs.map(([high, low]) => ({ [lower]: high, [upper]: low }));
}
