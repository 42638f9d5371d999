/**
 * Members and elements that may have no value; results are written as JSON, which has no `undefined`. Whatever builds results or options leaves them out by
 * `withoutUndefined`: `verify`, `watch`, the commands and the adapter for test runners. The rules and `find-wrong-responses.ts` use `definedOf` for lists.
 */

/** The members that have a value: `{ id: 1, hint: undefined }` gives `{ id: 1 }`. */
export function withoutUndefined<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as ReturnType<typeof withoutUndefined<T>>;
}

/** The elements that have a value. */
export function definedOf<T>(...elements: readonly (T | undefined)[]): readonly T[] {
  return elements.filter((element) => element !== undefined);
}
