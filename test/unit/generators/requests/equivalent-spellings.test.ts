/** Equivalent spellings of a request, chosen by numbers. */

import { describe, expect, it } from 'vitest';
import { printParameter } from '../../../../core/parameters/parse-parameter.ts';
import { SpellingChoices, varyHeaderName, varySpelling } from '../../../../generators/requests/equivalent-spellings.ts';
import { parameterOf } from '../../../helpers/contracts/contract-text.ts';

const all = (choice: number): SpellingChoices => new SpellingChoices([choice]);

describe('a spelling', () => {
  it.each([
    [[], 'color=a%20b%2Cc%3A'],
    [[0], 'color=a%20b%2Cc%3A'],
    [[1], '%63%6F%6C%6F%72=%61%20%62%2c%63%3a'],
    [[2], '%63%6f%6c%6f%72=%61+%62%2C%63:'],
    [[11], 'color=a%20b%2Cc%3A'],
  ])('of a text in the query, chosen by %j, is %s', async (numbers, spelled) => {
    const parameter = await parameterOf('in: query', '{ type: string }');
    expect(varySpelling(parameter, printParameter(parameter, 'a b,c:'), new SpellingChoices(numbers))).toBe(spelled);
  });

  it('of a list may encode the commas only where no member can hold one', async () => {
    const [safe, unsafe] = await Promise.all(
      ['{ enum: ["1", "2"] }', '{ type: string }'].map((items) =>
        parameterOf('in: query, explode: false', `{ type: array, items: ${items} }`),
      ),
    );
    if (safe === undefined || unsafe === undefined) throw new Error('both are there');
    expect(varySpelling(safe, 'color=1,2', all(1))).toBe('%63%6F%6C%6F%72=%31%2C%32');
    expect(varySpelling(unsafe, 'color=1,2', all(1))).toBe('%63%6F%6C%6F%72=%31,%32');
  });

  it('of a deep object may leave its brackets as they are', async () => {
    const parameter = await parameterOf('in: query, style: deepObject, explode: true', '{ type: object, properties: { a: {} } }');
    expect(varySpelling(parameter, 'color%5Ba%5D=%2F', all(2))).toBe('%63%6f%6c%6f%72[%61]=/');
  });

  it('of a path keeps the dots, and the name of a matrix parameter', async () => {
    const label = await parameterOf('in: path, style: label', '{ type: array, items: { type: integer } }');
    const matrix = await parameterOf('in: path, style: matrix', '{ type: string }');
    expect(varySpelling(label, '.1,2', all(1))).toBe('.%31,%32');
    expect(varySpelling(matrix, ';color=a%2F', all(1))).toBe(';color=a%2f');
  });

  it('of a header may have spaces after commas, and names in any case', async () => {
    const parameter = await parameterOf('in: header', '{ type: array, items: { type: integer } }');
    expect(varySpelling(parameter, '1,2', all(1))).toBe('1, 2');
    expect([0, 1, 2, 3].map((choice) => varyHeaderName('X-Some', all(choice)))).toEqual(['X-Some', 'x-some', 'X-SOME', 'X-Some']);
  });

  it('shuffles by the given numbers, not at random', () => {
    expect(new SpellingChoices([]).shuffle(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
    expect(new SpellingChoices([2, 0, 1]).shuffle(['a', 'b', 'c'])).toEqual(['b', 'c', 'a']);
  });
});
