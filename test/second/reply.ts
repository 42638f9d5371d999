/** Knows what an answer is before it travels, and the failures that end a request early. */

/** An answer: a JSON value, a text of another kind, or nothing but its status. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: { readonly type: string; readonly content: string };
  /** A deviation: the status has no body, and one is written to the wire all the same. */
  readonly smuggled?: string;
}

/** A request that fails with a status, a code and a message for people. */
export class Failure extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The request as the parts of a server see it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly rawQuery: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The number of the request since the server started, from 1. */
  readonly moment: number;
}

/** A header's text; several lines of one header count as a list. */
export function header(asked: Asked, name: string): string | undefined {
  const value = asked.headers[name];
  return value === undefined || typeof value === 'string' ? value : value.join(', ');
}
