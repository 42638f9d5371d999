/**
 * Contracts that say a little more, less or something else than a server does: a page of one record more, a key that no record has, a filter less. What a law
 * makes of a contract unlike the two of the package shows in them.
 */

import { createHash } from 'node:crypto';
import type { Contract } from '../../../core/contract.ts';
import { type Document, follow } from '../../../core/document.ts';
import type { Edit } from '../../../core/edit.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { toPointer } from '../../../core/pointer.ts';
import { isContract } from './subjects.ts';

const reservations = '/paths/~1api~1integrations~1v1~1reservations~1index.php/get';

/** The edits of what is said of the operations of a contract, each of which leaves a contract. */
export async function listVariants(contract: Contract): Promise<readonly Edit[]> {
  const places = contract.operations.flatMap((operation) => {
    const said = ['x-collection', 'x-resource', 'parameters', 'security', 'responses'].filter((name) => name in operation.value);
    return said.flatMap((name) => placesBelow(contract.closed, `${operation.pointer}/${name}`, operation.value[name] ?? null, 4));
  });
  const variants: Edit[] = [];
  for (const { at, value } of places) for (const edit of editsOf(at, value)) if (await isContract(contract, edit)) variants.push(edit);
  return variants;
}

/** Some of all edits, always the same ones for a name. */
export function chooseEdits(edits: readonly Edit[], name: string, count: number): readonly Edit[] {
  const rank = (edit: Edit): string =>
    createHash('sha256')
      .update(`${name} ${JSON.stringify(edit)}`)
      .digest('hex');
  return edits
    .map((edit) => ({ edit, rank: rank(edit) }))
    .toSorted((left, right) => (left.rank < right.rank ? -1 : 1))
    .slice(0, count)
    .map(({ edit }) => edit);
}

/** Readings of a contract that take more than one edit, by what they say. */
export const manyEdits: Readonly<Record<'business' | 'wiki', Readonly<Record<string, readonly Edit[]>>>> = {
  business: {
    'by ranges of whole numbers': [
      ...['DateFrom', 'DateTo'].map(
        (name): Edit => ({ op: 'replace', at: `/components/parameters/${name}/schema`, value: { type: 'integer' } }),
      ),
      ...['DateFrom', 'DateTo'].map((name): Edit => ({ op: 'replace', at: `/components/parameters/${name}/example`, value: 3 })),
      { op: 'replace', at: `${reservations}/x-collection/filters/date_from`, value: { from: '/schedule/people' } },
      { op: 'replace', at: `${reservations}/x-collection/filters/date_to`, value: { to: '/schedule/people' } },
    ],
    'by ranges without their ends': [
      { op: 'replace', at: `${reservations}/x-collection/filters/date_from`, value: { after: '/schedule/date' } },
      { op: 'replace', at: `${reservations}/x-collection/filters/date_to`, value: { before: '/schedule/date' } },
    ],
    'by a date in the order': [
      { op: 'replace', at: `${reservations}/x-collection/order`, value: [{ by: '/schedule/date', direction: 'ascending' }] },
      { op: 'replace', at: `${reservations}/x-collection/version`, value: '/schedule/date' },
    ],
  },
  wiki: {},
};

interface Place {
  readonly at: string;
  readonly value: Json;
}

/** What schemas, examples and descriptions say is no matter of the laws that read rules. */
const beside: readonly string[] = [
  'description',
  'summary',
  'content',
  'examples',
  'example',
  'headers',
  'items',
  'pattern',
  'question',
  'choices',
];

function placesBelow(document: Document, at: string, value: Json, depth: number): readonly Place[] {
  const found = follow(document, value) ?? null;
  const members = Array.isArray(found) ? Object.entries(found as readonly Json[]) : isObject(found) ? Object.entries(found) : [];
  const below =
    depth === 0
      ? []
      : members
          .filter(([name]) => !beside.includes(name))
          .flatMap(([name, member]) => placesBelow(document, `${at}${toPointer([name])}`, member, depth - 1));
  return [{ at, value: found }, ...below];
}

function editsOf(at: string, value: Json): readonly Edit[] {
  const other = (changed: Json): Edit => ({ op: 'replace', at, value: changed });
  const removal: Edit = { op: 'remove', at };
  if (typeof value === 'number') return [removal, other(value + 1), other(value - 1)];
  if (typeof value === 'boolean') return [removal, other(!value)];
  if (typeof value === 'string') return [removal, other(`${value}x`)];
  if (Array.isArray(value) && value.length > 1) return [removal, other(value.slice(1)), other(value.toReversed()), other([])];
  return [removal];
}
