/** True if a name matches a pattern, in which `*` stands for any characters. */
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
