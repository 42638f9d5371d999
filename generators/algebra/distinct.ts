/** Choosing different values: whether each of some places can have a value of its own. */

/** Whether there is a choice of different values, one out of each list (a system of distinct representatives, found by augmenting paths). */
export function canDiffer(domains: readonly (readonly string[])[]): boolean {
  const takenBy = new Map<string, number>();
  return domains.every((_, place) => seat(place, domains, takenBy, new Set()));
}

/** Gives a place a value, moving others where that helps. */
function seat(place: number, domains: readonly (readonly string[])[], takenBy: Map<string, number>, asked: Set<string>): boolean {
  for (const value of domains[place] ?? []) {
    if (asked.has(value)) continue;
    asked.add(value);
    const owner = takenBy.get(value);
    if (owner !== undefined && !seat(owner, domains, takenBy, asked)) continue;
    takenBy.set(value, place);
    return true;
  }
  return false;
}
