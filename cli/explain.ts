/** `touchstone explain`: what a law checks, why, where the contract states it, and how to see it fail. */

import type { Contract } from '../core/contract.ts';
import { UsageError } from '../core/errors.ts';
import type { LawExplanation } from '../core/law-description.ts';
import { listShipped } from '../core/shipped.ts';
import { renderExplanationLines, renderExplanations } from '../reports/laws/explanation.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { openContract } from './contract-source.ts';
import { explainLaws, findLaws } from './law-source.ts';
import { exampleVariable, wantsKey } from './verify-keys.ts';

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
