import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type Element, elementsOf } from '../../helpers/reports/strict-markup.ts';

/** Expects a content security policy that allows the page's own style and script, by their hashes, and nothing else. */
export function expectOwnPartsOnly(root: Element): void {
  const [policy] = elementsOf(root, 'meta').filter(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy');
  const hashOf = (name: string): string =>
    createHash('sha256')
      .update(elementsOf(root, name)[0]?.text ?? '')
      .digest('base64');
  expect(policy?.attributes['content']).toBe(
    `default-src 'none'; style-src 'sha256-${hashOf('style')}'; script-src 'sha256-${hashOf('script')}'; base-uri 'none'; form-action 'none'`,
  );
}
