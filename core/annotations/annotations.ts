/** The rules that the extensions of a contract file state, as closed values: every open question is answered before they are read. */

/** Which way an order goes. */
export type Direction = 'ascending' | 'descending';

/** One key of an order: the records are compared by the field at `by`. */
export interface OrderKey {
  /** JSON Pointer into a record. */
  readonly by: string;
  readonly direction: Direction;
}

/** How values are compared where the field's schema does not say it already. */
export type ComparisonName = 'instant' | 'number' | 'text' | 'date';

/** What a filter parameter compares. Bounds of `from` and `to` are inclusive, of `after` and `before` exclusive. */
export type Filter =
  | {
      readonly operator: 'equals' | 'any-of' | 'from' | 'to' | 'after' | 'before';
      readonly field: string;
      readonly as: ComparisonName | undefined;
    }
  | { readonly operator: 'matches'; readonly fields: readonly string[]; readonly fold: boolean };

/** Paging by an opaque cursor. The names are parameters; the pointers lead into the answer. */
export interface CursorPage {
  readonly style: 'cursor';
  readonly limit: string;
  readonly cursor: string;
  readonly next: string;
  readonly more: string;
  /** Parameters that must stay unchanged while paging. */
  readonly fixed: readonly string[];
  /** What a cursor answers when one of them changed: it is refused, the cursor's values win, or the request's do. */
  readonly changed: 'refused' | 'ignored' | 'accepted';
}

/** Paging by page numbers that start at 1. */
export interface NumberedPage {
  readonly style: 'page';
  readonly limit: string;
  readonly page: string;
  readonly echo?: { readonly limit?: string; readonly page?: string };
  readonly total?: string;
  /** Whether the total counts the filtered records or all of them; records that the caller may not see never count. */
  readonly counts?: 'filtered' | 'overall';
  /** The largest page size that is served, whatever is asked for. */
  readonly cap?: number | null;
  /** What a page past the end is. */
  readonly beyond?: 'empty' | 'absent' | 'invalid' | 'last';
}

/** Paging by an offset that starts at 0. */
export interface OffsetPage {
  readonly style: 'offset';
  readonly limit: string;
  readonly offset: string;
  readonly total?: string;
  readonly more?: string;
}

/** How a list is cut into pages. */
export type Page = CursorPage | NumberedPage | OffsetPage;

/** Which records a caller may see. */
export interface Visibility {
  readonly field: string;
  readonly shown: readonly string[];
  /** What the single read of a hidden record answers. */
  readonly hidden: 'absent' | 'forbidden' | 'unauthenticated';
}

/** A list operation: which records it lists, in which order, and how it filters and pages them. */
export interface Collection {
  readonly name: string;
  /** JSON Pointer of the array of records in the answer. */
  readonly items: string;
  /** JSON Pointer of the identity in a record. */
  readonly key: string;
  /** JSON Pointer of the instant of the last change in a record. */
  readonly version?: string;
  readonly order: readonly OrderKey[];
  readonly page: Page;
  /** By parameter. */
  readonly filters: ReadonlyMap<string, Filter>;
  readonly visible?: Visibility;
  /** JSON Pointer of the object that carries what stands beside the list, such as its business. */
  readonly head?: string;
}

/** A single read. */
export interface Resource {
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
  | { readonly rule: 'exactly-one-of'; readonly parameters: readonly string[] }
  | { readonly rule: 'ordered'; readonly parameters: readonly string[] };

/** What can be wrong with a request. */
export type InvalidClass = 'malformed' | 'out-of-range' | 'unknown-value' | 'broken-rule' | 'damaged-cursor' | 'sloppy' | 'undeclared';

/** What a server does about it. */
export type InvalidAnswer = 'refused' | 'ignored' | 'clamped' | 'accepted' | 'empty';

/** The answer for each class. */
export type InvalidAnswers = Readonly<Record<InvalidClass, InvalidAnswer>>;

/** Why a request does not get a plain success; each is shown by its HTTP status. */
export type Condition = 'unauthenticated' | 'throttled' | 'forbidden' | 'unavailable' | 'invalid' | 'absent' | 'unchanged';

/** What every error body looks like: pointers into it, and its schema. */
export interface ErrorShape {
  readonly code: string;
  readonly message: string;
  readonly request: string | undefined;
}
