/** Comparisons as people read them: files by the names that people know, and notes where they belong. */

import { type Acceptance, fits } from '../contracts/diff/acceptance.ts';
import type { Change, ContractComparison, Side, Witness } from '../core/change.ts';
import { type Place, printPlace } from '../core/errors.ts';

/** A comparison with the names of files as they are shown. Values of the contracts stay as they are. */
export function showComparison(comparison: ContractComparison, show: (text: string) => string): ContractComparison {
  const showSide = (side: Side): Side => ({ ...side, place: showPlace(side.place, show) });
  const showWitness = (witness: Witness): Witness => ({ ...witness, place: witness.place && showPlace(witness.place, show) });
  const showChange = (change: Change): Change => ({
    ...change,
    before: showSide(change.before),
    after: showSide(change.after),
    witness: change.witness && showWitness(change.witness),
  });
  return {
    ...comparison,
    old: { ...comparison.old, file: show(comparison.old.file) },
    new: { ...comparison.new, file: show(comparison.new.file) },
    changes: comparison.changes.map(showChange),
    accepted: comparison.accepted.map((each) => ({ ...each, change: showChange(each.change) })),
    notes: comparison.notes.map(show),
  };
}

/**
 * Comparisons of several contracts, by name, that were made with one list of acceptances: one that fits a change of one contract needs no note at the
 * others, and one that fits nothing needs a single note.
 */
export function settleNotes(
  comparisons: ReadonlyMap<string, ContractComparison>,
  acceptances: readonly Acceptance[],
): ReadonlyMap<string, ContractComparison> {
  const all = [...comparisons.values()];
  const settle = (comparison: ContractComparison): ContractComparison => {
    const isElsewhere = (acceptance: Acceptance): boolean =>
      !fitsAny(acceptance, comparison) && (comparison !== all[0] || all.some((other) => fitsAny(acceptance, other)));
    const starts = acceptances.filter(isElsewhere).map(({ place }) => `${printPlace(place)}: `);
    return { ...comparison, notes: comparison.notes.filter((note) => !starts.some((start) => note.startsWith(start))) };
  };
  return new Map([...comparisons].map(([name, comparison]) => [name, settle(comparison)]));
}

function fitsAny(acceptance: Acceptance, { changes, accepted }: ContractComparison): boolean {
  return [...changes, ...accepted.map(({ change }) => change)].some((change) => fits(acceptance, change));
}

function showPlace(place: Place, show: (text: string) => string): Place {
  return { ...place, file: show(place.file) };
}
