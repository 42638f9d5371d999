import { isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import { canonicalText, isSameValue } from '../../../core/json-equality.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { exchangePart, type OperationPair, reportChangedMembers, reportDifference, reportMemberChange } from '../comparison-context.ts';
import type { EditedSide } from '../component-places.ts';
import { describeJsonChange, showJson, toKebab } from '../describe-value-change.ts';
import { type Difference, digestOf } from '../difference.ts';
import { printPart } from '../exchange-place.ts';
import { pairEntries } from '../pair-renamed-entries.ts';
import { compareSchemas } from '../schemas/compare-schemas.ts';
import { isSchema } from '../schemas/flat-schema.ts';
import { compareLifecycle } from './compare-lifecycle.ts';
import type { DocumentedParameter } from './documented-operations.ts';
import { type Presence, presenceOf, ratePresence } from './rate-presence.ts';
import { rateRemoval } from './sunset-announcement.ts';

/** A parameter of both documents. */
interface ParameterPair extends ParameterPart {
  readonly before: DocumentedParameter;
  readonly after: DocumentedParameter;
  /** The parameter objects of both documents. */
  readonly sides: { readonly old: JsonObject; readonly new: JsonObject };
}

/** Compares the parameters of an operation and of its path item (OpenAPI 3.1 §4.8.12). */
export function compareParameters(pair: OperationPair): void {
  const partOf = ({ in: place, name }: DocumentedParameter): ParameterPart =>
    exchangePart(pair, 'request', { kind: 'parameter', in: place, name });
  for (const { old: before, new: after } of pairEntries(pair.old.parameters, pair.new.parameters, textWithoutName, componentOf)) {
    if (before === undefined) reportAdded(partOf(after), after);
    else if (after === undefined) reportRemoved(partOf(before), before);
    else compareParameter({ ...partOf(after), before, after, sides: { old: before.value, new: after.value } });
  }
}

type ParameterPart = ReturnType<typeof exchangePart>;

/** Content of a parameter for renames: everything but name, description and examples. */
function textWithoutName({ in: place, value }: DocumentedParameter): string {
  const { name: _name, description: _description, example: _example, examples: _examples, ...rest } = value;
  return canonicalText([place, rest]);
}

/** The component that defines a parameter, for renames. */
function componentOf({ in: place, entry }: DocumentedParameter): string | undefined {
  return typeof entry['$ref'] === 'string' ? `${place} ${entry['$ref']}` : undefined;
}

function reportRenamed(pair: ParameterPair): void {
  const { before, after, sides, direction } = pair;
  const [removal, addition] = [ratePresence(direction, presenceIn(before), 'absent'), ratePresence(direction, 'absent', presenceIn(after))];
  reportMemberChange(pair, sides, 'name', {
    id: `${after.in}-parameter/renamed`,
    level: [removal, addition].some(({ level }) => level === 'breaking') ? 'breaking' : 'risky',
    changedItem: `${before.name} ${after.name}`,
    names: [before.name, after.name],
    text: `\`${before.name}\` is now \`${after.name}\``,
    reason: {
      request: 'The server ignores or rejects the old name, which deployed clients send.',
      response: 'Deployed clients look for the old name.',
    }[direction],
    findWitness: refusalWithout(pair, before, after, 'required'),
  });
}

/** The presence of a parameter. Those in the path are always required. */
function presenceIn(parameter: DocumentedParameter | undefined): Presence {
  return parameter?.in === 'path' ? 'required' : presenceOf(parameter?.value);
}

/** Key of an edit: the same parameter at several operations is one edit. */
function editOf({ in: place, name, value }: DocumentedParameter): string {
  return `${place} ${name} ${digestOf(value)}`;
}

function reportRemoved(part: ParameterPart, before: DocumentedParameter): void {
  reportDifference(part, {
    id: `${before.in}-parameter/removed`,
    ...rateRemoval(part.context, before.value, ratePresence(part.direction, presenceIn(before), 'absent')),
    before: sideOf(part, before),
    after: { value: undefined, place: part.context.document.place(part.new.value, 'parameters') },
    changedItem: before.name,
    edit: editOf(before),
    text: `the parameter \`${before.name}\` was removed`,
  });
}

function reportAdded(part: ParameterPart, after: DocumentedParameter): void {
  const isRequired = presenceIn(after) === 'required';
  reportDifference(part, {
    id: `${after.in}-parameter/${isRequired ? 'required-added' : 'added'}`,
    ...ratePresence(part.direction, 'absent', presenceIn(after)),
    before: { value: undefined, place: part.context.document.place(part.old.value, 'parameters') },
    after: sideOf(part, after),
    changedItem: after.name,
    edit: editOf(after),
    text: `the ${isRequired ? 'required' : 'optional'} parameter \`${after.name}\` was added`,
    findWitness: refusalWithout(part, undefined, after),
  });
}

/** A parameter as one side of a difference, with the place of its entry in the list, even if the entry is a reference. */
function sideOf({ context: { document } }: ParameterPart, { value, entry }: DocumentedParameter): EditedSide {
  return { value, place: document.place(entry) };
}

/** The search for a witness of a newly required parameter: a request without it is refused. `undefined` if nothing is refused. */
function refusalWithout(
  { context, old, direction }: ParameterPart,
  before: DocumentedParameter | undefined,
  after: DocumentedParameter,
  key?: string,
): Difference['findWitness'] {
  const isDemanded = before === undefined || before.name !== after.name || presenceIn(before) !== 'required';
  if (direction === 'response' || presenceIn(after) !== 'required' || !isDemanded) return undefined;
  const message = `the ${after.in} parameter ${after.name} is required`;
  return () => context.exchanges.refusedByNew(old, 'required', message, context.document.place(after.value, key));
}

function compareParameter(pair: ParameterPair): void {
  const { before, after, sides, at, context } = pair;
  const idPrefix = `${after.in}-parameter`;
  compareLifecycle({ ...pair, direction: undefined }, sides, idPrefix, `the ${printPart(at.part)}`);
  if (before.name !== after.name && after.in !== 'path' && after.in !== 'header') reportRenamed(pair);
  compareRequired(pair);
  compareStyle(pair);
  compareOtherMembers(pair);
  const [old, next] = [schemaOf(before.value), schemaOf(after.value)];
  const writer = pair.direction === 'request' ? before : after;
  compareDefault(pair, old, next);
  const around = {
    old: { place: context.document.place(before.value, 'schema') },
    new: { place: context.document.place(after.value, 'schema') },
  };
  compareSchemas(pair, {
    idPrefix,
    old,
    new: next,
    around,
    isText: after.value['content'] === undefined,
    repeatsLists: styleOf(writer) === 'form' && explodeOf(writer) === true,
    toExchange: context.exchanges.withParameter(pair.old, after.in === 'path' ? before : after),
  });
}

/** Schema of the value: `schema` of the parameter, or of its only media type. */
function schemaOf(value: JsonObject): Schema {
  const content = isObject(value['content']) ? Object.values(value['content'])[0] : undefined;
  const schema = isObject(content) ? content['schema'] : value['schema'];
  return isSchema(schema) ? schema : true;
}

function compareRequired(pair: ParameterPair): void {
  const { before, after, sides, direction } = pair;
  const [was, is] = [presenceIn(before), presenceIn(after)];
  if (was === is || after.in === 'path') return;
  reportMemberChange(pair, sides, 'required', {
    id: `${after.in}-parameter/became-${is}`,
    ...ratePresence(direction, was, is),
    changedItem: after.name,
    text: `\`${after.name}\` became ${is}`,
    findWitness: refusalWithout(pair, before, after, 'required'),
  });
}

function styleOf({ in: place, value }: DocumentedParameter): Json {
  return value['style'] ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
}

function explodeOf(parameter: DocumentedParameter): Json {
  return parameter.value['explode'] ?? styleOf(parameter) === 'form';
}

/** Compares the serialisation, including the defaults of OpenAPI (§4.8.12.2.1). */
function compareStyle(pair: ParameterPair): void {
  const { before, after, sides } = pair;
  const isStructured = [before, after].every(({ value }) => /"(?:array|object)"|\$ref|Of"/.test(printJson(value['schema'] ?? {})));
  const changedKeywords = [
    ...(styleOf(before) === styleOf(after) ? [] : ['style']),
    ...(explodeOf(before) === explodeOf(after) || !isStructured ? [] : ['explode']),
    ...((before.value['content'] === undefined) === (after.value['content'] === undefined) ? [] : ['content']),
  ];
  for (const keyword of changedKeywords)
    reportMemberChange(pair, sides, keyword, {
      id: `${after.in}-parameter/${keyword}-changed`,
      level: 'breaking',
      changedItem: after.name,
      text: `the serialisation of \`${after.name}\` changed: ${describeJsonChange(keyword, sides.old[keyword], sides.new[keyword])}`,
      reason: 'The other side reads a different value from what is written in the old way.',
    });
}

/** Compares defaults: without the parameter, the server assumes its default. */
function compareDefault(pair: ParameterPair, old: Schema, next: Schema): void {
  const { context, after, sides } = pair;
  const defaultOf = (schema: Schema, holder: JsonObject): EditedSide => {
    const stated = context.search.flatSchemas.of(schema, pair.new).keywords.get('default')?.[0];
    const { place } = context.document;
    return { value: stated?.value, place: stated === undefined ? place(holder, 'schema') : place(stated.holder, 'default') };
  };
  const [was, is] = [defaultOf(old, sides.old), defaultOf(next, sides.new)];
  if (isSameValue(was.value, is.value) || (sides.old['required'] === true && sides.new['required'] === true)) return;
  reportDifference(pair, {
    id: `${after.in}-parameter/default-${was.value === undefined ? 'added' : is.value === undefined ? 'removed' : 'changed'}`,
    // A client that receives a request decides itself what a missing value means.
    level: pair.direction === 'request' ? 'breaking' : 'compatible',
    before: was,
    after: is,
    changedItem: 'default',
    rule: `default-${was.value === undefined ? 'added' : is.value === undefined ? 'removed' : 'changed'}`,
    text: describeDefault(after.name, was.value, is.value),
    ...(pair.direction === 'request'
      ? { reason: 'A deployed client that leaves it out gets a different response, without any error.' }
      : {}),
  });
}

function describeDefault(name: string, before: Json | undefined, after: Json | undefined): string {
  const [was, is] = [before, after].map((value) => (value === undefined ? 'nothing stated' : showJson(value)));
  return `the default of \`${name}\` changed from ${was ?? ''} to ${is ?? ''}`;
}

function compareOtherMembers(pair: ParameterPair): void {
  const { before, after, sides } = pair;
  const idPrefix = `${after.in}-parameter`;
  const keys = ['description', 'example', 'examples', 'allowEmptyValue', 'allowReserved'];
  if (after.in === 'path')
    reportChangedMembers(pair, sides, ['name'], () => ({
      id: `${idPrefix}/renamed`,
      level: 'documentation',
      changedItem: after.name,
      text: `the path parameter \`${before.name}\` was renamed to \`${after.name}\``,
    }));
  reportChangedMembers(pair, sides, keys, (keyword, happened) => ({
    id: `${idPrefix}/${toKebab(keyword)}-changed`,
    level: keyword.startsWith('allow') ? 'risky' : 'documentation',
    changedItem: after.name,
    text: `the ${keyword} of \`${after.name}\` ${happened}`,
  }));
}
