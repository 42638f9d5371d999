/** The mock's own answer to an open question lies inside all other answers, wherever one of the listed answers does. */

import { describe, expect, it } from 'vitest';
import type { Question } from '../../../core/annotations/open-questions.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { valueAt } from '../../../core/pointer.ts';
import { contractFile, listShipped } from '../../../core/shipped-files.ts';
import { createInclusions, type Inclusions } from '../../../generators/schema-inclusion.ts';
import { openContract } from '../../helpers/exchange-judge.ts';

/** The answers of a question beside schemas of bodies that are inside all its other answers. A field that is left out is never a value of its type. */
function innermost({ choices, pointers }: Question, schemaAt: (pointer: string) => Schema, inclusions: Inclusions): readonly string[] {
  const isInside = (one: Schema, other: Schema): boolean =>
    pointers.every((pointer) => inclusions.separate([schemaAt(pointer), one], other).kind === 'none');
  return [...choices].flatMap(([name, own]) => {
    const others = [...choices].filter(([other]) => other !== name).map(([, schema]) => schema as Schema);
    return name !== 'absent' && others.every((other) => isInside(own as Schema, other)) ? [name] : [];
  });
}

describe.each(listShipped())('the mock of the %s contract', async (name) => {
  const { document, questions } = await openContract(contractFile(name));
  const inclusions = createInclusions(document);
  const schemaAt = (pointer: string): Schema => valueAt(rawOf(document).root, pointer) as Schema;
  const asked = [...questions.values()].filter(
    ({ choices, pointers }) => choices.size > 1 && pointers.every((pointer) => !pointer.includes('x-')),
  );

  it.each(asked.map((question) => [question.id, question] as const))('answers inside every reading if it can: %s', (_, question) => {
    const inside = innermost(question, schemaAt, inclusions);
    expect(inside.length === 0 ? [question.mock] : inside).toEqual([question.mock]);
  });

  it('can in as many questions as are listed here', () => {
    const able = asked.filter((question) => innermost(question, schemaAt, inclusions).length > 0).map(({ id }) => id);
    expect(able).toEqual(name === 'business' ? ['no-table', 'unpaid', 'unknown-customer', 'empty-notes'] : ['smallest-page']);
  });
});
