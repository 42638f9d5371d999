/** Comparing what parts of exchanges say for people. */

import type { JsonObject } from '../../core/json.ts';
import { type Comparing, isSame, member, reportAt } from './comparing.ts';
import type { OperationPair } from './description.ts';

/** Compares descriptions, links and marks: they change no exchange. */
export function compareWords(
  comparing: Comparing,
  pair: OperationPair,
  subject: string,
  location: string,
  old: JsonObject,
  next: JsonObject,
): void {
  for (const keyword of ['description', 'links', 'deprecated']) {
    if (isSame(old[keyword], next[keyword])) continue;
    reportAt(comparing, pair.new.name, {
      id: `${subject}/${keyword}-changed`,
      level: keyword === 'description' ? 'documentation' : 'compatible',
      location,
      before: member(comparing, old, keyword),
      after: member(comparing, next, keyword),
      subject: keyword,
      text: `${keyword} changed`,
    });
  }
}
