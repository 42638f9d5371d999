/** Every word of the annotations that says something of a list: an edit of it is one change, as grave as it is, at its lines. */

import { it } from 'vitest';
import { expectToldOnce } from './confirm-change.ts';
import { isOfFile, vocabularyEdits } from './keyword-edits.ts';

it.each(Object.entries(vocabularyEdits).filter(([word]) => !isOfFile(word)))('%s is told once', (_, expected) => expectToldOnce(expected));
