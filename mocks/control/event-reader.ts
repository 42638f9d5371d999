/** Reads the event stream of a mock on the client's side, while it arrives. */

import { parseJson } from '../../core/json.ts';
import type { ControlEvent } from './control-bodies.ts';

/** Types of events that this version knows. */
const knownTypes: ReadonlySet<string> = new Set<ControlEvent['type']>(['open', 'exchange', 'clock', 'chaos', 'reload']);

/**
 * Yields the events of a stream of `/__mock/events` (text/event-stream, WHATWG HTML §9.2.6), whose chunks may be cut anywhere. Unknown types are skipped, as
 * in browsers.
 */
export async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ControlEvent, void, undefined> {
  const decoder = new TextDecoder();
  let unreadText = '';
  for await (const chunk of stream) {
    unreadText += decoder.decode(chunk, { stream: true });
    // A carriage return at the end may be the first half of a line end.
    const end = unreadText.endsWith('\r') ? unreadText.length - 1 : unreadText.length;
    const eventTexts = unreadText.slice(0, end).replaceAll(/\r\n?/g, '\n').split('\n\n');
    unreadText = (eventTexts.pop() ?? '') + unreadText.slice(end);
    for (const eventText of eventTexts) {
      const event = parseEvent(eventText);
      if (event !== undefined) yield event;
    }
  }
}

function parseEvent(eventText: string): ControlEvent | undefined {
  const fields = eventText.split('\n').map((line) => /^([^:]*)(?:: ?(.*))?$/.exec(line)?.slice(1) ?? []);
  const fieldOf = (name: string): string | undefined => {
    const values = fields.filter(([field]) => field === name).map(([, value = '']) => value);
    return values.length === 0 ? undefined : values.join('\n');
  };
  const [type, data] = [fieldOf('event'), fieldOf('data')];
  return type === undefined || data === undefined || !knownTypes.has(type) ? undefined : ({ type, data: parseJson(data) } as ControlEvent);
}
