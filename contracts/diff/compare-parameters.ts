/** Comparing the parameters of an operation (OpenAPI 3.1 §4.8.12). */

import type { Side } from '../../core/change.ts';
import { follow } from '../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { compareUse } from './compare-schemas.ts';
import { alongside, isSame, type OperationPair, partOf, report, reportMember, reportMembers } from './comparing.ts';
import { type Described, exposeParameter, refusedRequest } from './description.ts';
import type { Draft } from './draft.ts';
import { compareLifecycle, removalLevel } from './lifecycle.ts';
import { isSchema, show, toKebab } from './schema-edit.ts';

/** A parameter with what names it on both sides. */
interface Entry {
  readonly in: string;
  readonly name: string;
  readonly value: JsonObject;
  /** Where the operation names it, which may be a reference. */
  readonly side: Side;
}

/** A parameter that both documents have. */
interface ParameterPair extends ParameterPart {
  readonly before: Entry;
  readonly after: Entry;
  /** What both documents say of it. */
  readonly sides: { readonly old: JsonObject; readonly new: JsonObject };
}

/** Compares the parameters, those of the path item included. */
export function compareParameters(pair: OperationPair): void {
  for (const [, before, after] of alongside(parametersOf(pair, pair.old), parametersOf(pair, pair.new))) {
    const { in: place, name } = before === undefined ? after : (after ?? before);
    const part = partOf(pair, 'request', `${place} parameter ${name}`);
    if (before === undefined) reportAdded(part, after);
    else if (after === undefined) reportRemoved(part, before);
    else compareParameter({ ...part, before, after, sides: { old: before.value, new: after.value } });
  }
}

type ParameterPart = ReturnType<typeof partOf>;

function reportRemoved(part: ParameterPart, before: Entry): void {
  const { level, why } = removalLevel(part.comparing, before.value, 'risky');
  report(part, {
    id: `${before.in}-parameter/removed`,
    level,
    before: before.side,
    after: { value: undefined, place: part.comparing.document.place(part.new.value, 'parameters') },
    subject: before.name,
    text: `the ${part.location} is gone`,
    reason: why || 'A client that still sends it is answered as if it had not, or refused.',
  });
}

function reportAdded(part: ParameterPart, after: Entry): void {
  const isRequired = after.value['required'] === true || after.in === 'path';
  report(part, {
    id: `${after.in}-parameter/${isRequired ? 'required-added' : 'added'}`,
    level: isRequired ? 'breaking' : 'compatible',
    before: { value: undefined, place: part.comparing.document.place(part.old.value, 'parameters') },
    after: after.side,
    subject: after.name,
    text: `the ${isRequired ? 'required' : 'optional'} ${part.location} is new`,
    ...(isRequired ? refusing(part, after, 'A deployed client does not send it, and is refused.') : {}),
  });
}

/** By what identifies them: path parameters by their place in the template, so that a new name is no new parameter. */
function parametersOf({ comparing: { document } }: OperationPair, { item, value, path }: Described): ReadonlyMap<string, Entry> {
  const lists = [item['parameters'], value['parameters']].map((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]);
  return new Map(
    lists.flat().flatMap((entry): readonly (readonly [string, Entry])[] => {
      const parameter = follow(document, entry);
      if (!isObject(parameter) || !isObject(entry)) return [];
      const [place, name] = [String(parameter['in']), String(parameter['name'])];
      const index = place === 'path' ? names.indexOf(name) : -1;
      const identity = index >= 0 ? `#${index}` : place === 'header' ? name.toLowerCase() : name;
      return [[`${place} ${identity}`, { in: place, name, value: parameter, side: { value: parameter, place: document.place(entry) } }]];
    }),
  );
}

/** What a parameter that is required now means: the request that leaves it out is refused. */
function refusing(pair: OperationPair, { in: place, name, value }: Entry, reason: string, key?: string): Pick<Draft, 'reason' | 'find'> {
  const at = pair.comparing.document.place(value, key);
  return { reason, find: () => refusedRequest(pair.old, 'required', `the ${place} parameter ${name} is required`, at) };
}

function compareParameter(pair: ParameterPair): void {
  const { before, after, sides, location, comparing } = pair;
  const subject = `${after.in}-parameter`;
  compareLifecycle({ ...pair, direction: undefined }, sides, subject, `the ${location}`);
  compareRequired(pair);
  compareStyle(pair);
  compareNotes(pair);
  const [old, next] = [schemaOf(before.value), schemaOf(after.value)];
  compareDefault(pair, old, next);
  const around = { old: comparing.document.place(before.value, 'schema'), new: comparing.document.place(after.value, 'schema') };
  compareUse(pair, { subject, old, new: next, around, expose: exposeParameter(pair.old, after) });
}

