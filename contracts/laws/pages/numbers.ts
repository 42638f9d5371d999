/** The law about pages and page sizes that are no numbers, or no sensible ones. */

import type { Law } from '../../law.ts';
import { parameterPlace } from '../../list-clause.ts';
import { isNumbered, type NumberedOperation, numbered, positionParameter } from '../../numbered.ts';
import { examineOddities, type Oddity } from '../../oddity.ts';
import { recordsIn } from '../../reply.ts';

/** The law. */
export const numbers: Law = {
  id: 'pages/numbers',
  title: 'A page or a page size that makes no sense is no server error',
  why: 'Links are edited by hand and by robots; a list that breaks on page 0 fills logs and hides real failures.',
  strength: 'implied',
  clause: (operation) => (isNumbered(operation) ? parameterPlace(operation, operation.collection.page.limit) : undefined),
  examine: async (lab, operation) => {
    const oddities = odditiesOf(numbered(operation));
    // The few that break most: a division by zero, a text, a negative offset.
    const chosen = lab.quick ? oddities.slice(0, 3) : oddities;
    return examineOddities(lab, chosen, (reply) => (recordsIn(reply) === undefined ? 'and no list' : undefined));
  },
};

/** Past every list, and past 32 bits. */
const huge = '999999999999';

function odditiesOf(operation: NumberedOperation): readonly Oddity[] {
  const { limit } = operation.collection.page;
  const position = positionParameter(operation);
  const texts: readonly (readonly [string, string])[] = [
    [limit, '0'],
    [position, 'abc'],
    [position, '-1'],
    [limit, 'abc'],
    [limit, '-1'],
    [limit, huge],
    [position, huge],
    [position, '1.5'],
    ...(operation.collection.page.style === 'page' ? [[position, '0'] as const] : []),
  ];
  return texts.map(([name, text]) => ({
    call: { operation, raw: [`${encodeURIComponent(name)}=${text}`] },
    what: `${name}=${text}`,
    clause: parameterPlace(operation, name),
  }));
}
