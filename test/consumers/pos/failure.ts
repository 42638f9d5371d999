/** Failures of requests, classed by the reaction of the till. */

/** The service answered with a failure, or did not answer at all. */
export class ServiceFailure extends Error {
  override readonly name: string = 'ServiceFailure';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The code for machines; empty when there was none. */
  readonly code: string;
  /** Reference to quote in a problem report; empty without one. */
  readonly requestId: string;

  constructor(message: string, { status = 0, code = '', requestId = '' }: FailureFacts = {}) {
    super(requestId === '' ? message : `${message} (request ${requestId})`);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** The key is missing, unknown or has expired: nothing works until someone gives the till another one. */
export class KeyRefused extends ServiceFailure {
  override readonly name = 'KeyRefused';
}

/** The key may not do this one thing; the rest goes on. */
export class NotAllowed extends ServiceFailure {
  override readonly name = 'NotAllowed';
}

/** The query is wrong: a mistake of this program, or a cursor that is no longer valid. */
export class QueryRefused extends ServiceFailure {
  override readonly name = 'QueryRefused';
}

/** The service was unavailable, or allowed no more requests, however long the till waited. */
export class Unavailable extends ServiceFailure {
  override readonly name = 'Unavailable';
}

/** The answer is not what the documentation says. */
export class UnexpectedAnswer extends ServiceFailure {
  override readonly name = 'UnexpectedAnswer';
}

/** Failure as a response describes it. */
export interface FailureFacts {
  readonly status?: number;
  readonly code?: string;
  readonly requestId?: string;
}

/** Content of an error body; empty for a body of another shape. */
export function readFailure(status: number, text: string): Required<FailureFacts> {
  const facts = { status, code: '', requestId: '' };
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly code?: unknown; readonly request_id?: unknown } };
    return { ...facts, code: textOf(error?.code), requestId: textOf(error?.request_id) };
  } catch (error) {
    // A proxy may answer in place of the service, with a page for people.
    if (error instanceof SyntaxError) return facts;
    throw error;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
