/** Finished answers, kept for the next request that asks for the same: with the same key, at the same instant, the answer is the same. */

import { type HttpRequest, headerOf } from '../core/exchange.ts';
import type { Operation } from '../core/operation.ts';
import type { Message } from './answer.ts';
import { Recent } from './ledger/recent.ts';
import type { Visit } from './visit.ts';

/** An answer as it was given, with what is known of the request. */
export interface KeptAnswer {
  readonly message: Message;
  readonly visit: Visit;
}

/** How many bytes all kept answers have together at most. */
const bytesMost = 3_000_000;

/** What one answer takes besides its body. */
const overhead = 1000;

/** The kept answers of an API. */
export class KeptAnswers {
  readonly #answers = new Recent<string, KeptAnswer>(
    bytesMost,
    ({ message }) => message.bytes.length + overhead,
    ({ message }) => message.lease?.letGo(),
  );

  /** The answer that is kept under a key; whoever sends it must hold its bytes before anything else happens. */
  get(key: string): KeptAnswer | undefined {
    return this.#answers.get(key);
  }

  /** Keeps an answer. Failures name their request, and what a client prefers need not be repeated: neither is kept. */
  keep(key: string, answer: KeptAnswer): void {
    const { status, lease } = answer.message;
    if (status !== 200 && status !== 304) return;
    lease?.hold();
    this.#answers.set(key, answer);
  }
}

/** All that an answer follows from; `undefined` for a request whose answer is not kept. */
export function keyOfAnswer(operation: Operation, request: HttpRequest, role: string, nowMs: number): string | undefined {
  if (request.headers['prefer'] !== undefined) return undefined;
  // Neither a method nor a target nor a field has a line break in it, so parts that differ make keys that differ.
  let key = `${request.method} ${request.target}\n${role}\n${nowMs}`;
  for (const field of fieldsRead(operation)) {
    const value = headerOf(request.headers, field);
    key += value === undefined ? '\n' : `\n=${value}`;
  }
  return key;
}

/** The headers that answers of an operation depend on, by operation. */
const fields = new WeakMap<Operation, readonly string[]>();

function fieldsRead(operation: Operation): readonly string[] {
  const known = fields.get(operation);
  if (known !== undefined) return known;
  const read = ['if-none-match', ...operation.parameters.flatMap(fieldOf)];
  fields.set(operation, read);
  return read;
}

/** The header that a parameter travels in; none for one of the path or the query. */
function fieldOf({ in: place, name }: Operation['parameters'][number]): readonly string[] {
  if (place === 'header') return [name.toLowerCase()];
  return place === 'cookie' ? ['cookie'] : [];
}
