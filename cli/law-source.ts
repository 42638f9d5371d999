/** What `laws` and `explain` tell: the laws at the operations of contracts, with the lines that state them and the faults that break them. */

import { readFileSync } from 'node:fs';
import { explainLaw, explainWatchLaw, type Statement } from '../contracts/explain.ts';
import type { Law } from '../contracts/law.ts';
import { laws } from '../contracts/laws/catalogue.ts';
import { matchesPattern } from '../contracts/pattern.ts';
import { operationsOf } from '../contracts/subjects.ts';
import { type WatchLaw, watchLaws } from '../contracts/watch/laws.ts';

import type { Contract } from '../core/contract.ts';
import { nearest, type Place, UsageError } from '../core/errors.ts';
import type { LawDescription, LawExplanation, LawFault, LawListing } from '../core/law-description.ts';
import { listMockFaults } from '../mocks/start.ts';

/** Every law, those of watching last. */
export const allLaws: readonly (Law | WatchLaw)[] = [...laws, ...watchLaws];

/** How many lines of the file show what a place states. */
const mostLines = 4;

/**
 * The laws whose id matches a pattern.
 * @throws {UsageError} when none does.
 */
export function findLaws(pattern: string): readonly (Law | WatchLaw)[] {
  const found = allLaws.filter(({ id }) => matchesPattern(pattern, id));
  if (found.length > 0) return found;
  const meant = nearest(
    pattern,
    allLaws.map(({ id }) => id),
  );
  throw new UsageError(`there is no law ${pattern}; ${meant === undefined ? 'touchstone laws lists them' : `is ${meant} meant?`}`);
}

/** Every law with the operations of some contracts that it is about. */
export function listLaws(contracts: readonly Contract[]): readonly LawListing[] {
  return allLaws.map((law) => ({
    ...describe(law),
    operations: contracts.flatMap((contract) =>
      operationsOf(law, contract).map((operation) => ({ contract: contract.name, operation: operation.id })),
    ),
  }));
}

/** Explains laws by contracts, each with the name that the user gave it. */
export async function explainLaws(
  chosen: readonly (Law | WatchLaw)[],
  contracts: ReadonlyMap<string, Contract>,
): Promise<readonly LawExplanation[]> {
  const faults = await listMockFaults({ contracts: [...contracts.keys()] });
  const lines = createLineReader();
  return Promise.all(
    chosen.map(async (law): Promise<LawExplanation> => {
      const stated = [...contracts.values()].map(async (contract) =>
        (await explain(law, contract)).map((each) => ({ contract: contract.name, ...each, lines: lines(each.place) })),
      );
      return {
        ...describe(law),
        clauses: (await Promise.all(stated)).flat(),
        faults: faults.filter((fault) => fault.law === law.id).map(toFault),
      };
    }),
  );
}

/** What a law says by itself, whether it asks or is shown what time brings. */
async function explain(law: Law | WatchLaw, contract: Contract): Promise<readonly Statement[]> {
  return 'examine' in law ? await explainLaw(law, contract) : explainWatchLaw(law, contract);
}

function describe(law: Law | WatchLaw): LawDescription {
  const { id, title, why, strength, rfc } = law;
  const slow = 'slow' in law ? law.slow : undefined;
  return { id, title, why, strength, ...(rfc === undefined ? {} : { rfc }), ...(slow === undefined ? {} : { slow }) };
}

function toFault({ id, contract, title }: LawFault): LawFault {
  return { id, contract, title };
}

/** Reads what stands at places: the line, and those that are indented below it. */
function createLineReader(): (place: Place) => readonly string[] {
  const files = new Map<string, readonly string[]>();
  return ({ file, line }) => {
    const all = files.get(file) ?? readFileSync(file, 'utf8').split(/\r?\n/);
    files.set(file, all);
    const [first = '', ...rest] = all.slice(line - 1, line - 1 + mostLines);
    const depth = depthOf(first);
    const end = rest.findIndex((each) => each.trim() !== '' && depthOf(each) <= depth);
    return [first, ...(end < 0 ? rest : rest.slice(0, end))].map((each) => each.slice(Math.min(depth, depthOf(each))).trimEnd());
  };
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}
