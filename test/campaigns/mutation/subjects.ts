/** What each law is about, in the contracts of the package and in contracts that lack one thing or another: no request is needed to see that. */

import { basename } from 'node:path';
import { laws } from '../../../contracts/laws/catalogue.ts';
import { checkAnnotations } from '../../../core/annotation.ts';
import { type Contract, editContract } from '../../../core/contract.ts';
import { type Edit, editDocument } from '../../../core/edit.ts';
import { SpecError } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';

/** The edits that leave a contract without a single thing, or with an empty list in its place: a response, a parameter, a rule of a list. */
export async function listLosses(contract: Contract): Promise<readonly Edit[]> {
  const places = [...placesIn(contract.closed.root, ['x-api', 'x-invalid']), ...operationPlaces(contract.closed.root)];
  const edits = places.flatMap((at): readonly Edit[] => [
    { op: 'remove', at },
    { op: 'replace', at, value: [] },
  ]);
  const losses: Edit[] = [];
  for (const edit of edits) if (await isContract(contract, edit)) losses.push(edit);
  return losses;
}

/** A contract, and what is left of it after each of its losses. */
export function loseEach(contract: Contract, losses: readonly Edit[]): readonly Contract[] {
  return [contract, ...losses.map((edit) => editContract(contract, [edit]))];
}

/** The operations that a law is about in each contract, with the clause that it stands on. */
export function describeSubjects(id: string, contracts: readonly Contract[]): string {
  const law = laws.find((each) => each.id === id);
  if (law === undefined) throw new RangeError(`${id} is no law; the catalogue of laws has none of that name`);
  const lines = contracts.map((contract) =>
    contract.operations.map((operation) => {
      const clause = law.clause(operation, contract);
      return clause === undefined ? '' : `${operation.id} ${basename(clause.file)}:${clause.line}`;
    }),
  );
  return lines.map((line) => line.filter((each) => each !== '').join(', ')).join('\n');
}

/** Whether a contract is still one after an edit: what is none any more tells nothing of laws. */
export async function isContract(contract: Contract, edit: Edit): Promise<boolean> {
  try {
    await checkAnnotations(editDocument(contract.closed, [edit]));
    editContract(contract, [edit]);
    return true;
  } catch (error) {
    if (error instanceof SpecError || error instanceof RangeError) return false;
    throw error;
  }
}

const methods: readonly string[] = ['get', 'head', 'post'];

function operationPlaces(root: JsonObject): readonly string[] {
  const paths = isObject(root['paths']) ? root['paths'] : {};
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = isObject(item) ? item[method] : undefined;
      const prefix = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`;
      const own = ['security', 'parameters', 'responses', 'x-parameter-rules', 'x-collection', 'x-resource'];
      const nested = isObject(operation) ? placesIn(operation, own).map((place) => `${prefix}${place}`) : [];
      return [...nested, ...(isObject(operation) ? placesBelow(operation, prefix) : [])];
    }),
  );
}

/** The parts of a list's rules that have parts themselves. */
function placesBelow(operation: JsonObject, prefix: string): readonly string[] {
  const collection = operation['x-collection'];
  if (!isObject(collection)) return [];
  return placesIn(collection, ['page', 'filters', 'order', 'visible']).map((place) => `${prefix}/x-collection${place}`);
}

/** The members of a value, each with what they have in them. */
function placesIn(value: JsonObject, names: readonly string[]): readonly string[] {
  return names.filter((name) => name in value).flatMap((name) => [`/${name}`, ...keysOf(value[name]).map((key) => `/${name}/${key}`)]);
}

function keysOf(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.map((_, index) => String(index));
  return isObject(value) ? Object.keys(value).filter((key) => key !== '$ref') : [];
}
