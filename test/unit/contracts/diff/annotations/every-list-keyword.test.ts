/** Every annotation keyword of lists: an edit is one change, with its level and lines. */

import { it } from 'vitest';
import { expectToldOnce } from './confirm-change.ts';
import { isOfFile, vocabularyEdits } from './keyword-edits.ts';

it.each(Object.entries(vocabularyEdits).filter(([word]) => !isOfFile(word)))('%s is told once', (_, expected) => expectToldOnce(expected));
