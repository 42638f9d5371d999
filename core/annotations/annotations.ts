/** The annotations of a contract (`x-collection`, `x-resource`, `x-parameter-rules`, `x-invalid`, `x-api`) as values, with their open questions answered. */

/** Direction of an order. */
export type Direction = 'ascending' | 'descending';

/** One key of an order: the records are compared by the field at `by`. */
export interface OrderKey {
  /** JSON Pointer into a record. */
  readonly by: string;
  /** The direction of the order. */
  readonly direction: Direction;
}

/** Comparison of values whose schema does not say how they compare. */
export type ComparisonName = 'instant' | 'number' | 'text' | 'date';

/** Comparison of a filter parameter. Bounds of `from` and `to` are inclusive, of `after` and `before` exclusive. */
export type Filter =
  | {
      /** The comparison. */
      readonly operator: 'equals' | 'any-of' | 'from' | 'to' | 'after' | 'before';
      /** JSON Pointer of the compared field in a record. */
      readonly field: string;
      /** The comparison of values; `undefined` if the schema decides it. */
      readonly as: ComparisonName | undefined;
    }
  | {
      readonly operator: 'matches';
      /** JSON Pointers of the searched fields in a record. */
      readonly fields: readonly string[];
      /** True if the search ignores case and accents. */
      readonly fold: boolean;
    };

/** Paging by an opaque cursor. The names are parameters; the pointers lead into the response. */
export interface CursorPage {
  readonly style: 'cursor';
  /** The parameter for the page size. */
  readonly limit: string;
  /** The parameter for the cursor. */
  readonly cursor: string;
  /** JSON Pointer of the next cursor in the response. */
  readonly next: string;
  /** JSON Pointer of the flag for further pages in the response. */
  readonly more: string;
  /** Parameters that must stay unchanged while paging. */
  readonly fixed: readonly string[];
  /** Effect of a changed fixed parameter: the cursor is `refused`, the new value is `ignored`, or the new value is `accepted`. */
  readonly changed: 'refused' | 'ignored' | 'accepted';
}

/** Paging by page numbers that start at 1. */
export interface NumberedPage {
  readonly style: 'page';
  /** The parameter for the page size. */
  readonly limit: string;
  /** The parameter for the page number. */
  readonly page: string;
  /** JSON Pointers of the page size and the page number in the response. */
  readonly echo?: { readonly limit?: string; readonly page?: string };
  /** JSON Pointer of the total in the response. */
  readonly total?: string;
  /** The records in the total: the filtered ones or all of them. Hidden records never count. */
  readonly counts?: 'filtered' | 'overall';
  /** The largest page size that the server returns, even if a request asks for more. */
  readonly cap?: number | null;
  /** The response to a page past the end. */
  readonly beyond?: 'empty' | 'absent' | 'invalid' | 'last';
}

/** Paging by an offset that starts at 0. */
export interface OffsetPage {
  readonly style: 'offset';
  /** The parameter for the page size. */
  readonly limit: string;
  /** The parameter for the offset. */
  readonly offset: string;
  /** JSON Pointer of the total in the response. */
  readonly total?: string;
  /** JSON Pointer of the flag for further pages in the response. */
  readonly more?: string;
}

/** Pagination of a list. */
export type Page = CursorPage | NumberedPage | OffsetPage;

/** Visibility of records for a caller. */
export interface Visibility {
  /** JSON Pointer of the field that decides. */
  readonly field: string;
  /** Values of visible records. */
  readonly shown: readonly string[];
  /** The response to a single read of a hidden record. */
  readonly hidden: 'absent' | 'forbidden' | 'unauthenticated';
}

/** The annotation of a list operation: its records, their order, filters and pages. */
export interface Collection {
  /** The name of the collection. */
  readonly name: string;
  /** JSON Pointer of the array of records in the response. */
  readonly items: string;
  /** JSON Pointer of the identity in a record. */
  readonly key: string;
  /** JSON Pointer of the instant of the last change in a record. */
  readonly version?: string;
  /** The order of the records, the most significant key first; empty if it is unknown. */
  readonly order: readonly OrderKey[];
  /** The pagination. */
  readonly page: Page;
  /** Filters by parameter name. */
  readonly filters: ReadonlyMap<string, Filter>;
  /** The visible records; absent if all are visible. */
  readonly visible?: Visibility;
  /** JSON Pointer of the object beside the list, such as the business that the records belong to. */
  readonly head?: string;
}

/** The annotation of an operation that reads one record or document. */
export interface Resource {
  /** The name of the resource; for a record of a collection, the name of the collection. */
  readonly name: string;
  /** Name of the view, if several operations show the same resource in different forms. Each view exists exactly when the resource does. */
  readonly view?: string;
  /** JSON Pointer of the resource in the response. */
  readonly at: string;
  /** JSON Pointers of record fields by parameter; empty for a singleton resource. */
  readonly by: ReadonlyMap<string, string>;
}

/** A rule about several parameters. */
export type ParameterRule =
  | {
      readonly rule: 'exactly-one-of';
      /** Names of the parameters. */
      readonly parameters: readonly string[];
    }
  | {
      readonly rule: 'ordered';
      /** Names of the parameters, the smallest value first. */
      readonly parameters: readonly string[];
    };

/** Class of a mistake in a request. */
export type InvalidClass = 'malformed' | 'out-of-range' | 'unknown-value' | 'broken-rule' | 'damaged-cursor' | 'sloppy' | 'undeclared';

/** Reaction of a server to a mistake in a request. */
export type InvalidAnswer = 'refused' | 'ignored' | 'clamped' | 'accepted' | 'empty';

/** The reaction to each class. */
export type InvalidAnswers = Readonly<Record<InvalidClass, InvalidAnswer>>;

/** Reason why a request does not simply succeed; each has an HTTP status. */
export type Condition = 'unauthenticated' | 'throttled' | 'forbidden' | 'unavailable' | 'invalid' | 'absent' | 'unchanged';

/** Pointers into the body of every error. */
export interface ErrorShape {
  /** JSON Pointer of the error code. */
  readonly code: string;
  /** JSON Pointer of the message. */
  readonly message: string;
  /** JSON Pointer of the request id; `undefined` if there is none. */
  readonly request: string | undefined;
}
