/** The rules that the extensions of a contract file state, as closed values: every open question is answered before they are read. */

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

/** Paging by an opaque cursor. The names are parameters; the pointers lead into the answer. */
export interface CursorPage {
  readonly style: 'cursor';
  /** The parameter for the page size. */
  readonly limit: string;
  /** The parameter for the cursor. */
  readonly cursor: string;
  /** JSON Pointer of the next cursor in the answer. */
  readonly next: string;
  /** JSON Pointer of the flag for further pages in the answer. */
  readonly more: string;
  /** Parameters that must stay unchanged while paging. */
  readonly fixed: readonly string[];
  /** Effect of a changed fixed parameter: the cursor is refused, the values of the cursor win, or those of the request do. */
  readonly changed: 'refused' | 'ignored' | 'accepted';
}

/** Paging by page numbers that start at 1. */
export interface NumberedPage {
  readonly style: 'page';
  /** The parameter for the page size. */
  readonly limit: string;
  /** The parameter for the page number. */
  readonly page: string;
  /** JSON Pointers of the page size and the page number in the answer. */
  readonly echo?: { readonly limit?: string; readonly page?: string };
  /** JSON Pointer of the total in the answer. */
  readonly total?: string;
  /** The records in the total: the filtered ones or all of them, without those that the caller may not see. */
  readonly counts?: 'filtered' | 'overall';
  /** The largest page size that is served, whatever is asked for. */
  readonly cap?: number | null;
  /** The answer to a page past the end. */
  readonly beyond?: 'empty' | 'absent' | 'invalid' | 'last';
}

/** Paging by an offset that starts at 0. */
export interface OffsetPage {
  readonly style: 'offset';
  /** The parameter for the page size. */
  readonly limit: string;
  /** The parameter for the offset. */
  readonly offset: string;
  /** JSON Pointer of the total in the answer. */
  readonly total?: string;
  /** JSON Pointer of the flag for further pages in the answer. */
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
  /** The answer to a single read of a hidden record. */
  readonly hidden: 'absent' | 'forbidden' | 'unauthenticated';
}

/** A list operation: which records it lists, in which order, and how it filters and pages them. */
export interface Collection {
  /** The name of the collection. */
  readonly name: string;
  /** JSON Pointer of the array of records in the answer. */
  readonly items: string;
  /** JSON Pointer of the identity in a record. */
  readonly key: string;
  /** JSON Pointer of the instant of the last change in a record. */
  readonly version?: string;
  /** The order of the records, the most significant key first. */
  readonly order: readonly OrderKey[];
  /** The pagination. */
  readonly page: Page;
  /** By parameter. */
  readonly filters: ReadonlyMap<string, Filter>;
  /** The records that a caller may see; absent if they are all visible. */
  readonly visible?: Visibility;
  /** JSON Pointer of the object that carries what stands beside the list, such as its business. */
  readonly head?: string;
}

/** A single read. */
export interface Resource {
  /** The name of the resource; that of a collection if it is one of its records. */
  readonly name: string;
  /** Another view of the same thing: present and absent together with it. */
  readonly view?: string;
  /** JSON Pointer of the resource in the answer. */
  readonly at: string;
  /** Parameter → field of the record; empty for a resource that exists once. */
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

/** The answer for each class. */
export type InvalidAnswers = Readonly<Record<InvalidClass, InvalidAnswer>>;

/** Why a request does not get a plain success; each is shown by its HTTP status. */
export type Condition = 'unauthenticated' | 'throttled' | 'forbidden' | 'unavailable' | 'invalid' | 'absent' | 'unchanged';

/** The body of every error: pointers into it. */
export interface ErrorShape {
  /** JSON Pointer of the error code. */
  readonly code: string;
  /** JSON Pointer of the message. */
  readonly message: string;
  /** JSON Pointer of the request id; `undefined` if there is none. */
  readonly request: string | undefined;
}
