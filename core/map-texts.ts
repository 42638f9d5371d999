import { memoize } from './memo.ts';

/** Changes every text of a value: strings, names of members, and numbers whose text changes. Each distinct text is changed once, since texts repeat often. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const changeOnce = memoize(change);
  const visit = (each: unknown): unknown => {
    if (typeof each === 'string') return changeOnce(each);
    if (typeof each === 'number' || typeof each === 'bigint')
      return changeOnce(String(each)) === String(each) ? each : changeOnce(String(each));
    if (Array.isArray(each)) return each.map(visit);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [changeOnce(name), visit(member)]));
  };
  return visit(value) as T;
}
