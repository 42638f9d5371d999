/** Text in Markdown: code in backticks stays code, and no other text becomes markup. */

import { describe, expect, it } from 'vitest';
import { escapeMarkdown } from '../../../reports/render-markdown.ts';

describe('a text', () => {
  it.each<readonly [title: string, text: string, written: string]>([
    ['code spans', '`status` is one of `a_b`, `<c>`', '`status` is one of `a_b`, `<c>`'],
    ['code without a mention, a link or a formula', '`@team` `http://x` `$1`', '`@team` `http://x` `$1`'],
    ['a line that starts with code', '`- a` - b', '`- a` - b'],
    ['a control character in code', '`a\u0007b`', '`a\\u0007b`'],
    ['a single backtick', 'a ` b *c*', 'a \\` b \\*c\\*'],
    ['a bar, which ends a table cell even in code', '`a|b`', '\\`a\\|b\\`'],
    ['empty code, and spaces at its ends', '`` ` a`', '\\`\\` \\` a\\`'],
    ['several backticks in a row', '``a``', '\\`\\`a\\`\\`'],
    ['a formula of GitLab', '$`a`$', '\\$\\`a\\`\\$'],
  ])('keeps or escapes %s', (_title, text, written) => {
    expect(escapeMarkdown(text, 200)).toBe(written);
  });

  it('that is cut inside of code has no open code span', () => {
    expect(escapeMarkdown('see `status`', 8)).toBe('see \\`st…');
  });
});
