/** Prints what was inferred of a file: as an Overlay, and as a table. */

import { countNoun } from '../../core/count-noun.ts';
import { type Guess, type Inference, type InferredCollection, isSure, type Reason } from '../../core/inference/guess.ts';
import type { InferredAnnotation } from '../../core/inference/to-annotations.ts';
import { printJson } from '../../core/json.ts';
import { alignColumns } from '../terminal-text.ts';

/** The facts of a report. */
export interface InferReport {
  /** The OpenAPI file, as the overlay names it. */
  readonly file: string;
  readonly title: string;
  readonly version: string;
  readonly inference: Inference;
  readonly annotations: readonly InferredAnnotation[];
}

/** Prints an Overlay: sure guesses are its actions, and the others are comments, each with its reason. */
export function renderOverlay({ file, title, version, inference, annotations }: InferReport): string {
  const active = annotations.filter(({ isActive }) => isActive);
  const doubtful = annotations.filter(({ isActive }) => !isActive);
  return [
    `# Inferred by touchstone infer ${file}: ${countNoun(inference.collections.length, 'collection')}.`,
    '# Check each action, keep this file next to the OpenAPI file, and pass it to touchstone instead of that file.',
    'overlay: 1.0.0',
    `info: { title: ${printJson(`${title}, with its rules`)}, version: ${printJson(version)} }`,
    `extends: ${printJson(file)}`,
    active.length === 0 ? 'actions: []' : 'actions:',
    ...active.flatMap((annotation) => [`  # ${renderReasons(annotation)}`, ...renderAction(annotation)]),
    ...(doubtful.length === 0
      ? []
      : ['', '# Uncertain guesses, and what annotations cannot express yet. Complete and uncomment what is true.']),
    ...doubtful.flatMap((annotation) => [`# ${renderReasons(annotation)}`, ...renderAction(annotation).map((line) => `# ${line}`)]),
    '',
  ].join('\n');
}

function renderAction({ operation, keyword, value }: InferredAnnotation): readonly string[] {
  const target = `$.paths[${printJson(operation.path)}].${operation.method.toLowerCase()}`;
  return [`  - target: ${printJson(target)}`, `    update: ${printJson({ [keyword]: value })}`];
}

function renderReasons({ operation, guesses, unsayable }: InferredAnnotation): string {
  const parts = [...guesses].map(
    ([part, { confidence, reason }]) => `${part} ${Math.round(confidence * 100)} % (${describeReason(reason)})`,
  );
  return `${operation.id}: ${[...parts, ...(unsayable === undefined ? [] : [unsayableTexts[unsayable]])].join('; ')}`;
}

const unsayableTexts: Readonly<Record<NonNullable<InferredAnnotation['unsayable']>, string>> = {
  pages: 'annotations cannot describe these pages yet',
  'no-pages': 'the list has no pages, which annotations cannot express yet',
  key: 'no key was found',
  parents: 'the record has parents in its path, which annotations cannot express yet',
};

function describeReason({ by, name }: Reason): string {
  return name === '' ? reasonTexts[by] : `${reasonTexts[by]} ${name}`;
}

const reasonTexts: Readonly<Record<Reason['by'], string>> = {
  annotation: 'stated by',
  'array-body': 'the body is an array',
  'container-name': 'a usual name:',
  'path-noun': 'the noun of the path:',
  'only-array': 'the only array:',
  'several-arrays': 'one of several arrays:',
  'path-parameter': 'the path parameter names',
  'identifier-name': 'a usual identifier:',
  'parameter-name': 'the parameter',
  'parameter-alone': 'only the parameter',
  'field-name': 'the field',
  'field-part': 'a bound of the field',
  'same-schema': 'the schema of the list',
  'path-below': 'the path below',
  method: 'the method',
  'text-search': 'a search by',
  'vendor-extension': 'stated by',
  link: 'the link',
  'member-name': 'the member',
  response: 'shown by the server at',
  'contradicting-response': 'contradicted by the server at',
};

/** Prints a table: for each collection, what was found and what was not. */
export function renderTable({ inference }: InferReport): string {
  const header = ['collection', 'array', 'key', 'pages', 'read', 'filters', 'version', 'writes', 'refers to'];
  return `${alignColumns([header, ...inference.collections.map(rowOf)]).join('\n')}\n`;
}

function rowOf({ name, key, version, lists, details, writes, references }: InferredCollection): readonly string[] {
  const paging = lists[0]?.paging;
  const filters = lists.flatMap((list) => [...list.filters.values()]);
  const kinds = writes.filter(({ kind }) => isSure(kind)).map(({ kind }) => kind.value);
  const targets = references.filter(({ target }) => isSure(target)).map(({ target }) => target.value);
  return [
    name,
    markOf(lists[0]?.items),
    markOf(key),
    paging === undefined ? '-' : `${paging.value.style}${isSure(paging) ? '' : '?'}`,
    markOf(details[0]?.at),
    `${filters.filter((filter) => isSure(filter)).length} of ${filters.length}`,
    markOf(version),
    [...new Set(kinds)].join(' ') || '-',
    [...new Set(targets)].join(' ') || '-',
  ];
}

function markOf(guess: Guess<unknown> | undefined): string {
  if (guess === undefined) return '-';
  if (guess.confidence === 0) return 'no';
  return isSure(guess) ? 'yes' : 'perhaps';
}
