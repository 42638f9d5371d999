/** Which places of a body are personal: by the schemas that may apply there, and by name where no schema speaks. */

import type { Document } from './document.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { PersonalNode } from './personal-text.ts';
import { fromPointer, toPointer } from './pointer.ts';
import { type Schema, schemasAt, schemasBelow } from './schema.ts';

/** So many members of a place are found without looking at its schemas again. */
const childrenMost = 1000;

/** A member by its name and by that of the member that holds it, elements of arrays passed over: `owner phone`. */
type Field = string;

/**
 * The tree of places below these schemas, grown as bodies are read. A server may put a record where no schema speaks; there, fields that are personal
 * elsewhere are personal too if they are held by a member of the same name.
 */
export function createPersonalTree(document: Document, schemas: readonly Schema[], fields: ReadonlySet<Field>): PersonalNode {
  const grown = new Map<string, PersonalNode>();
  const numbers = new Map<Schema, number>();
  const numberOf = (schema: Schema): number => {
    const number = numbers.get(schema) ?? numbers.size;
    numbers.set(schema, number);
    return number;
  };
  // Places with the same schemas share a node, so a recursive schema makes a finite tree.
  const grow = (here: readonly Schema[], holder: string, isMarked: boolean): PersonalNode => {
    const key = `${here.map(numberOf).join()} ${isMarked} ${holder}`;
    const node = grown.get(key) ?? createNode(here, holder, isMarked);
    grown.set(key, node);
    return node;
  };
  // Which member holds a place matters where one of its fields is personal. Names that a server makes up share a place, so that the tree does not grow with them.
  const holders = new Set([...fields].map((field) => field.split(' ', 1)[0] ?? ''));
  const createNode = (here: readonly Schema[], holder: string, isMarked: boolean): PersonalNode => {
    const children = new Map<string, PersonalNode>();
    const names = new Set(
      here.flatMap((schema) => (isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [])),
    );
    const isOpen = here.some(
      (schema) => isObject(schema) && (schema['patternProperties'] !== undefined || isObject(schema['additionalProperties'])),
    );
    /** Members that a server makes up come by the ten thousand; of those no schema says anything. */
    const isMadeUp = (key: string): boolean =>
      !isOpen && !names.has(key) && !holders.has(key) && !/^\d/.test(key) && !fields.has(`${holder} ${key}`);
    const makeChild = (key: string, isMember: boolean): PersonalNode => {
      const below = schemasBelow(document, here, key);
      const isNamed = below.length === 0 && isMember && fields.has(`${holder} ${key}`);
      return grow(below, isMember ? (holders.has(key) ? key : ' ') : holder, isNamed);
    };
    const child = (key: string, isMember: boolean): PersonalNode => {
      if (isMember && isMadeUp(key)) return grow([], ' ', false);
      const name = `${isMember} ${key}`;
      const found = children.get(name) ?? makeChild(key, isMember);
      if (children.size < childrenMost) children.set(name, found);
      return found;
    };
    const node: PersonalNode = {
      isPersonal: isMarked || here.some(isPersonalSchema),
      child,
      descend: (pointer) => fromPointer(pointer).reduce((at, key) => at.child(key, true), node),
    };
    return node;
  };
  return grow(unique(schemas.flatMap((schema) => schemasAt(document, schema, ''))), '', false);
}

/** Every personal field below these schemas. */
export function listPersonalFields(document: Document, schemas: readonly Schema[]): ReadonlySet<Field> {
  const fields = new Set<Field>();
  const seen = new Map<Schema, Set<string>>();
  const waiting: Below[] = schemas.map((schema) => ({ schema, holder: '' }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema, holder } = next;
    const holders = seen.get(schema) ?? new Set();
    seen.set(schema, holders);
    if (holders.has(holder)) continue;
    holders.add(holder);
    const parts = schemasAt(document, schema, '').filter(isObject);
    const members = parts.flatMap(({ properties }) => (isObject(properties) ? Object.entries(properties) : []));
    for (const [key] of members) if (schemasAt(document, schema, toPointer([key])).some(isPersonalSchema)) fields.add(`${holder} ${key}`);
    waiting.push(...members.flatMap(([key, member]) => toSchemas(member).map((below) => ({ schema: below, holder: key }))));
    waiting.push(...parts.flatMap(elementSchemas).map((below) => ({ schema: below, holder })));
  }
  return fields;
}

/** A schema and the name of the member that holds its instances. */
interface Below {
  readonly schema: Schema;
  readonly holder: string;
}

function isPersonalSchema(schema: Schema): boolean {
  return isObject(schema) && schema['x-personal'] === true;
}

/** Schemas of elements, and of members that have no names of their own. */
function elementSchemas(schema: JsonObject): readonly Schema[] {
  const { items, prefixItems, additionalProperties, patternProperties } = schema;
  const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
  return [items, ...(Array.isArray(prefixItems) ? (prefixItems as readonly Json[]) : []), additionalProperties, ...patterns].flatMap(
    toSchemas,
  );
}

function toSchemas(value: Json | undefined): readonly Schema[] {
  return isObject(value) ? [value] : [];
}

function unique(schemas: readonly Schema[]): readonly Schema[] {
  return [...new Set(schemas)];
}
