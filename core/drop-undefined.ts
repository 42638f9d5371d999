/**
 * Drops members and elements without a value, since JSON has no `undefined`. `verify`, its watch, `run-result-and-events.ts`, the commands and the matchers for
 * test runners call `withoutUndefined` each time they build results or options. Rules, `judge-page-boundaries.ts` and `wrong-responses-of-violation.ts` call
 * `definedOf` for lists of replies or records. It drops nothing inside of members.
 */

/** The members that have a value: `{ id: 1, hint: undefined }` gives `{ id: 1 }`. */
export function withoutUndefined<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as ReturnType<typeof withoutUndefined<T>>;
}

/** The elements that have a value. */
export function definedOf<T>(...elements: readonly (T | undefined)[]): readonly T[] {
  return elements.filter((element) => element !== undefined);
}
