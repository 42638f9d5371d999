/** What counts as a JSON object. */

import { describe, expect, it } from 'vitest';
import { isObject } from '../../../core/json.ts';

describe('a JSON object', () => {
  it('is an object with members or none', () => {
    expect([{}, { a: 1 }, Object.create(null)].map(isObject)).toEqual([true, true, true]);
  });

  it('is neither null, nor an array, nor a plain value', () => {
    expect([null, [], [{}], 'a', '', 0, true, undefined].filter(isObject)).toEqual([]);
  });
});
