/** Compares the keywords that restrict no value: defaults, readOnly and writeOnly, descriptions, deprecation and extensions. Their edits have fixed levels. */

import { isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import { equal } from '../../../core/json-equality.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { ChangeLevel } from '../../../core/results/diff-result.ts';
import { type ChangeVerb, changeVerb, describeJsonChange, listNames, showJson, toKebab } from '../describe-value-change.ts';
import { rateSunset } from '../operations/sunset-announcement.ts';
import { keywordValues, pickKeywords } from './flat-schema.ts';
import { changedSides, type EditNames, type SchemaComparison, type SchemaEdit } from './schema-pair.ts';

type FixedLevels = Pick<SchemaEdit, 'levels' | 'reason'>;

/** The same level for requests and responses. */
function always(level: ChangeLevel, reason?: string): FixedLevels {
  return { levels: { request: level, response: level }, ...(reason === undefined ? {} : { reason }) };
}

const documentedOnly = always('documentation');

const comparedElsewhere: FixedLevels = {};

const onlyTells = 'It only tells readers which schema to expect.';

/** Levels by keyword, and by the kind of edit where it matters. */
const metadataLevels: Readonly<Record<string, FixedLevels | Readonly<Record<ChangeVerb, FixedLevels>>>> = {
  title: documentedOnly,
  description: documentedOnly,
  $comment: documentedOnly,
  example: documentedOnly,
  examples: documentedOnly,
  externalDocs: documentedOnly,
  xml: always('risky', 'XML bodies are written differently.'),
  default: {
    levels: { request: 'risky', response: 'compatible' },
    reason: { request: 'A request that leaves it out may mean something else.' },
  },
  deprecated: always('compatible'),
  // The comparison of properties says who gets or sends them.
  readOnly: comparedElsewhere,
  writeOnly: comparedElsewhere,
  discriminator: always('compatible', onlyTells),
  contentSchema: always('risky'),
  'x-personal': {
    removed: always('risky', 'Reports and journals show the value, although it may be personal data.'),
    added: documentedOnly,
    changed: documentedOnly,
  },
  'x-unspecified': {
    removed: always('compatible', 'The point is now specified.'),
    added: always('risky', 'Servers may deviate from the schema: the point is now unspecified.'),
    changed: documentedOnly,
  },
};

/** True for the keywords that restrict no value. */
export function isMetadata(keyword: string): boolean {
  return Object.hasOwn(metadataLevels, keyword) || keyword.startsWith('x-');
}

/** Compares the metadata of two schemas. */
export function compareMetadata(comparison: SchemaComparison): void {
  for (const keyword of new Set([...comparison.old.keywords.keys(), ...comparison.new.keywords.keys()])) {
    const levels = metadataLevels[keyword] ?? (keyword.startsWith('x-') ? documentedOnly : undefined);
    const [old, next] = [keywordValues(comparison.old, keyword), keywordValues(comparison.new, keyword)];
    if (levels === undefined || levels === comparedElsewhere || equal(old, next)) continue;
    if (keyword === 'x-extensible-enum') compareExtensible(comparison, old[0], next[0]);
    else if (keyword === 'x-sunset') compareSunset(comparison);
    else if (keyword === 'discriminator') reportMetadata(comparison, keyword, levelsOfDiscriminator(comparison) ?? levels, old[0], next[0]);
    else reportMetadata(comparison, keyword, levels, old[0], next[0]);
  }
}

function reportMetadata(
  comparison: SchemaComparison,
  keyword: string,
  levels: FixedLevels | Readonly<Record<ChangeVerb, FixedLevels>>,
  before: Json | undefined,
  after: Json | undefined,
): void {
  const verb = changeVerb(before, after);
  comparison.report({
    ...changedSides(comparison, keyword),
    rule: `${keyword.startsWith('x-') ? `extension-${keyword}` : toKebab(keyword).replace('$', '')}-${verb}`,
    effect: 'none',
    text: (names) =>
      keyword === 'discriminator' && isObject(before) && isObject(after)
        ? describeDiscriminator(names.name, before, after)
        : describeMetadata(keyword, names, before, after),
    ...('changed' in levels ? levels[verb] : levels),
  });
}

/** Sentence on changed metadata. */
function describeMetadata(keyword: string, { name, isPlural }: EditNames, before: Json | undefined, after: Json | undefined): string {
  const verb = changeVerb(before, after);
  if (keyword === 'deprecated') return `${name} ${isPlural ? 'are' : 'is'} ${after === true ? 'now' : 'no longer'} deprecated`;
  if (keyword === 'x-unspecified' && verb !== 'changed')
    return `${name} ${verb === 'added' ? 'now' : 'no longer'} ${isPlural ? 'leave' : 'leaves'} ${String(after ?? before)} unspecified`;
  const isShort = typeof before !== 'object' && typeof after !== 'object' && keyword !== 'description';
  if (isShort) return describeJsonChange(`the ${keyword} of ${name}`, before, after);
  return describeTextChange(keyword, { name, isPlural }, verb);
}

/** Keywords whose values differ for each member of a finding. */
const plurals: Readonly<Record<string, string>> = { description: 'descriptions', example: 'examples' };

function describeTextChange(keyword: string, { name, isPlural }: Omit<EditNames, 'members'>, verb: ChangeVerb): string {
  const plural = isPlural ? plurals[keyword] : undefined;
  const noun = plural ?? keyword;
  if (verb === 'changed') return `the ${noun} of ${name} changed`;
  return `the ${noun} of ${name} ${plural === undefined ? 'was' : 'were'} ${verb}`;
}

/** Sentence on a changed discriminator: its property, or the values that it names. */
function describeDiscriminator(name: string, before: JsonObject, after: JsonObject): string {
  if (before['propertyName'] !== after['propertyName'])
    return describeJsonChange(`the property of the discriminator of ${name}`, before['propertyName'], after['propertyName']);
  const [old, next] = [mappingIn(before), mappingIn(after)];
  const list = (values: readonly string[]): string =>
    listNames(
      values.map((value) => showJson(value)),
      'and',
    );
  const [added, gone] = [Object.keys(next).filter((value) => !(value in old)), Object.keys(old).filter((value) => !(value in next))];
  const moved = Object.keys(old).filter((value) => value in next && schemaName(old[value]) !== schemaName(next[value]));
  const parts = [
    ...(moved.length > 0 ? [`now means another schema by ${list(moved)}`] : []),
    ...(gone.length > 0 ? [`no longer names ${list(gone)}`] : []),
    ...(added.length > 0 ? [`now names ${list(added)} too`] : []),
  ];
  return `the discriminator of ${name} ${parts.length === 0 ? 'changed' : parts.join(', and ')}`;
}

const remapped = always('breaking', 'Deployed readers and writers match a value to a different schema from the other side.');

/** The levels of a discriminator that misleads deployed readers; `undefined` for any other change. Servers read requests, and clients read responses. */
function levelsOfDiscriminator(comparison: SchemaComparison): FixedLevels | undefined {
  if (remapsValue(comparison)) return remapped;
  const [before] = keywordValues(comparison.old, 'discriminator');
  const [after] = keywordValues(comparison.new, 'discriminator');
  const isLost = { request: losesDiscriminator(comparison, before, after), response: losesDiscriminator(comparison, after, before) };
  if (!isLost.request && !isLost.response) return undefined;
  const lost = 'Readers choose the schema by it, and do not know the property or the value of the other side.';
  return {
    levels: { request: isLost.request ? 'risky' : 'compatible', response: isLost.response ? 'risky' : 'compatible' },
    reason: { request: isLost.request ? lost : onlyTells, response: isLost.response ? lost : onlyTells },
  };
}

/** True if a discriminator maps a value to a schema of other content, while the old schema still exists. Otherwise the schema may have another name now. */
function remapsValue({ flatSchemas, old, new: next, differs }: SchemaComparison): boolean {
  const [before, after] = [mappingIn(keywordValues(old, 'discriminator')[0]), mappingIn(keywordValues(next, 'discriminator')[0])];
  const componentIn = (mapping: JsonObject, name: string): Schema | undefined => flatSchemas.componentBeside(mapping, name);
  return Object.entries(before).some(([value, target]) => {
    const newTarget = after[value];
    const [from, to] = [schemaName(target), schemaName(newTarget)];
    if (newTarget === undefined || from === to || componentIn(after, from) === undefined) return false;
    const [left, right] = [componentIn(before, from), componentIn(after, to)];
    return left === undefined || right === undefined || differs(left, right);
  });
}

function mappingIn(discriminator: Json | undefined): JsonObject {
  return isObject(discriminator) && isObject(discriminator['mapping']) ? discriminator['mapping'] : {};
}

/** The name of the schema that a reference or a mapping names. */
function schemaName(reference: Json | undefined): string {
  return String(reference).split('/').at(-1) ?? '';
}

/** True if a discriminator has another property, or no longer maps a value. A value without an entry is the name of a schema. */
function losesDiscriminator({ flatSchemas }: SchemaComparison, before: Json | undefined, after: Json | undefined): boolean {
  if (!isObject(before) || !isObject(after)) return false;
  const [old, next] = [mappingIn(before), mappingIn(after)];
  const isLost = ([value, target]: readonly [string, Json]): boolean =>
    !Object.hasOwn(next, value) && value !== schemaName(target) && flatSchemas.componentBeside(after, value) === undefined;
  return before['propertyName'] !== after['propertyName'] || Object.entries(old).some(isLost);
}

/** Compares the announced day of removal of a property. */
function compareSunset(comparison: SchemaComparison): void {
  const [old, next] = [comparison.old, comparison.new].map((flat) => pickKeywords(flat, ['x-sunset', 'deprecated'])) as [
    JsonObject,
    JsonObject,
  ];
  const { level, text, ...rating } = rateSunset(old, next);
  comparison.report({
    ...changedSides(comparison, 'x-sunset'),
    effect: 'none',
    ...rating,
    ...always(level, rating.reason),
    text: ({ name }) => text(name),
  });
}

/** Compares `x-extensible-enum`, a list that may grow. Clients send only listed values, so removing one breaks them. */
function compareExtensible(comparison: SchemaComparison, before: Json | undefined, after: Json | undefined): void {
  const listIn = (value: Json | undefined): ReadonlySet<string> => {
    const list = Array.isArray(value) ? (value as readonly Json[]) : isObject(value) ? Object.keys(value) : [];
    return new Set(list.map((each) => printJson(each)));
  };
  const [old, next] = [listIn(before), listIn(after)];
  for (const value of new Set([...old, ...next])) {
    const isGone = !next.has(value);
    if (old.has(value) && (!isGone || next.size === 0)) continue;
    comparison.report({
      ...changedSides(comparison, 'x-extensible-enum'),
      rule: `extensible-enum-value-${isGone ? 'removed' : 'added'}`,
      effect: 'none',
      changedItem: value,
      member: value,
      text: ({ name, members, isPlural }) =>
        `the ${isPlural ? 'values' : 'value'} ${members} ${isPlural ? 'were' : 'was'} ${isGone ? 'removed from' : 'added to'} x-extensible-enum of ${name}`,
      levels: { request: isGone ? 'breaking' : 'compatible', response: 'compatible' },
    });
  }
}
