/** Reads the events of a stream (text/event-stream, WHATWG HTML §9.2.6). */

import type { ControlEvent } from './control-message.ts';

/** The types of events that this version knows. */
const known: ReadonlySet<string> = new Set<ControlEvent['type']>(['open', 'exchange', 'clock', 'chaos', 'reload']);

/** The events in pieces of a stream, wherever it is cut. What is of an unknown type is passed over, as browsers do. */
export async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ControlEvent, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of stream) {
    rest += decoder.decode(piece, { stream: true });
    // A carriage return at the end may be half of a line end.
    const end = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const blocks = rest.slice(0, end).replaceAll(/\r\n?/g, '\n').split('\n\n');
    rest = (blocks.pop() ?? '') + rest.slice(end);
    for (const block of blocks) {
      const event = readBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

function readBlock(block: string): ControlEvent | undefined {
  const fields = block.split('\n').map((line) => /^([^:]*)(?:: ?(.*))?$/.exec(line)?.slice(1) ?? []);
  const fieldOf = (name: string): string | undefined => {
    const values = fields.filter(([field]) => field === name).map(([, value = '']) => value);
    return values.length === 0 ? undefined : values.join('\n');
  };
  const [type, data] = [fieldOf('event'), fieldOf('data')];
  return type === undefined || data === undefined || !known.has(type) ? undefined : ({ type, data: JSON.parse(data) } as ControlEvent);
}
