/**
 * Errors of the generators. An arbitrary that cannot be built throws `Unsatisfiable` or `Unsupported` at once; `Exhausted` may also be thrown while values are
 * drawn.
 */

/** No instance exists: the constraints of the schema contradict each other. */
export class Unsatisfiable extends Error {
  override readonly name = 'Unsatisfiable' as const;
  /** Location in the schema: a JSON Pointer as a URI fragment (`#/properties/a`). A URI or file precedes it in another document. */
  readonly path: string;
  /** The constraints that contradict each other. */
  readonly why: string;

  constructor(path: string, why: string) {
    super(`${path}: no instance exists, because ${why}`);
    this.path = path;
    this.why = why;
  }
}

/** Instances may exist, but cannot be generated: a keyword is malformed, a reference cannot be resolved, or a pattern is too complex. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported' as const;
  /** Location in the schema, as in `Unsatisfiable`. */
  readonly path: string;
  /** The keyword that cannot be generated from. */
  readonly keyword: string;

  constructor(path: string, keyword: string, why: string, options?: ErrorOptions) {
    super(`${path}: cannot generate from ${keyword}: ${why}`, options);
    this.path = path;
    this.keyword = keyword;
  }
}

/** Returns the result of a call; `undefined` if it throws one of these errors. Other errors pass. */
export function undefinedOn<T>(make: () => T, ...errors: readonly (new (...parameters: never[]) => Error)[]): T | undefined {
  try {
    return make();
  } catch (error) {
    if (errors.some((type) => error instanceof type)) return undefined;
    throw error;
  }
}

/** No suitable value was drawn in many attempts. Another seed may succeed. If it happens often, narrow the schema. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted' as const;

  constructor(what: string, attempts?: number) {
    super(
      `${what} was not found${attempts === undefined ? '' : ` in ${attempts} attempts`}; narrow the schema so that more combinations of its parts are valid`,
    );
  }
}

/** Returns the result of a call; `undefined` if it throws `Exhausted`. */
export function undefinedIfExhausted<T>(make: () => T): T | undefined {
  return undefinedOn(make, Exhausted);
}
