/** Extensions are checked by their published schema, wherever they stand; those of other tools, and names that look like one, are left alone. */

import { describe, expect, it } from 'vitest';
import { checkAnnotations } from '../../../core/annotation.ts';
import { printPlace } from '../../../core/errors.ts';
import { documentOf, type Files, mistakeOf, positionOf } from '../../helpers/contract-text.ts';

async function check(text: string, others: Files = {}): Promise<void> {
  await checkAnnotations(await documentOf(text, others));
}

const inOperation = (lines: string): string => `paths: { /a: { get: { ${lines} } } }\n`;

describe('an extension', () => {
  it.each([
    ['of another tool', 'x-logo: { url: a }\nx-internal: true\nx-tagGroups: []\n'],
    ['that is short as one of ours', 'x-aws: 1\nx-cli: 2\nx-app: 3\nx-amz: 4\nx-ms: 5\nx-id: 6\n'],
    ['in an example', 'components: { examples: { one: { value: { x-api: 5 } } } }\n'],
    ['in a constant', 'components: { schemas: { A: { const: { x-resource: 5 } } } }\n'],
    ['inside another tool’s', 'x-other: { x-api: 5, x-colection: 6 }\n'],
    ['that is a header', inOperation("responses: { '200': { headers: { x-resource: {}, x-app: {} } } }")],
    ['that is a property', 'components: { schemas: { A: { properties: { x-api: {}, x-personel: {} } } } }\n'],
    ['that is a schema', 'components: { schemas: { x-collection: {} } }\n'],
    ['that is a question of a schema', 'components: { schemas: { A: { x-unspecified: why } } }\n'],
  ])('%s is none of ours', async (_, text) => {
    await expect(check(text)).resolves.toBeUndefined();
  });

  it.each([
    ['that is almost one of ours', 'x-invalids: {}\n', 'x-invalids', 'is x-invalid meant?'],
    ['that lacks what it needs', 'x-api: { tenancy: key }\n', 'x-api', 'error'],
    ['of another shape', 'x-invalid: [refused]\n', 'x-invalid', 'object'],
    ['with a value of another kind', 'components: { schemas: { A: { properties: { b: { x-personal: yes } } } } }\n', 'x-personal', 'true'],
    ['of a parameter with an unknown class', inOperation('parameters: [{ x-invalid: { sloppi: refused } }]'), 'sloppi', 'sloppi'],
    ['with a pointer that is none', inOperation('x-resource: { name: a, at: data }'), 'at: data', 'data'],
    ['with a number for a question', 'components: { schemas: { A: { x-unspecified: 5 } } }\n', 'x-unspecified', 'x-unspecified'],
    ['with a question without an end', 'x-unspecified: { why: { question: Why, source: §1, mock: No. } }\n', 'question', 'Why'],
    ['with a question of a wrong name', 'x-unspecified: { Why: { question: Why?, source: §1, mock: No. } }\n', 'Why:', 'Why'],
    ['of an operation at the root', 'x-collection: {}\n', 'x-collection', 'operation'],
  ])('%s is told where it stands', async (_, text, at, words) => {
    const mistake = await mistakeOf(check(text));
    expect(printPlace(mistake.place)).toBe(`api.yaml:${positionOf(text, at)}`);
    expect(mistake.message).toContain(words);
  });

  it('is checked in every file', async () => {
    const other = 'a:\n  get:\n    x-resource: { name: a }\n';
    const mistake = await mistakeOf(check("paths: { /a: { $ref: 'b.yaml#/a' } }\n", { 'b.yaml': other }));
    expect(printPlace(mistake.place)).toBe('b.yaml:3:5');
    expect(mistake.message).toContain('at');
  });

  it('may be open wherever its value may be', async () => {
    const text = inOperation(
      'x-collection: { name: a, items: { unspecified: q }, key: /id, order: { unspecified: q }, page: { style: offset, limit: l, offset: o, total: { unspecified: q } }, filters: { a: { unspecified: q } }, visible: { unspecified: q } }',
    );
    await expect(check(text)).resolves.toBeUndefined();
  });
});
