/** `touchstone rules` and `touchstone explain`: list and explain the rules of `verify`. They send nothing, and start no mock. */

import { operationsOf } from '../../contracts/verify/choose-checks.ts';
import { type ExplainedClause, explainRule, explainWatchRule } from '../../contracts/verify/explain-rule.ts';
import type { Rule } from '../../contracts/verify/rules/rule.ts';
import { rules } from '../../contracts/verify/rules/rule-catalogue.ts';
import { type TimelineRule, timelineRules } from '../../contracts/verify/watch/timeline-rules.ts';
import { didYouMean } from '../../core/did-you-mean.ts';
import { withoutUndefined } from '../../core/drop-undefined.ts';
import { type SourceLocation, UsageError } from '../../core/errors.ts';
import { memoize } from '../../core/memo.ts';
import { matchesPattern } from '../../core/name-pattern.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { RuleDescription, RuleExplanation, RuleListing, RuleMutant } from '../../core/results/rule-description.ts';
import { listShipped } from '../../core/shipped-files.ts';
import { listMockMutants } from '../../mocks/start-mock.ts';
import { printLines } from '../../reports/print-json.ts';
import { renderExplanations, renderRuleList } from '../../reports/verify/explain-rules.ts';
import type { Arguments, CommandBody, Terminal } from '../command.ts';
import { exampleVariable, wantsKey } from '../credentials.ts';
import { openWithWarnings, strictOption } from '../open-contract.ts';

/** `touchstone rules`: lists the rules of `verify`. */
export const rulesCommand: CommandBody = {
  description: [
    'Lists each rule with its strength, the number of operations that it applies to, and what it states. Default: the contracts that come with Touchstone. Sends no requests.',
  ],
  options: [strictOption, { name: 'json', summary: 'Print one JSON object per line, with the operations.' }],
  examples: [
    { line: 'touchstone rules', about: 'every rule' },
    { line: 'touchstone rules my-api.yaml --json', about: 'for a file of your own, as JSON' },
  ],
  run: runRules,
};

async function runRules(args: Arguments, terminal: Terminal): Promise<number> {
  const names = args.positionals.length === 0 ? listShipped() : args.positionals;
  const listings = listRules(await openWithWarnings(names, args, terminal));
  terminal.out(args.switches.has('json') ? printLines(listings) : renderRuleList(listings, terminal.decorated));
  return 0;
}

/** `touchstone explain`: explains rules of `verify`. */
export const explainCommand: CommandBody = {
  description: [
    "Prints what a rule states, why, and where the contract says so; which mistakes a run can detect, and the data, keys and settings it needs for that; and the mock's mutants that break the rule. RULE is the id of a rule; * matches anything. Default: the contracts that come with Touchstone. Sends no requests.",
  ],
  options: [strictOption, { name: 'json', summary: 'Print one JSON object per line.' }],
  examples: [
    { line: 'touchstone explain paging/ties', about: 'one rule' },
    { line: "touchstone explain 'sync/*' my-api.yaml", about: 'a group of rules, for a file of your own' },
  ],
  run: runExplain,
};

async function runExplain(args: Arguments, terminal: Terminal): Promise<number> {
  const [pattern, ...names] = args.positionals;
  if (pattern === undefined) throw new UsageError('touchstone explain needs the name of a rule; touchstone rules lists them');
  const chosenRules = findRules(pattern);
  const chosenNames = names.length === 0 ? listShipped() : names;
  const opened = await openWithWarnings(chosenNames, args, terminal);
  const contracts = new Map(opened.map((contract, index) => [chosenNames[index] ?? '', contract]));
  const explanations = (await explainRules(chosenRules, contracts)).map((rule) => ({ ...rule, seeing: commandsFor(rule, contracts) }));
  terminal.out(args.switches.has('json') ? printLines(explanations) : renderExplanations(explanations, terminal.decorated));
  return 0;
}

