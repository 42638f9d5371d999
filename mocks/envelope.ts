/** What stands around the records of an answer: what its schema fixes, and the other members that it requires beside them. */

import type { Contract } from '../core/contract.ts';
import { isObject, type Json } from '../core/json.ts';
import type { Operation } from '../core/operation.ts';
import { toPointer, valueAt, withValueAt } from '../core/pointer.ts';
import { schemaOfSuccess } from '../core/read-operation.ts';
import { allowsNull, certainSchemas, type Schema } from '../core/schema.ts';
import type { ServedApi, Siblings } from './served-api.ts';
import { constantsOf } from './shape.ts';

/** The envelope of the successes of an operation. */
export function envelopeOf({ contract, siblings }: ServedApi, operation: Operation): Json {
  const fixed = constantsOf(contract.closed, schemaOfSuccess(operation.responses) ?? true) ?? {};
  return (siblings.get(operation.id) ?? []).reduce<Json>((envelope, [pointer, value]) => withValueAt(envelope, pointer, value), fixed);
}

/**
 * Finds values for required members: null where the schema allows it, since a link of the mock's leads nowhere; then what the file's example shows;
 * then the simplest instance of the schema. The generator is loaded only when it is needed.
 */
export async function findSiblings(contract: Contract): Promise<Siblings> {
  const found = new Map<string, readonly (readonly [string, Json])[]>();
  for (const operation of contract.operations) {
    const schema = schemaOfSuccess(operation.responses);
    const places = placesOf(operation);
    if (schema === undefined || places.length === 0) continue;
    const missing = missingMembers(contract, [schema], { pointer: '', value: constantsOf(contract.closed, schema), places });
    const values: (readonly [string, Json])[] = [];
    for (const { pointer, schemas } of missing) {
      const value = schemas.every((each) => allowsNull(contract.closed, each))
        ? null
        : (exampleAt(operation, pointer) ?? valueAt(await simplest(contract, schema), pointer));
      if (value !== undefined) values.push([pointer, value]);
    }
    if (values.length > 0) found.set(operation.id, values);
  }
  return found;
}

/** The places of an answer that the mock fills itself. */
function placesOf({ collection, resource }: Operation): readonly string[] {
  if (resource !== undefined) return [resource.at];
  if (collection === undefined) return [];
  const { page, items, head } = collection;
  const told =
    page.style === 'cursor'
      ? [page.next, page.more]
      : page.style === 'offset'
        ? [page.total, page.more]
        : [page.total, page.echo?.limit, page.echo?.page];
  return [items, head, ...told].filter((each) => each !== undefined);
}

interface Level {
  readonly pointer: string;
  /** What the schema fixes here. */
  readonly value: Json | undefined;
  readonly places: readonly string[];
}

interface Missing {
  readonly pointer: string;
  readonly schemas: readonly Schema[];
}

/** The required members that nothing gives, at every level above the places. */
function missingMembers(contract: Contract, schemas: readonly Schema[], { pointer, value, places }: Level): readonly Missing[] {
  if (places.includes(pointer)) return [];
  const parts = schemas.flatMap((schema) => certainSchemas(contract.closed, schema)).filter(isObject);
  const names = new Set(parts.flatMap(({ required }) => (Array.isArray(required) ? (required as readonly Json[]).map(String) : [])));
  return [...names].flatMap((name) => {
    const at = pointer + toPointer([name]);
    const fixed = isObject(value) ? value[name] : undefined;
    const members = parts.flatMap(({ properties }) =>
      isObject(properties) && properties[name] !== undefined ? [properties[name] as Schema] : [],
    );
    const isAbove = places.some((place) => place === at || place.startsWith(`${at}/`));
    if (isAbove || isObject(fixed)) return missingMembers(contract, members, { pointer: at, value: fixed, places });
    return fixed === undefined ? [{ pointer: at, schemas: members }] : [];
  });
}

function exampleAt({ responses }: Operation, pointer: string): Json | undefined {
  const successes = [...responses.values()].filter(({ status }) => status.startsWith('2'));
  const [example] = successes.flatMap(({ examples }) => [...examples.values()]);
  return valueAt(example?.value, pointer);
}

/** The simplest instance of a schema; `undefined` when the generator finds none, and the member is then left out. */
async function simplest({ closed }: Contract, schema: Schema): Promise<Json | undefined> {
  const { simplestInstance } = await import('../generators/arbitrary.ts');
  return simplestInstance(schema, { document: closed });
}
