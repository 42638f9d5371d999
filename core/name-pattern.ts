/**
 * Patterns for names, in which `*` stands for any characters. Commands, chosen checks of `verify` and chosen interactions of `pact verify` match names with
 * them before a run, required rules also at its end. `diff` matches accepted changes and levels at the end of a comparison, chaos rules each request, and the
 * recorder of pacts a header of each exchange. It knows no names.
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