/** The schema of a parameter's value: its own, or that of its only media type. */
function schemaOf(value: JsonObject): Schema {
  const content = isObject(value['content']) ? Object.values(value['content'])[0] : undefined;
  const schema = isObject(content) ? content['schema'] : value['schema'];
  return isSchema(schema) ? schema : true;
}

function compareRequired(pair: ParameterPair): void {
  const { after, sides, location } = pair;
  const [was, is] = [sides.old['required'] === true, sides.new['required'] === true];
  if (was === is || after.in === 'path') return;
  reportMember(pair, sides, 'required', {
    id: `${after.in}-parameter/${is ? 'became-required' : 'became-optional'}`,
    level: is ? 'breaking' : 'compatible',
    subject: after.name,
    text: `the ${location} is ${is ? 'required now' : 'no longer required'}`,
    ...(is ? refusing(pair, after, 'A deployed client that leaves it out is refused.', 'required') : {}),
  });
}

/** How values are written in the request, with what OpenAPI says where nothing is (§4.8.12.2.1). */
function compareStyle(pair: ParameterPair): void {
  const { before, after, sides } = pair;
  const customary = after.in === 'query' || after.in === 'cookie' ? 'form' : 'simple';
  const styleOf = ({ value }: Entry): Json => value['style'] ?? customary;
  const explodeOf = (entry: Entry): Json => entry.value['explode'] ?? styleOf(entry) === 'form';
  const isStructured = [before, after].some(({ value }) => /"(?:array|object)"|\$ref|Of"/.test(JSON.stringify(value['schema'] ?? {})));
  const found = [
    ...(styleOf(before) === styleOf(after) ? [] : ['style']),
    ...(explodeOf(before) === explodeOf(after) || !isStructured ? [] : ['explode']),
    ...((before.value['content'] === undefined) === (after.value['content'] === undefined) ? [] : ['content']),
  ];
  for (const keyword of found)
    reportMember(pair, sides, keyword, {
      id: `${after.in}-parameter/${keyword}-changed`,
      level: 'breaking',
      subject: after.name,
      text: `the way in which ${after.name} is written changed (${keyword}: ${show(sides.old[keyword])} to ${show(sides.new[keyword])})`,
      reason: 'What deployed clients send is read as something else.',
    });
}

/** An absent optional parameter means its default. */
function compareDefault(pair: ParameterPair, old: Schema, next: Schema): void {
  const { comparing, after, sides } = pair;
  const defaultOf = (schema: Schema, holder: JsonObject): Side => {
    const stated = comparing.search.views.of(schema, pair.new.place).keywords.get('default')?.[0];
    const { place } = comparing.document;
    return { value: stated?.value, place: stated === undefined ? place(holder, 'schema') : place(stated.holder, 'default') };
  };
  const [was, is] = [defaultOf(old, sides.old), defaultOf(next, sides.new)];
  if (isSame(was.value, is.value) || (sides.old['required'] === true && sides.new['required'] === true)) return;
  report(pair, {
    id: `${after.in}-parameter/default-${was.value === undefined ? 'added' : is.value === undefined ? 'removed' : 'changed'}`,
    level: 'breaking',
    before: was,
    after: is,
    subject: after.name,
    text: `without ${after.name}, ${show(is.value)} is meant, and no longer ${show(was.value)}`,
    reason: 'A deployed client that leaves it out is answered otherwise, without a word.',
    affects: ['clients'],
  });
}

function compareNotes(pair: ParameterPair): void {
  const { before, after, sides } = pair;
  const subject = after.name;
  const id = `${after.in}-parameter`;
  const words = ['description', 'example', 'examples', 'allowEmptyValue', 'allowReserved'];
  if (after.in === 'path')
    reportMembers(pair, sides, ['name'], () => ({
      id: `${id}/renamed`,
      level: 'documentation',
      subject,
      text: `the path parameter ${before.name} is called ${after.name} now`,
    }));
  reportMembers(pair, sides, words, (keyword) => ({
    id: `${id}/${toKebab(keyword)}-changed`,
    level: keyword.startsWith('allow') ? 'risky' : 'documentation',
    subject,
    text: `${keyword} of ${after.name} changed`,
  }));
}
