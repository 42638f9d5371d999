/** What the inference returns: guesses about a contract, each with its confidence and its reason. The reasons are data; reports make sentences of them. */

import type { Filter } from '../annotations/annotations.ts';
import type { Operation } from '../openapi/operation.ts';

/** Why something is guessed: the kind of evidence, and the name in the file that shows it. */
export interface Reason {
  readonly by:
    | 'annotation'
    | 'array-body'
    | 'container-name'
    | 'path-noun'
    | 'only-array'
    | 'several-arrays'
    | 'path-parameter'
    | 'identifier-name'
    | 'parameter-name'
    | 'parameter-alone'
    | 'field-name'
    | 'field-part'
    | 'same-schema'
    | 'path-below'
    | 'method'
    | 'text-search'
    | 'vendor-extension'
    | 'link'
    | 'member-name'
    | 'response'
    | 'contradicting-response';
  /** The name that the evidence is about. */
  readonly name: string;
}

/** A guess. */
export interface Guess<T> {
  readonly value: T;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly reason: Reason;
}

/** The confidence from which on a guess is used without being asked. */
const sureFrom = 0.9;

/** True for a guess that is used without being asked. */
export function isSure<T>(guess: Guess<T> | undefined): guess is Guess<T> {
  return guess !== undefined && guess.confidence >= sureFrom;
}

/** The pages of a list as files describe them. The names are parameters; the pointers lead into the response. */
export interface Paging {
  /** `keyset` continues after the id of a record; `limit` has no second page. */
  readonly style: 'cursor' | 'page' | 'offset' | 'keyset' | 'limit';
  readonly limit: string | undefined;
  /** The parameter of the cursor, the page number, the offset or the id. */
  readonly start: string | undefined;
  /** The number of the first page, or the offset of the first record. */
  readonly firstPage: number;
  readonly members: PageMembers;
}

/** Pointers of the members about pages in the response of a list. */
export interface PageMembers {
  readonly total?: string;
  readonly pages?: string;
  readonly page?: string;
  readonly limit?: string;
  readonly offset?: string;
  readonly more?: string;
  /** Opposite of `more`. */
  readonly isLast?: string;
  /** The next cursor or page number. */
  readonly next?: string;
  /** The URL of the next page, and of the previous one. */
  readonly nextLink?: string;
  readonly previousLink?: string;
  /** The keys of the first and of the last record of the page. */
  readonly firstKey?: string;
  readonly lastKey?: string;
  /** The number of records in the page. */
  readonly count?: string;
}

/** A set of records at one path, such as `/users/{user}/posts`: each parent has its own. */
export interface InferredCollection {
  readonly name: string;
  /** The path of the collection, without the names of its parameters. */
  readonly base: string;
  /** JSON Pointer of the identity in a record. */
  readonly key: Guess<string> | undefined;
  /** JSON Pointers of the instants of the last change and of the creation. */
  readonly version: Guess<string> | undefined;
  readonly created: Guess<string> | undefined;
  /** The collections of the parents, for the parameters of the path from the left. */
  readonly parents: readonly (Guess<string> | undefined)[];
  readonly lists: readonly InferredList[];
  readonly details: readonly InferredDetail[];
  readonly writes: readonly InferredWrite[];
  readonly references: readonly Reference[];
}

/** An operation that lists records of a collection. */
export interface InferredList {
  readonly operation: Operation;
  readonly items: Guess<string>;
  readonly paging: Guess<Paging> | undefined;
  /** By parameter; a path parameter is one if the records name their parent. */
  readonly filters: ReadonlyMap<string, Guess<Filter>>;
  readonly sort: Guess<Sort> | undefined;
}

/** How a list is sorted on request. */
export interface Sort {
  /** The parameter with the field. */
  readonly parameter: string;
  /** The parameter with the direction. */
  readonly direction: string | undefined;
  /** JSON Pointers of fields, by the value of the parameter without its sign. */
  readonly fields: ReadonlyMap<string, string>;
}

/** An operation that reads one record of a collection. */
export interface InferredDetail {
  readonly operation: Operation;
  /** JSON Pointer of the record in the response. */
  readonly at: Guess<string>;
  /** The parameter with the key. */
  readonly parameter: string;
}

/** An operation that changes records of a collection. */
export interface InferredWrite {
  readonly operation: Operation;
  readonly kind: Guess<'create' | 'replace' | 'update' | 'delete' | 'action'>;
  /** The parameter with the key; `undefined` for a creation. */
  readonly parameter: string | undefined;
  /** JSON Pointers of the record in the request and in the response; `undefined` if there is none. */
  readonly sent: string | undefined;
  readonly shown: string | undefined;
}

/** A field that names a record of another collection. */
export interface Reference {
  /** JSON Pointer of the field in the record. */
  readonly field: string;
  readonly target: Guess<string>;
}

/** An operation that gives a token for credentials. */
export interface InferredLogin {
  readonly operation: Operation;
  /** JSON Pointer of the token in the response. */
  readonly token: Guess<string>;
}

/** JSON Pointers into the body of errors. */
export interface InferredError {
  readonly code: string | undefined;
  readonly message: string;
}

/** Everything that was found in a contract. */
export interface Inference {
  readonly collections: readonly InferredCollection[];
  readonly logins: readonly InferredLogin[];
  readonly error: Guess<InferredError> | undefined;
}
