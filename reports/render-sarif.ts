/** SARIF 2.1.0 for tools that show findings beside code: each finding is a result at a line of a file. */

import { printJson } from '../core/json.ts';
import { linesOf } from './plain-block-lines.ts';
import { printable, toLine } from './printable-text.ts';
import type { Annotation, JudgedReport, RuleHelp } from './report-model.ts';

const nameMax = 300;

/** SARIF level of each level. */
const levels = { error: 'error', warning: 'warning', notice: 'note' } as const;

/** Renders the findings of a command. Members that are undefined are left out. Accepted findings are suppressed results with their reason. */
export function renderSarif(...reports: readonly JudgedReport[]): string {
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: reports.map(toRun) };
  return `${printJson(log, 2)}\n`;
}

function toRun({ command, name, toolVersion, annotations, ...report }: JudgedReport): object {
  const rules = report.rules ?? rulesOf(annotations);
  const numbers = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    tool: { driver: { name: 'Touchstone', version: toolVersion, semanticVersion: toolVersion, rules: rules.map(toRule) } },
    // Runs about one subject share a history, independent of the target.
    automationDetails: { id: `${command.replaceAll(' ', '-')}/${encodeURIComponent(toLine(name, nameMax))}/` },
    originalUriBaseIds: { [repositoryRoot]: { description: { text: 'The root of the repository.' } } },
    columnKind: 'utf16CodeUnits',
    results: annotations.flatMap((annotation) => toResult(annotation, numbers)),
  };
}

/** The rules of the findings, each once. */
function rulesOf(annotations: readonly Annotation[]): readonly RuleHelp[] {
  const ids = new Set(annotations.flatMap(({ finding }) => (finding === undefined ? [] : [finding.rule])));
  return [...ids].map((id) => ({ id, title: id, help: [], tags: [] }));
}

function toRule({ id, title, help, tags }: RuleHelp): object {
  return {
    id: toLine(id, nameMax),
    shortDescription: { text: toLine(title) },
    help: help.length === 0 ? undefined : { text: toLines(help) },
    defaultConfiguration: { level: 'error' },
    properties: {
      tags: [...new Set(tags.map((tag) => toLine(tag, nameMax)))],
      precision: 'very-high',
      'problem.severity': 'error',
    },
  };
}

function toResult({ level, blocks, place, target, finding }: Annotation, numbers: ReadonlyMap<string, number>): readonly object[] {
  if (finding === undefined) return [];
  const { id, rule, subject, message, accepted } = finding;
  const logicalLocations = [{ fullyQualifiedName: toLine(subject, nameMax), kind: 'function' }];
  const inFile = place && {
    artifactLocation: toArtifact(place.file),
    region: { startLine: place.line, startColumn: place.column },
  };
  const physicalLocation = inFile ?? (target === undefined ? undefined : { artifactLocation: { uri: encodeURI(target) } });
  return [
    {
      ruleId: toLine(rule, nameMax),
      ruleIndex: numbers.get(rule) ?? -1,
      level: accepted === undefined ? levels[level] : 'error',
      kind: 'fail',
      message: { text: toLines([`${message}, in ${subject}`, ...linesOf(blocks)]) },
      locations: [{ physicalLocation, logicalLocations }],
      partialFingerprints: { 'finding/v1': toLine(id, nameMax) },
      suppressions: accepted && [{ kind: 'external', status: 'accepted', justification: toLine(accepted) }],
    },
  ];
}

/** Name of the folder to which relative references refer, as GitHub knows it. */
const repositoryRoot = '%SRCROOT%';

/** Converts a path to a URI reference (RFC 3986). A path inside the repository stays relative, so that a checkout has it. */
function toArtifact(file: string): object {
  const path = printable(file.replaceAll('\\', '/')).split('/').map(encodeURIComponent).join('/');
  if (path.startsWith('/')) return { uri: `file://${path}` };
  return /^[a-z]%3A\//i.test(path) ? { uri: `file:///${path.replace('%3A', ':')}` } : { uri: path, uriBaseId: repositoryRoot };
}

function toLines(texts: readonly string[]): string {
  return texts.map((text) => toLine(text)).join('\n');
}
