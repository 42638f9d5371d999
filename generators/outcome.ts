/** The two reasons for which a schema has no arbitrary. There is no third: nothing is guessed, and nothing is replaced by a stub. */

/** No instance exists: what the schema demands cannot be met at once. */
export class Unsatisfiable extends Error {
  override readonly name = 'Unsatisfiable' as const;
  /** Where in the schema: a JSON Pointer as a URI fragment (`#/properties/a`), after a URI or a file where it stands in another document. */
  readonly path: string;
  /** Which demands clash. */
  readonly why: string;

  constructor(path: string, why: string) {
    super(`${path}: no instance exists, because ${why}`);
    this.path = path;
    this.why = why;
  }
}

/** Instances may exist, but this generator cannot make them: a keyword is malformed, a reference leads nowhere, or a pattern is beyond it. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported' as const;
  /** Where in the schema, as for `Unsatisfiable`. */
  readonly path: string;
  /** The keyword that cannot be generated from. */
  readonly keyword: string;

  constructor(path: string, keyword: string, why: string, options?: ErrorOptions) {
    super(`${path}: ${keyword} cannot be generated from, because ${why}`, options);
    this.path = path;
    this.keyword = keyword;
  }
}

/** The result of a call; `undefined` where it throws an error of one of some kinds. */
export function unless<T>(make: () => T, ...kinds: readonly (new (...given: never[]) => Error)[]): T | undefined {
  try {
    return make();
  } catch (error) {
    if (kinds.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
