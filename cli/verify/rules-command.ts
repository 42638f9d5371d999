/** `touchstone laws`: the laws by which `verify` judges, and at how many operations. */

import { readFileSync } from 'node:fs';
import { operationsOf } from '../../contracts/verify/choose-checks.ts';
import { explainLaw, explainWatchLaw, type Statement } from '../../contracts/verify/explain-rule.ts';
import type { Law } from '../../contracts/verify/rules/rule.ts';
import { laws } from '../../contracts/verify/rules/rule-catalogue.ts';
import { type WatchLaw, watchLaws } from '../../contracts/verify/watch/watch-rules.ts';
import { nearest, type SourceLocation, UsageError } from '../../core/errors.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { LawDescription, LawExplanation, LawFault, LawListing } from '../../core/results/rule-description.ts';
import { matchesPattern } from '../../core/results/rule-id.ts';
import { listShipped } from '../../core/shipped.ts';
import { listMockFaults } from '../../mocks/start.ts';
import { renderExplanationLines, renderExplanations, renderLawLines, renderLawList } from '../../reports/verify/rule-report.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { openContract } from '../contract-source.ts';
import { exampleVariable, wantsKey } from './verify-keys.ts';

/** The command. */
export const lawsCommand: Command = {
  name: 'laws',
  positionals: '[CONTRACT…]',
  summary: 'List the laws by which verify judges.',
  description: [
    'Prints each law with its strength, the number of operations of the contracts that it is about, and what holds. Without a contract, the contracts of the package are meant. Nothing is sent.',
  ],
  options: [{ name: 'json', summary: 'Print one JSON object a line, with the operations.' }],
  examples: [
    { line: 'touchstone laws', about: 'every law, and where it applies in the contracts of the package' },
    { line: 'touchstone laws my-api.yaml --json', about: 'for a contract of your own, for programs' },
  ],
  run: runLaws,
};

async function runLaws(given: Arguments, terminal: Terminal): Promise<number> {
  const names = given.positionals.length === 0 ? listShipped() : given.positionals;
  const listed = listLaws(await Promise.all(names.map(openContract)));
  terminal.out(given.switches.has('json') ? renderLawLines(listed) : renderLawList(listed, terminal.decorated));
  return 0;
}

/** The command. */
export const explainCommand: Command = {
  name: 'explain',
  positionals: 'LAW [CONTRACT…]',
  summary: 'Explain a law: what it checks, why, and how to see it fail.',
  description: [
    'Prints what a law says and why, the lines of the contract that state it, the rival readings that a run can tell from it with what the data must have for that, the keys and settings that it needs, and the faults of the mock that break it. LAW is an identifier, or a pattern with * for several. Without a contract, the contracts of the package are meant. Nothing is sent.',
  ],
  options: [{ name: 'json', summary: 'Print one JSON object a line.' }],
  examples: [
    { line: 'touchstone explain paging/ties', about: 'one law' },
    { line: "touchstone explain 'sync/*' my-api.yaml", about: 'a group of laws, for a contract of your own' },
  ],
  run: runExplain,
};

async function runExplain(given: Arguments, terminal: Terminal): Promise<number> {
  const [pattern, ...names] = given.positionals;
  if (pattern === undefined) throw new UsageError('touchstone explain needs the name of a law; touchstone laws lists them');
  const chosen = findLaws(pattern);
  const contracts = new Map<string, Contract>();
  for (const name of names.length === 0 ? listShipped() : names) contracts.set(name, await openContract(name));
  const shown = (await explainLaws(chosen, contracts)).map((law) => ({ ...law, seeing: commandsFor(law, contracts) }));
  terminal.out(given.switches.has('json') ? renderExplanationLines(shown) : renderExplanations(shown, terminal.decorated));
  return 0;
}

/** The commands that show how a law fails: a mock with the first fault that breaks it, and a run of this law against it. */
function commandsFor({ id, faults, clauses }: LawExplanation, contracts: ReadonlyMap<string, Contract>): readonly string[] {
  const [fault] = faults;
  const [name, contract] = [...contracts].find(([, each]) => each.name === fault?.contract) ?? [];
  if (fault === undefined || name === undefined || contract === undefined) return [];
  const needs = clauses.filter((clause) => clause.contract === contract.name).map((clause) => clause.needs ?? '');
  const roles = [...new Set(needs.flatMap((text) => /--key (\S+)=/.exec(text)?.[1] ?? []))];
  const keys = [...(wantsKey(contract) ? ['full'] : []), ...roles].map((role) => ` --key ${role}=${exampleVariable(role)}`);
  const hidden = needs.some((text) => text.includes('--hidden')) ? ' --hidden KEY' : '';
  return [
    `touchstone mock ${name} --port 4020 --fault '${fault.id}'`,
    `touchstone verify ${name} --target http://127.0.0.1:4020${keys.join('')}${hidden} --only '${id}'`,
  ];
}

/** Every law, those of watching last. */
export const allLaws: readonly (Law | WatchLaw)[] = [...laws, ...watchLaws];

/** How many lines of the file show what a place states. */
const mostLines = 4;

/**
 * The laws whose id matches a pattern.
 * @throws {UsageError} when none does.
 */
function findLaws(pattern: string): readonly (Law | WatchLaw)[] {
  const found = allLaws.filter(({ id }) => matchesPattern(pattern, id));
  if (found.length > 0) return found;
  const meant = nearest(
    pattern,
    allLaws.map(({ id }) => id),
  );
  throw new UsageError(`there is no law ${pattern}; ${meant === undefined ? 'touchstone laws lists them' : `is ${meant} meant?`}`);
}

/** Every law with the operations of some contracts that it is about. */
function listLaws(contracts: readonly Contract[]): readonly LawListing[] {
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
        faults: faults.filter((fault) => fault.rule === law.id).map(toFault),
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
function createLineReader(): (place: SourceLocation) => readonly string[] {
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
