/**
 * Drops members and elements without a value, since JSON has no `undefined`. The files that build results or options call `withoutUndefined`: those of
 * `verify`, its watch, the commands and the matchers for test runners. Rules, `judge-page-boundaries.ts` and `wrong-responses-of-violation.ts` call
 * `definedOf` for lists of replies or records.
 */

/** The members that have a value: `{ id: 1, hint: undefined }` gives `{ id: 1 }`. */
export function withoutUndefined<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as ReturnType<typeof withoutUndefined<T>>;
}

/** The elements that have a value. */
export function definedOf<T>(...elements: readonly (T | undefined)[]): readonly T[] {
  return elements.filter((element) => element !== undefined);
}
