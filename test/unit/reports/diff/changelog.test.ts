/** The section of a changelog: what consumers notice, under the heading that they look for. */

import { describe, expect, it } from 'vitest';
import { renderChangelog } from '../../../../reports/diff/changelog.ts';
import { changeOf, comparisonOf, mildOf } from '../../../helpers/reports/sample-comparisons.ts';

describe('the section', () => {
  it('has what breaks first, and no words that changed', () => {
    const changes = [
      changeOf({ text: 'the value "archived" was added', reason: 'A client may meet it.' }),
      mildOf('risky', { id: 'query-parameter/maximum-changed', text: 'the maximum is 50' }),
      mildOf('compatible', { id: 'query-parameter/added' }),
      mildOf('compatible', { id: 'operation/deprecated', location: '', text: 'the operation is deprecated' }),
      mildOf('compatible', { id: 'operation/removed', location: '', text: 'the operation was removed' }),
      mildOf('documentation', { text: 'the description changed' }),
    ];
    expect(renderChangelog(comparisonOf(changes))).toBe(`## Unreleased

### Breaking

- \`GET /things\`, \`response 200, items[].state\`: The value "archived" was added. A client may meet it.

### Added

- \`GET /things\`, \`query parameter tag\`: The parameter tag was added.

### Changed

- \`GET /things\`, \`query parameter tag\`: The maximum is 50.

### Deprecated

- \`GET /things\`: The operation is deprecated.

### Removed

- \`GET /things\`: The operation was removed.
`);
  });

  it.each([
    ['response-body-property/property-added', 'Added'],
    ['request-body/required-added', 'Added'],
    ['response/success-status-removed', 'Removed'],
    ['request-body/maximum-removed', 'Changed'],
    ['query-parameter/default-added', 'Changed'],
    ['operation/sunset-added', 'Deprecated'],
    ['operation/reactivated', 'Changed'],
  ])('puts %s under %s', (id, heading) => {
    expect(renderChangelog(comparisonOf([mildOf('compatible', { id })]))).toContain(`### ${heading}\n`);
  });

  it('holds what was accepted: consumers see it all the same', () => {
    const accepted = [{ change: changeOf(), reason: 'Nobody reads it', expires: undefined }];
    expect(renderChangelog(comparisonOf([], { accepted }))).toContain('### Breaking\n\n- `GET /things`, `response 200');
  });

  it('tells the same thing once, and names what a shared change reaches', () => {
    const operations = ['GET /a', 'GET /b', 'GET /c', 'GET /d', 'GET /e'];
    const text = renderChangelog(comparisonOf([changeOf({ operations }), changeOf({ operations, fingerprint: 'ffffffffffff' })]));
    expect(text.match(/^- /gm)).toHaveLength(1);
    expect(text).toContain('- `GET /a`, `GET /b`, `GET /c` and 2 more, `response 200, items[].state`: ');
  });

  it('is headed by the new version, or by none when it stayed', () => {
    const same = { file: 'new.yaml', title: 'Things', version: '1.2.0' };
    expect(renderChangelog(comparisonOf([], { new: same }))).toBe('## Unreleased\n\nNo changes for consumers.\n');
    expect(renderChangelog(comparisonOf([], { new: { ...same, version: '' } }))).toMatch(/^## Unreleased\n/);
  });
});
