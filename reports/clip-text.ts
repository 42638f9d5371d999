/** Cuts long texts for people, with a `…` at the cut. JSON reports hold the whole texts. */

/** Cuts a text after `limit` characters, without splitting a surrogate pair. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, keepWhole(text, limit - 1))}…`;
}

/** Returns the last `limit` characters of a text, without splitting a surrogate pair. */
export function clipStart(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.length - limit + 1;
  return `…${text.slice(isInsidePair(text, start) ? start + 1 : start)}`;
}

/** Returns the index `at`, or the index before it if `at` would split a surrogate pair. */
export function keepWhole(text: string, at: number): number {
  return isInsidePair(text, at) ? at - 1 : at;
}

/** Shortens long query values, such as cursors, in the middle. */
export function shortenTarget(target: string): string {
  return target.replaceAll(/(?<==)[^&]{41,}/g, (value) => `${value.slice(0, 31)}…${value.slice(-8)}`);
}

function isInsidePair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
