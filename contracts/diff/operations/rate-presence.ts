import type { JsonObject } from '../../../core/json.ts';
import type { ChangeLevel, HalfOfExchange } from '../../../core/results/diff-result.ts';

/** Whether an exchange has an element: a parameter, a body or a header. */
export type Presence = 'absent' | 'optional' | 'required';

/** The presence of an element that is described by an object with `required`. */
export function presenceOf(element: JsonObject | undefined): Presence {
  if (element === undefined) return 'absent';
  return element['required'] === true ? 'required' : 'optional';
}

/** Rates a changed presence. Clients have to send what is newly required of them, and miss what the server may no longer send. */
export function ratePresence(
  direction: HalfOfExchange,
  before: Presence,
  after: Presence,
): { readonly level: ChangeLevel; readonly reason?: string } {
  if (direction === 'request') {
    if (after === 'required' && before !== 'required')
      return { level: 'breaking', reason: 'A request from a deployed client that leaves it out is rejected.' };
    if (after === 'absent') return { level: 'risky', reason: 'The server ignores or rejects it when a deployed client still sends it.' };
    return { level: 'compatible' };
  }
  if (before === 'required' && after !== 'required') return { level: 'breaking', reason: 'A client that relies on it may not find it.' };
  if (after === 'absent') return { level: 'risky', reason: 'A client that reads it no longer finds it.' };
  return { level: 'compatible' };
}
