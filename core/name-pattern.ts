/**
 * Patterns for names, in which `*` stands for any characters. Commands, accepted changes, levels, chosen checks and required rules match ids with them; chaos
 * rules match operations, `pact verify` interactions, and the recorder of pacts header values. It knows no names.
 */

/** True if a name matches a pattern. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const index = name.indexOf(piece, at);
    if (index < 0) return false;
    at = index + piece.length;
  }
  return at <= name.length - last.length;
}
