/** Says which facts no number has at once. */

import type { NumberFacts } from './number-facts.ts';

/** A sentence with the facts that clash, leaving out those without which there is still no number. */
export function explainNumbers(facts: NumberFacts, isEmpty: (facts: NumberFacts) => boolean): string {
  return describeNumbers(relaxations.reduce((left, relax) => leaveOut(left, relax, isEmpty), facts));
}

/** A fact less each time it is asked with the next index; `undefined` when there is none. */
type Relaxation = (facts: NumberFacts, index: number) => NumberFacts | undefined;

const lists = ['formats', 'notFormats', 'notMultiples', 'multiples', 'except'] as const;

const relaxations: readonly Relaxation[] = [
  ...lists.map(
    (list): Relaxation =>
      (facts, index) =>
        index >= facts[list].length ? undefined : { ...facts, [list]: facts[list].filter((_, at) => at !== index) },
  ),
  (facts, index) => (index > 0 || !facts.fractional ? undefined : { ...facts, fractional: false }),
  (facts, index) => (index > 0 || !facts.integer ? undefined : { ...facts, integer: false }),
  (facts, index) => (index > 0 || facts.low.value === -Infinity ? undefined : { ...facts, low: { value: -Infinity, open: false } }),
  (facts, index) => (index > 0 || facts.high.value === Infinity ? undefined : { ...facts, high: { value: Infinity, open: false } }),
];

function leaveOut(facts: NumberFacts, relax: Relaxation, isEmpty: (facts: NumberFacts) => boolean): NumberFacts {
  let left = facts;
  for (let index = 0; ; ) {
    const relaxed = relax(left, index);
    if (relaxed === undefined) return left;
    if (isEmpty(relaxed)) left = relaxed;
    else index += 1;
  }
}

/** A sentence that says of all facts that no number has them at once. */
export function describeNumbers({
  low,
  high,
  integer,
  fractional,
  multiples,
  notMultiples,
  formats,
  notFormats,
  except,
}: NumberFacts): string {
  const parts = [
    ...(fractional ? ['not whole'] : []),
    ...(low.value === -Infinity ? [] : [`${low.open ? 'above' : 'at least'} ${low.value}`]),
    ...(high.value === Infinity ? [] : [`${high.open ? 'below' : 'at most'} ${high.value}`]),
    ...multiples.map((divisor) => `a multiple of ${divisor}`),
    ...notMultiples.map((divisor) => `not a multiple of ${divisor}`),
    ...formats.map((format) => `valid for the format ${format}`),
    ...notFormats.map((format) => `not valid for the format ${format}`),
    ...(except.length === 0 ? [] : [`none of ${except.join(', ')}`]),
  ];
  const last = parts.at(-1) ?? 'there';
  return `no ${integer ? 'whole ' : ''}number is ${parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last}`;
}
