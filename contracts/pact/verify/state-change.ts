/** Asking a provider to be in a state, by Pact's own protocol: for what cannot be found out by reading, where whoever runs the provider lets it be asked. */

import { isObject, type Json } from '../../../core/json.ts';
import type { ProviderState } from '../../../core/pact.ts';
import type { Scalar } from '../../../core/pact-injection.ts';
import { fieldsOfRecord } from '../../../core/pact-injection.ts';

/** What came of asking for a state: the values that it gives, or why it was refused. */
export type StateChange =
  | { readonly kind: 'changed'; readonly values: ReadonlyMap<string, Scalar> }
  | { readonly kind: 'refused'; readonly reason: string };

/** How long a provider may take to get into a state. */
const patienceMs = 30_000;

/** Asks for a state to begin or to end. */
export async function changeState(url: string, consumer: string, state: ProviderState, action: 'setup' | 'teardown'): Promise<StateChange> {
  const refuse = (why: string): StateChange => ({ kind: 'refused', reason: `the state change URL ${why}` });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ consumer, action, state: state.name, states: [state.name], params: state.params }),
      signal: AbortSignal.timeout(patienceMs),
      redirect: 'error',
    });
    const text = await response.text();
    if (!response.ok) return refuse(`answered ${response.status}`);
    return { kind: 'changed', values: valuesIn(text) };
  } catch (error) {
    return refuse(`did not answer: ${error instanceof Error ? describe(error) : String(error)}`);
  }
}

/** Providers answer with the values to inject, or with nothing. */
function valuesIn(text: string): ReadonlyMap<string, Scalar> {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? fieldsOfRecord(value) : new Map();
  } catch {
    // A provider that has nothing to inject often says so in words.
    return new Map();
  }
}

function describe(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