/** Returns two commands that show the rule failing: a mock with the first mutant that breaks it, and a run of this rule against it. */
function commandsFor({ id, mutants, clauses }: RuleExplanation, contracts: ReadonlyMap<string, Contract>): readonly string[] {
  const [mutant] = mutants;
  const [name, contract] = [...contracts].find(([, each]) => each.name === mutant?.contract) ?? [];
  if (mutant === undefined || name === undefined || contract === undefined) return [];
  const options = clauses.filter((clause) => clause.contract === contract.name).map(({ option }) => option);
  const roles = new Set(options.flatMap((option) => (option?.name === 'key' ? [option.role] : [])));
  const keys = [...(wantsKey(contract) ? ['full'] : []), ...roles].map((role) => ` --key ${role}=${exampleVariable(role)}`);
  const hidden = options.some((option) => option?.name === 'hidden') ? ' --hidden KEY' : '';
  return [
    `touchstone mock ${name} --port 4020 --mutant '${mutant.id}'`,
    `touchstone verify ${name} --target http://127.0.0.1:4020${keys.join('')}${hidden} --only '${id}'`,
  ];
}

/** Every rule, with the rules of `--watch` last. */
export const allRules: readonly (Rule | TimelineRule)[] = [...rules, ...timelineRules];

/** Maximum number of contract lines that are shown for a location. */
const maxLines = 4;

/**
 * Finds the rules whose id matches a pattern.
 * @throws {UsageError} if no rule matches.
 */
function findRules(pattern: string): readonly (Rule | TimelineRule)[] {
  const matchingRules = allRules.filter(({ id }) => matchesPattern(pattern, id));
  if (matchingRules.length > 0) return matchingRules;
  throw new UsageError(
    `there is no rule ${pattern}; ${didYouMean(
      pattern,
      allRules.map(({ id }) => id),
      'touchstone rules lists them',
    )}`,
  );
}

/** Lists every rule with its operations in some contracts. */
function listRules(contracts: readonly Contract[]): readonly RuleListing[] {
  return allRules.map((rule) => ({
    ...describeRule(rule),
    operations: contracts.flatMap((contract) =>
      operationsOf(rule, contract).map((operation) => ({ contract: contract.name, operation: operation.id })),
    ),
  }));
}

/** Explains rules for some contracts, keyed by the names that the user gave. */
export async function explainRules(
  chosenRules: readonly (Rule | TimelineRule)[],
  contracts: ReadonlyMap<string, Contract>,
): Promise<readonly RuleExplanation[]> {
  const mutants = await listMockMutants({ contracts: [...contracts.keys()] });
  const linesOf = memoize((text: string) => text.split(/\r?\n/));
  return Promise.all(
    chosenRules.map(async (rule): Promise<RuleExplanation> => {
      const clauses = [...contracts.values()].map(async (contract) =>
        (await listClauses(rule, contract)).map((each) => ({
          contract: contract.name,
          ...each,
          lines: linesAt(each.place, linesOf(contract.document.texts.get(each.place.file) ?? '')),
        })),
      );
      return {
        ...describeRule(rule),
        clauses: (await Promise.all(clauses)).flat(),
        mutants: mutants.filter((mutant) => mutant.rule === rule.id).map(toMutant),
      };
    }),
  );
}

/** Returns the clauses of a rule, which sends requests itself or reads what a watch records. */
async function listClauses(rule: Rule | TimelineRule, contract: Contract): Promise<readonly ExplainedClause[]> {
  return 'examine' in rule ? await explainRule(rule, contract) : explainWatchRule(rule, contract);
}

function describeRule(rule: Rule | TimelineRule): RuleDescription {
  const { id, title, why, strength, rfc } = rule;
  return { id, title, why, strength, ...withoutUndefined({ rfc, slow: 'slow' in rule ? rule.slow : undefined }) };
}

function toMutant({ id, contract, title }: RuleMutant): RuleMutant {
  return { id, contract, title };
}

/** Returns the line of a location, and the lines indented below it. */
function linesAt({ line }: SourceLocation, lines: readonly string[]): readonly string[] {
  const [first = '', ...nextLines] = lines.slice(line - 1, line - 1 + maxLines);
  const depth = depthOf(first);
  const end = nextLines.findIndex((each) => each.trim() !== '' && depthOf(each) <= depth);
  return [first, ...(end < 0 ? nextLines : nextLines.slice(0, end))].map((each) => each.slice(Math.min(depth, depthOf(each))).trimEnd());
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}
