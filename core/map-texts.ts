/**
 * Changes every text of a value. At the end of each check, `play-run.ts` hides keys by it in the result, and so do `judge-interaction.ts` of `pact verify` in
 * failures and `verify-command.ts` in the whole run. `print-redacted-counterexample.ts` hides the keys of calls, and puts them back for replay. It knows no
 * secrets; those are in `redact-secrets.ts`.
 */

import { memoize } from './memo.ts';

/** Changes the texts of a value, the names of members too, and each number whose text changes. A distinct text is changed once, since texts repeat often. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const changeOnce = memoize(change);
  const visit = (each: unknown): unknown => {
    if (typeof each === 'string') return changeOnce(each);
    if (typeof each === 'number') return changeOnce(String(each)) === String(each) ? each : changeOnce(String(each));
    if (Array.isArray(each)) return each.map(visit);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [changeOnce(name), visit(member)]));
  };
  return visit(value) as T;
}
