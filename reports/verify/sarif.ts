/** SARIF 2.1.0 for tools that show findings beside code. Each rule of the run is a SARIF rule, each cause a result at a line of the contract. */

import type { Json } from '../../core/json.ts';
import type { Cause, CheckResult, RunResult } from '../../core/results/run-result.ts';
import { clip } from '../excerpt.ts';
import { printable } from '../layout.ts';
import { describeEnd, describeFacts, describeRun, describeWaiver, headOf, placeOf } from './verify-words.ts';

const nameMax = 300;
const sentenceMax = 2000;
const commandsMax = 20;
/** Maximum number of mutants in the help of a rule. */
const mutantsMax = 30;

/** A SARIF rule with its checks. */
interface Rule {
  readonly id: string;
  readonly checks: readonly CheckResult[];
}

/** Renders a run. Waived violations are suppressed results with their reason. Checks without a result are omitted. */
export function renderSarif(result: RunResult): string {
  const rules = gatherRules(result.checks);
  const numbers = new Map(rules.map(({ id }, index) => [id, index]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Touchstone', rules: rules.map(toRule) } },
        // Runs of one contract share a history, independent of the target.
        automationDetails: { id: `touchstone-verify/${encodeURIComponent(line(result.contract.name, nameMax))}/` },
        invocations: [toInvocation(result)],
        columnKind: 'utf16CodeUnits',
        results: result.causes.flatMap((cause) => {
          const check = headOf(cause, result.checks);
          return check === undefined ? [] : [toResult(check, cause, numbers.get(check.rule) ?? -1)];
        }),
        properties: {
          target: line(result.target),
          contract: line(`${result.contract.title} ${result.contract.version}`.trim()),
          verdict: result.verdict,
          seed: result.seed,
          requests: result.requests,
          budget: result.budget,
        },
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function gatherRules(checks: readonly CheckResult[]): readonly Rule[] {
  const found = new Map<string, CheckResult[]>();
  for (const check of checks) found.set(check.rule, [...(found.get(check.rule) ?? []), check]);
  return [...found].map(([id, members]) => ({ id, checks: members }));
}

function toRule({ id, checks }: Rule): Json {
  const [{ title = '', strength = 'stated' } = {}] = checks;
  const help = describeRule(checks);
  return {
    id: line(id, nameMax),
    shortDescription: { text: line(title) },
    help: { text: help.join('\n') },
    defaultConfiguration: { level: 'error' },
    properties: { tags: [line(id.split('/')[0] ?? id, nameMax), strength], precision: 'very-high', 'problem.severity': 'error' },
  };
}

/** Describes a rule: its statement, its source and its mutants. */
function describeRule(checks: readonly CheckResult[]): readonly string[] {
  const [{ rule: id = '', title = '', strength = 'stated' } = {}] = checks;
  const sources = [...new Set(checks.map(({ source }) => source))];
  const mutants = [...new Set(checks.flatMap(({ killed, alive: open }) => [...killed, ...open].map((mutant) => mutant.title)))];
  const more = mutants.length - mutantsMax;
  return [
    `${title}.`,
    `${strength === 'required' ? 'Required' : strength === 'implied' ? 'Implied' : 'Stated'} by ${sources.slice(0, mutantsMax).join(', ')}.`,
    ...(mutants.length === 0 ? [] : ['A server gets it wrong when:']),
    ...mutants.slice(0, mutantsMax).map((mutant) => `- ${mutant}`),
    ...(more <= 0 ? [] : [`- … and in ${more} more ways`]),
    `Run touchstone explain ${id} for more.`,
  ].map((text) => line(text));
}

function toResult(check: CheckResult, { id: cause, operations, explains, waiver }: Cause, ruleIndex: number): Json {
  const { rule: id, operation, title, counterexample } = check;
  const others = explains.filter((each) => each.rule !== id).map((each) => `${each.rule} at ${each.operation}`);
  const facts = describeFacts(check).map(([label, text]) => line(`${label}: ${text}`));
  const curl = counterexample?.curl ?? [];
  return {
    ruleId: line(id, nameMax),
    ruleIndex,
    level: 'error',
    kind: 'fail',
    message: {
      text: [
        line(`${title}, at ${operations.join(', ')}`),
        ...facts,
        ...(others.length === 0 ? [] : [line(`explains: ${others.join(', ')}`)]),
        ...curl.slice(0, commandsMax).map((command) => line(command)),
      ].join('\n'),
    },
    locations: [toLocation(check)],
    partialFingerprints: { 'checkAndOperation/v1': line(`${id} ${operation}`, nameMax), 'cause/v1': cause },
    ...(waiver === undefined
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: line(describeWaiver(waiver)) }] }),
  };
}

function toLocation(check: CheckResult): Json {
  const place = placeOf(check);
  const logicalLocations = [{ fullyQualifiedName: line(check.operation, nameMax), kind: 'function' }];
  if (place === undefined) return { logicalLocations };
  const region = { startLine: place.line, startColumn: place.column };
  return { physicalLocation: { artifactLocation: { uri: toUri(place.file) }, region }, logicalLocations };
}

function toInvocation(result: RunResult): Json {
  const { exitCode, unavailable, notes = [] } = result;
  const notify = (level: string, text: string): Json => ({ level, message: { text: line(text) } });
  return {
    executionSuccessful: exitCode === 0 || exitCode === 1,
    exitCode,
    exitCodeDescription: line(describeEnd(result)),
    toolExecutionNotifications: [
      notify('note', describeRun(result)),
      ...(unavailable === undefined ? [] : [notify('error', unavailable)]),
      ...notes.map((note) => notify('warning', note)),
    ],
  };
}

/** Converts a path to a URI reference (RFC 3986). A path below the current folder stays relative, so that a checkout has it. */
function toUri(file: string): string {
  const path = printable(file.replaceAll('\\', '/')).split('/').map(encodeURIComponent).join('/');
  if (path.startsWith('/')) return `file://${path}`;
  return /^[a-z]%3A\//i.test(path) ? `file:///${path.replace('%3A', ':')}` : path;
}

/** Returns a text as one printable line. */
function line(text: string, most: number = sentenceMax): string {
  return printable(clip(text, most));
}
