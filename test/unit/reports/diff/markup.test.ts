/** The strict reader of markup refuses what it should, since the tests of reports rely on it. */

import { describe, expect, it } from 'vitest';
import { elementsOf, readMarkup } from '../../../helpers/reports/strict-markup.ts';

describe('the reader of markup', () => {
  it('gives elements, their attributes and their text', () => {
    const root = readMarkup('<!DOCTYPE html>\n<p id="a" hidden>x &lt;b&gt; <em>y</em><br></p><style>a > b { }</style>');
    const [paragraph] = elementsOf(root, 'p');
    expect(paragraph).toMatchObject({ attributes: { id: 'a', hidden: '' }, text: 'x <b> y' });
    expect(elementsOf(root, 'style')[0]?.text).toBe('a > b { }');
  });

  it.each([
    ['a tag that is never closed', '<p>'],
    ['a tag that is closed in the wrong place', '<p><b></p></b>'],
    ['a tag that is none', '<p>a < b</p>'],
    ['a comment', '<p><!-- --></p>'],
    ['a quote that ends an attribute', '<p title="a"b">x</p>'],
    ['an ampersand', '<p>a & b</p>'],
    ['a reference that it does not know', '<p>&nbsp;</p>'],
    ['a control character', '<p>\u0007</p>'],
    ['half a character', '<p>\ud800</p>'],
    ['what is no character', '<p>\ufffe</p>'],
  ])('refuses %s', (_, markup) => {
    expect(() => readMarkup(markup)).toThrow();
  });
});
