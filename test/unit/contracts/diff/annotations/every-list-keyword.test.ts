/** Every annotation keyword of lists: an edit is one change, with its level and lines. */

import { it } from 'vitest';
import { expectReportedOnce } from './confirm-change.ts';
import { isOfFile, keywordEdits } from './keyword-edits.ts';

it.each(Object.entries(keywordEdits).filter(([word]) => !isOfFile(word)))('%s is reported once', (_, expected) =>
  expectReportedOnce(expected),
);
