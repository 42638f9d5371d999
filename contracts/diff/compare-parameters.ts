/** Comparing the parameters of an operation (OpenAPI 3.1 §4.8.12). */

import type { HalfOfExchange } from '../../core/change.ts';
import { follow } from '../../core/document.ts';
import type { Place } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { compareUse } from './compare-schemas.ts';
import { type Comparing, isSame, member, nothing, reportAt, something } from './comparing.ts';
import type { Described, OperationPair } from './description.ts';
import { compareLifecycle, removalLevel } from './lifecycle.ts';
import { show } from './schema-edit.ts';
import { exposeParameter } from './witness.ts';

/** A parameter with what names it on both sides. */
interface Entry {
  readonly in: string;
  readonly name: string;
  readonly value: JsonObject;
  /** Where the operation names it, which may be a reference. */
  readonly place: Place;
}

/** Compares the parameters, those of the path item included. */
export function compareParameters(comparing: Comparing, pair: OperationPair): void {
  const [old, next] = [parametersOf(comparing, pair.old), parametersOf(comparing, pair.new)];
  for (const [key, before] of old) {
    const after = next.get(key);
    if (after === undefined) reportRemoved(comparing, pair, before);
    else compareParameter(comparing, pair, before, after);
  }
  for (const [key, after] of next) if (!old.has(key)) reportAdded(comparing, pair, after);
}

/** By what identifies them: path parameters by their place in the template, so that a new name is no new parameter. */
function parametersOf({ document }: Comparing, { item, value, path }: Described): ReadonlyMap<string, Entry> {
  const lists = [item['parameters'], value['parameters']].map((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]);
  return new Map(
    lists.flat().flatMap((entry): readonly (readonly [string, Entry])[] => {
      const parameter = follow(document, entry);
      if (!isObject(parameter) || !isObject(entry)) return [];
      const [place, name] = [String(parameter['in']), String(parameter['name'])];
      const index = place === 'path' ? names.indexOf(name) : -1;
      const identity = index >= 0 ? `#${index}` : place === 'header' ? name.toLowerCase() : name;
      return [[`${place} ${identity}`, { in: place, name, value: parameter, place: document.place(entry) }]];
    }),
  );
}

function directionOf({ old }: OperationPair): HalfOfExchange {
  return old.isSentByServer ? 'response' : 'request';
}

function locationOf({ in: place, name }: Entry): string {
  return `${place} parameter ${name}`;
}

function reportRemoved(comparing: Comparing, pair: OperationPair, before: Entry): void {
  const { level, why } = removalLevel(comparing, before.value, 'risky');
  reportAt(comparing, pair.new.name, {
    id: `${before.in}-parameter/removed`,
    level,
    direction: directionOf(pair),
    location: locationOf(before),
    before: { value: before.value, place: before.place },
    after: nothing(comparing.document.place(pair.new.value, 'parameters')),
    subject: before.name,
    text: `the ${before.in} parameter ${before.name} is gone`,
    reason: why || 'A client that still sends it is answered as if it had not, or refused.',
  });
}

function reportAdded(comparing: Comparing, pair: OperationPair, after: Entry): void {
  const isRequired = after.value['required'] === true || after.in === 'path';
  reportAt(comparing, pair.new.name, {
    id: `${after.in}-parameter/${isRequired ? 'required-added' : 'added'}`,
    level: isRequired ? 'breaking' : 'compatible',
    direction: directionOf(pair),
    location: locationOf(after),
    before: nothing(comparing.document.place(pair.old.value, 'parameters')),
    after: { value: after.value, place: after.place },
    subject: after.name,
    text: `the ${isRequired ? 'required' : 'optional'} ${after.in} parameter ${after.name} is new`,
    ...(isRequired
      ? {
          reason: 'A deployed client does not send it, and is refused.',
          find: () => comparing.search.withoutParameter(pair, after.in, after.name, comparing.document.place(after.value)),
        }
      : {}),
  });
}

function compareParameter(comparing: Comparing, pair: OperationPair, before: Entry, after: Entry): void {
  const location = locationOf(after);
  const sides = { old: before.value, new: after.value };
  compareLifecycle(comparing, pair.new.name, `${after.in}-parameter`, `the ${location}`, sides, location);
  compareRequired(comparing, pair, before, after);
  compareStyle(comparing, pair, before, after);
  compareNotes(comparing, pair, before, after);
  const [old, next] = [schemaOf(before.value), schemaOf(after.value)];
  compareDefault(comparing, pair, before, after, old, next);
  const schemas = comparing.pairs.of(old, next, {
    old: comparing.document.place(before.value, 'schema'),
    new: comparing.document.place(after.value, 'schema'),
  });
  const use = { operation: pair.new.name, subject: `${after.in}-parameter`, direction: directionOf(pair), location, old, new: next };
  compareUse(comparing, { ...use, isText: false, expose: exposeParameter(pair, after) }, schemas);
}

