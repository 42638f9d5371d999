/** Pacts on the notes API, as the tests of a consumer write them. */

import type { Json, JsonObject } from '../../../core/json.ts';
import type { Pact } from '../../../core/pact/pact.ts';
import { parsePact } from '../../../core/pact/parse-pact.ts';

/** The members of an interaction that a test sets. The others have defaults. */
export interface Sketch {
  readonly description: string;
  readonly states?: readonly (string | JsonObject)[];
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** Expressions by the place that they fill: `path`, `query id`, `header if-none-match`. */
  readonly filled?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly body?: Json;
  readonly rules?: JsonObject;
  readonly isPending?: boolean;
  /** Generators of the body of the answer. */
  readonly answered?: Readonly<Record<string, string>>;
}

/** The expression for a value of the provider state. */
export function given(name: string): string {
  return `\${${name}}`;
}

/** A pact of version 4 of the Pact specification. */
export function pactOf(...sketches: readonly Sketch[]): Pact {
  const value = {
    consumer: { name: 'reader' },
    provider: { name: 'notes' },
    interactions: sketches.map(toInteraction),
    metadata: { pactSpecification: { version: '4.0' } },
  };
  return parsePact('reader-notes.json', JSON.stringify(value, undefined, 1));
}

function toInteraction(sketch: Sketch): object {
  const { description, states = [], path = '/notes', query = {}, headers = { 'X-Key': 'your-key' }, filled = {}, status = 200 } = sketch;
  const generators: Record<string, Record<string, object> | object> = {};
  for (const [place, expression] of Object.entries(filled)) {
    const [kind = '', name] = place.split(' ');
    const generator = { type: 'ProviderState', expression };
    generators[kind] = name === undefined ? generator : { ...generators[kind], [name]: generator };
  }
  const answered = Object.entries(sketch.answered ?? {}).map(([at, expression]) => [at, { type: 'ProviderState', expression }] as const);
  return {
    type: 'Synchronous/HTTP',
    description,
    pending: sketch.isPending ?? false,
    providerStates: states.map((state) => (typeof state === 'string' ? { name: state } : state)),
    request: {
      method: sketch.method ?? 'GET',
      path,
      query: Object.fromEntries(Object.entries(query).map(([name, text]) => [name, [text]])),
      headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, [text]])),
      ...(Object.keys(generators).length === 0 ? {} : { generators }),
    },
    response: {
      status,
      ...(sketch.body === undefined ? {} : { body: { content: sketch.body, contentType: 'application/json', encoded: false } }),
      matchingRules: { body: sketch.rules ?? { $: { combine: 'AND', matchers: [{ match: 'type' }] } } },
      ...(answered.length === 0 ? {} : { generators: { body: Object.fromEntries(answered) } }),
    },
  };
}
