/** Finds the fields of records with a known role: the key, the instants of creation and change, and the records of other collections that they name. */

import { toPointer } from '../pointer.ts';
import type { Guess, Reference } from './guess.ts';
import { isSameNoun, plainName, singularOf, wordsOf } from './names.ts';
import type { Shape } from './shape.ts';

/** Guesses the identity of records. `parameter` is the path parameter of the read of one record; `noun` names the collection. */
export function inferKey(record: Shape, noun: string, parameter: string | undefined): Guess<string> | undefined {
  const scalars = [...record.members].filter(([, member]) => member.isScalar || member.types.size === 0).map(([name]) => name);
  const own = plainName(singularOf(noun));
  const fields: ScalarFields = { own, names: scalars, named: (...wanted) => firstNamed(scalars, wanted) };
  return (parameter === undefined ? undefined : keyByParameter(fields, noun, parameter)) ?? keyByName(fields);
}

/** The fields of a record that may identify it. */
interface ScalarFields {
  /** The noun of the collection in the singular. */
  readonly own: string;
  readonly names: readonly string[];
  /** The first field with one of these names. */
  readonly named: (...wanted: readonly string[]) => string | undefined;
}

function firstNamed(names: readonly string[], wanted: readonly string[]): string | undefined {
  return wanted.flatMap((each) => names.filter((name) => plainName(name) === each))[0];
}

function toKey(name: string | undefined, confidence: number, by: 'path-parameter' | 'identifier-name'): Guess<string> | undefined {
  return name === undefined ? undefined : { value: toPointer([name]), confidence, reason: { by, name } };
}

function keyByParameter({ own, names, named }: ScalarFields, noun: string, parameter: string): Guess<string> | undefined {
  const plain = plainName(parameter);
  const words = wordsOf(parameter);
  const last = words.at(-1) ?? '';
  // `organization_id_or_slug` takes several.
  const isVague = ['identifier', 'ident'].includes(last) || (words.length > 2 && words.includes('or'));
  const byWord = identifiers.includes(last) && !isVague ? named(last) : undefined;
  const byId = last === 'id' ? named('id', `${own}id`, 'gid', 'uid', 'uuid') : undefined;
  const certain = named(plain) ?? byWord ?? byId;
  if (certain !== undefined) return toKey(certain, 0.97, 'path-parameter');
  const alike = names.filter((name) => plainName(name).endsWith(plain) || plain.endsWith(plainName(name)));
  const only = alike.length === 1 ? alike[0] : undefined;
  const best = named('id', `${own}id`, 'uuid') ?? only;
  const isLikely = best === only || isSameNoun(parameter, noun) || last === 'key';
  return toKey(best, isVague ? 0.8 : isLikely ? 0.93 : 0.85, 'path-parameter');
}

function keyByName({ own, names, named }: ScalarFields): Guess<string> | undefined {
  const certain = named('id', `${own}id`, 'uuid', 'guid', 'gid', 'sid', 'uid');
  if (certain !== undefined) return toKey(certain, 0.95, 'identifier-name');
  const ids = names.filter((name) => wordsOf(name).at(-1) === 'id');
  const ownIds = ids.filter((name) => own.endsWith(plainName(name).slice(0, -2)) || plainName(name).includes(own));
  if (ownIds.length === 1) return toKey(ownIds[0], 0.88, 'identifier-name');
  if (ids.length === 1 && ids[0] === names[0]) return toKey(ids[0], 0.75, 'identifier-name');
  return toKey(named('key', 'slug', 'code', 'token', 'name', 'username', 'email', 'domain'), 0.6, 'identifier-name');
}

const identifiers = [
  'id',
  'uuid',
  'guid',
  'gid',
  'sid',
  'slug',
  'key',
  'name',
  'code',
  'token',
  'number',
  'uid',
  'username',
  'email',
  'domain',
  'handle',
  'hash',
  'login',
  'uri',
];

/** Guesses the instant of the last change (`changed`) or of the creation (`created`). */
export function inferInstant(record: Shape, kind: 'changed' | 'created'): Guess<string> | undefined {
  for (const [index, wanted] of instants[kind].entries()) {
    const [name, member] = [...record.members].find(([each]) => plainName(each) === wanted) ?? [];
    if (name === undefined || member === undefined || !(member.isScalar || member.types.size === 0)) continue;
    const isInstant =
      member.format === 'date-time' || member.examples.some((example) => typeof example === 'string' && /^\d{4}-\d\d-\d\dT/.test(example));
    return { value: toPointer([name]), confidence: isInstant ? (index < 8 ? 0.95 : 0.9) : 0.7, reason: { by: 'field-name', name } };
  }
  return undefined;
}

const instants = {
  changed:
    'updatedat,modifiedat,updated,lastmodified,lastmodifiedat,changedat,lastupdated,lastupdatedat,modified,updatetime,updatedon,dateupdated,modifiedon,updateddate,lastupdate,lastmodifieddate,timemodified,modifiedtime,updatedtime,modificationtime,updatedtimestamp,datemodified,lastchanged'.split(
      ',',
    ),
  created:
    'createdat,created,createtime,createdon,datecreated,creationdate,createddate,timecreated,creationtime,createdtime,insertedat,createdtimestamp'.split(
      ',',
    ),
} as const;

/** A collection that a field may name. */
interface Target {
  readonly name: string;
  readonly noun: string;
}

/** Finds the fields that name records of other collections, such as `customer_id`. */
export function inferReferences(record: Shape, key: string | undefined, own: string, targets: readonly Target[]): readonly Reference[] {
  return [...record.members].flatMap(([name, member]): readonly Reference[] => {
    const pointer = toPointer([name]);
    if (pointer === key || !(member.isScalar || member.types.size === 0)) return [];
    const words = wordsOf(name);
    const last = words.at(-1) ?? '';
    if (words.length < 2 || !['id', 'uuid', 'gid', 'sid', 'guid'].includes(last)) return [];
    const noun = words.slice(0, -1).join('');
    if (isSameNoun(noun, own) || vague.has(noun)) return [];
    const found = targets.filter((each) => isSameNoun(each.noun, noun));
    const [target] = found;
    if (target === undefined) return [];
    const confidence = found.length === 1 ? 0.95 : 0.7;
    return [{ field: pointer, target: { value: target.name, confidence, reason: { by: 'field-name', name } } }];
  });
}

/** Words before `id` that name no collection, even where a path has them. */
const vague = new Set(['public', 'private', 'external', 'internal', 'parent', 'original', 'unique', 'request', 'response']);