/** The schema of a parameter's value: its own, or that of its only media type. */
function schemaOf(value: JsonObject): Schema {
  const content = isObject(value['content']) ? Object.values(value['content'])[0] : undefined;
  const schema = isObject(content) ? content['schema'] : value['schema'];
  return isObject(schema) || typeof schema === 'boolean' ? schema : true;
}

function compareRequired(comparing: Comparing, pair: OperationPair, before: Entry, after: Entry): void {
  const [was, is] = [before.value['required'] === true, after.value['required'] === true];
  if (was === is || after.in === 'path') return;
  reportAt(comparing, pair.new.name, {
    id: `${after.in}-parameter/${is ? 'became-required' : 'became-optional'}`,
    level: is ? 'breaking' : 'compatible',
    direction: directionOf(pair),
    location: locationOf(after),
    before: member(comparing, before.value, 'required'),
    after: member(comparing, after.value, 'required'),
    subject: after.name,
    text: `the ${after.in} parameter ${after.name} is ${is ? 'required now' : 'no longer required'}`,
    ...(is
      ? {
          reason: 'A deployed client that leaves it out is refused.',
          find: () => comparing.search.withoutParameter(pair, after.in, after.name, comparing.document.place(after.value, 'required')),
        }
      : {}),
  });
}

/** How values are written in the request, with what OpenAPI says where nothing is (§4.8.12.2.1). */
function compareStyle(comparing: Comparing, pair: OperationPair, before: Entry, after: Entry): void {
  const customary = after.in === 'query' || after.in === 'cookie' ? 'form' : 'simple';
  const styleOf = ({ value }: Entry): Json => value['style'] ?? customary;
  const explodeOf = (entry: Entry): Json => entry.value['explode'] ?? styleOf(entry) === 'form';
  const isStructured = [before, after].some(({ value }) => /"(?:array|object)"|\$ref|Of"/.test(JSON.stringify(value['schema'] ?? {})));
  const found = [
    ...(styleOf(before) === styleOf(after) ? [] : ['style']),
    ...(explodeOf(before) === explodeOf(after) || !isStructured ? [] : ['explode']),
    ...(isSame(before.value['content'], undefined) === isSame(after.value['content'], undefined) ? [] : ['content']),
  ];
  for (const keyword of found)
    reportAt(comparing, pair.new.name, {
      id: `${after.in}-parameter/${keyword}-changed`,
      level: 'breaking',
      direction: directionOf(pair),
      location: locationOf(after),
      before: member(comparing, before.value, keyword),
      after: member(comparing, after.value, keyword),
      subject: after.name,
      text: `the way in which ${after.name} is written changed (${keyword}: ${show(before.value[keyword])} to ${show(after.value[keyword])})`,
      reason: 'What deployed clients send is read as something else.',
    });
}

/** An absent optional parameter means its default. */
function compareDefault(comparing: Comparing, pair: OperationPair, before: Entry, after: Entry, old: Schema, next: Schema): void {
  const defaultOf = (schema: Schema): { readonly value: Json; readonly holder: JsonObject } | undefined =>
    comparing.search.views.of(schema, pair.new.place).keywords.get('default')?.[0];
  const [was, is] = [defaultOf(old), defaultOf(next)];
  if (isSame(was?.value, is?.value) || (before.value['required'] === true && after.value['required'] === true)) return;
  reportAt(comparing, pair.new.name, {
    id: `${after.in}-parameter/default-${was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'}`,
    level: 'breaking',
    direction: directionOf(pair),
    location: locationOf(after),
    before:
      was === undefined
        ? nothing(comparing.document.place(before.value, 'schema'))
        : something(comparing, was.value, was.holder, 'default'),
    after:
      is === undefined ? nothing(comparing.document.place(after.value, 'schema')) : something(comparing, is.value, is.holder, 'default'),
    subject: after.name,
    text: `without ${after.name}, ${show(is?.value)} is meant, and no longer ${show(was?.value)}`,
    reason: 'A deployed client that leaves it out is answered otherwise, without a word.',
    affects: ['clients'],
  });
}

function compareNotes(comparing: Comparing, pair: OperationPair, before: Entry, after: Entry): void {
  const words = ['name', 'description', 'example', 'examples', 'allowEmptyValue', 'allowReserved'];
  for (const keyword of words) {
    if (isSame(before.value[keyword], after.value[keyword]) || (keyword === 'name' && after.in !== 'path')) continue;
    const isHint = keyword.startsWith('allow');
    reportAt(comparing, pair.new.name, {
      id: `${after.in}-parameter/${keyword === 'name' ? 'renamed' : `${keyword.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-changed`}`,
      level: isHint ? 'risky' : 'documentation',
      direction: directionOf(pair),
      location: locationOf(after),
      before: member(comparing, before.value, keyword),
      after: member(comparing, after.value, keyword),
      subject: after.name,
      text: keyword === 'name' ? `the path parameter ${before.name} is called ${after.name} now` : `${keyword} of ${after.name} changed`,
    });
  }
}
