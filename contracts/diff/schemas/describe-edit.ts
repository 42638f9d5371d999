/** Names edits in sentences: by the component that states them, since people know its name, or by the place in the exchange. */

import { fromPointer } from '../../../core/pointer.ts';
import { type MemberOfGroup, statedAt } from '../difference.ts';
import { printPart } from '../exchange-place.ts';
import type { SchemaEdit, SchemaStep } from './schema-pair.ts';
import { isBody, type SchemaUse } from './schema-use.ts';

/** The sentence on an edit, as one of a group: edits of one kind at members of the same value read the same but for their members. */
export function nameEdit(use: SchemaUse, path: readonly SchemaStep[], edit: SchemaEdit, isOfReference: boolean): MemberOfGroup {
  const stated = nameInComponent(edit, isOfReference);
  const { property, member, text } = edit;
  const keys = stated?.keys ?? keysFromList(path);
  const name = keys.length > 0 ? code(printKeys(keys)) : stated === undefined ? nameOfPart(use) : code(stated.component);
  const isInside = keys.length > 0 || property !== undefined;
  const prefix = `${stated !== undefined && isInside ? `${code(stated.component)}: ` : ''}${nameNegation(path)}`;
  const own = property === undefined ? member : printKeys([...keys, property]);
  if (own !== undefined)
    return {
      group: stated === undefined ? undefined : [stated.component, ...keys].join('/'),
      isAtValue: true,
      name: own,
      shown: property === undefined ? own : code(own),
      sentence: (members, isPlural) => `${prefix}${text({ name, members, isPlural })}`,
    };
  return {
    group: stated !== undefined && keys.length > 0 ? [stated.component, ...keys.slice(0, -1)].join('/') : undefined,
    isAtValue: false,
    name: printKeys(keys),
    shown: name,
    sentence: (members, isPlural) => `${prefix}${text({ name: members, members, isPlural })}`,
  };
}

/** Inside `not`, an edit means the opposite of what its sentence says. */
function nameNegation(path: readonly SchemaStep[]): string {
  return path.some(({ kind }) => kind === 'negated') ? 'inside `not`, ' : '';
}

/** The value at a path in sentences: the names of its properties from the nearest list on; else the parameter, the header or the body. */
export function nameValue(use: SchemaUse, path: readonly SchemaStep[]): string {
  const keys = keysFromList(path);
  return keys.length > 0 ? code(printKeys(keys)) : nameOfPart(use);
}

const code = (text: string): string => `\`${text}\``;

function nameOfPart(use: SchemaUse): string {
  const { part } = use.at;
  if (isBody(use)) return `the ${part.kind === 'response' ? 'body of the ' : ''}${printPart(part)}`;
  return code((part.kind === 'parameter' ? part.name : part.kind === 'response' ? part.header : undefined) ?? printPart(part));
}

/** The component that states an edit, and the keys from it to the edited value; `undefined` if no schema component does, or only a reference to it changed. */
function nameInComponent(
  { before, after, property }: SchemaEdit,
  isOfReference: boolean,
): { readonly component: string; readonly keys: readonly string[] } | undefined {
  if (isOfReference) return undefined;
  const { component, pointer } = statedAt({ before, after });
  const name = /^schemas\/(.*)$/.exec(component ?? '')?.[1];
  if (name === undefined || pointer === undefined) return undefined;
  const keys = keysIn(fromPointer(pointer));
  return { component: name, keys: property !== undefined && keys.at(-1) === property ? keys.slice(0, -1) : keys };
}

/** Keys of the value that a pointer into a schema leads to. */
function keysIn([keyword, key, ...rest]: readonly string[]): readonly string[] {
  switch (keyword) {
    case 'properties':
      return key === undefined ? [] : [key, ...keysIn(rest)];
    case 'patternProperties':
      return key === undefined ? [] : [`/${key}/`, ...keysIn(rest)];
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'dependentSchemas':
      return keysIn(rest);
    case 'prefixItems':
      return key === undefined ? [] : [`[${key}]`, ...keysIn(rest)];
    case 'items':
      return key === undefined ? [] : ['[]', ...keysIn([key, ...rest])];
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return key === undefined ? [] : ['*', ...keysIn([key, ...rest])];
    case 'not':
    case 'if':
    case 'then':
    case 'else':
      return key === undefined ? [] : keysIn([key, ...rest]);
    default:
      return [];
  }
}

/** Keys of a path: the names of properties from the nearest list on, or those up to the list. */
function keysFromList(path: readonly SchemaStep[]): readonly string[] {
  const lastItem = path.findLastIndex(({ kind }) => kind === 'items');
  const names = (from: number): readonly string[] => path.slice(from).flatMap((step) => (step.kind === 'property' ? [step.name] : []));
  const inner = names(lastItem + 1);
  if (inner.length > 0) return inner;
  const list = names(0);
  return list.length > 0 ? [...list, '[]'] : [];
}

function printKeys(keys: readonly string[]): string {
  return keys.reduce((text, key) => `${text}${text === '' || key.startsWith('[') ? '' : '.'}${key}`, '');
}
