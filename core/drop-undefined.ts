/** Drops members and elements without a value, since JSON has no `undefined`. What is nested in them stays as it is. */

/** The members that have a value: `{ id: 1, hint: undefined }` gives `{ id: 1 }`. */
export function withoutUndefined<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as ReturnType<typeof withoutUndefined<T>>;
}

/** The elements that have a value. */
export function definedOf<T>(...elements: readonly (T | undefined)[]): readonly T[] {
  return elements.filter((element) => element !== undefined);
}
