/**
 * SARIF 2.1.0 for tools that show findings beside code: each finding is a result at a line of a file.
 * `cli/command-reports.ts` calls it for `--report sarif=FILE`. It renders items, not the report for people.
 */

import type { Json } from '../core/json.ts';
import { printable, toLine } from './printable-text.ts';
import type { Annotation, ItemList, RuleHelp } from './report-model.ts';

const nameMax = 300;

/** Address of the project. Viewers show it beside the name of the tool. */
const informationUri = 'https://touchstone.dev/';

/** SARIF level of each level. */
const levels = { error: 'error', warning: 'warning', notice: 'note' } as const;

/** Renders the findings of a command. Accepted findings are suppressed results with their reason; remarks on the run are notifications. */
export function renderSarif(...lists: readonly ItemList[]): string {
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: lists.map(toRun) };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function toRun(list: ItemList): Json {
  const { command, subject, toolVersion, annotations, about } = list;
  const rules = list.rules ?? rulesOf(annotations);
  const numbers = new Map(rules.map(({ id }, index) => [id, index]));
  const version = toolVersion === undefined ? {} : { version: toolVersion, semanticVersion: toolVersion };
  return {
    tool: { driver: { name: 'Touchstone', ...version, informationUri, rules: rules.map(toRule) } },
    // Runs about one subject share a history, independent of the target.
    automationDetails: { id: `${command.replaceAll(' ', '-')}/${encodeURIComponent(toLine(subject, nameMax))}/` },
    originalUriBaseIds: { [root]: { description: { text: 'The root of the repository.' } } },
    invocations: [toInvocation(list)],
    columnKind: 'utf16CodeUnits',
    results: annotations.flatMap((annotation) => toResult(annotation, numbers)),
    properties: { about: about.map((each) => toLine(each)) },
  };
}

/** The rules of the findings, each once. */
function rulesOf(annotations: readonly Annotation[]): readonly RuleHelp[] {
  const ids = new Set(annotations.flatMap(({ finding }) => (finding === undefined ? [] : [finding.rule])));
  return [...ids].map((id) => ({ id, title: id, help: [], tags: [] }));
}

function toRule({ id, title, help, tags }: RuleHelp): Json {
  return {
    id: toLine(id, nameMax),
    shortDescription: { text: toLine(title) },
    ...(help.length === 0 ? {} : { help: { text: help.map((each) => toLine(each)).join('\n') } }),
    defaultConfiguration: { level: 'error' },
    properties: {
      tags: [...new Set(tags.map((tag) => toLine(tag, nameMax)))],
      precision: 'very-high',
      'problem.severity': 'error',
    },
  };
}

function toResult({ level, lines, place, finding }: Annotation, numbers: ReadonlyMap<string, number>): readonly Json[] {
  if (finding === undefined) return [];
  const { id, rule, subject, message, accepted } = finding;
  const logicalLocations = [{ fullyQualifiedName: toLine(subject, nameMax), kind: 'function' }];
  const physical =
    place === undefined
      ? {}
      : { physicalLocation: { artifactLocation: toArtifact(place.file), region: { startLine: place.line, startColumn: place.column } } };
  return [
    {
      ruleId: toLine(rule, nameMax),
      ruleIndex: numbers.get(rule) ?? -1,
      level: accepted === undefined ? levels[level] : 'error',
      kind: 'fail',
      message: { text: [`${message}, at ${subject}`, ...lines].map((each) => toLine(each)).join('\n') },
      locations: [{ ...physical, logicalLocations }],
      partialFingerprints: { 'finding/v1': toLine(id, nameMax) },
      ...(accepted === undefined ? {} : { suppressions: [{ kind: 'external', status: 'accepted', justification: toLine(accepted) }] }),
    },
  ];
}

function toInvocation({ exitCode, about, started, durationMs, annotations }: ItemList): Json {
  const [objects = '', end = ''] = about;
  const notifications = annotations.filter(({ finding }) => finding === undefined);
  return {
    executionSuccessful: exitCode === undefined || exitCode === 0 || exitCode === 1,
    ...(exitCode === undefined ? {} : { exitCode, exitCodeDescription: toLine(end || objects) }),
    ...(started === undefined ? {} : { startTimeUtc: started, endTimeUtc: endOf(started, durationMs) }),
    toolExecutionNotifications: notifications.map(({ level, title, lines }) => ({
      level: levels[level],
      message: { text: [title, ...lines].map((each) => toLine(each)).join('\n') },
    })),
  };
}

function endOf(started: string, durationMs: number = 0): string {
  return new Date(Date.parse(started) + durationMs).toISOString();
}

/** Name of the folder to which relative references refer, as GitHub knows it. */
const root = '%SRCROOT%';

/** Converts a path to a URI reference (RFC 3986). A path inside the repository stays relative, so that a checkout has it. */
function toArtifact(file: string): Json {
  const path = printable(file.replaceAll('\\', '/')).split('/').map(encodeURIComponent).join('/');
  if (path.startsWith('/')) return { uri: `file://${path}` };
  return /^[a-z]%3A\//i.test(path) ? { uri: `file:///${path.replace('%3A', ':')}` } : { uri: path, uriBaseId: root };
}
