import { isArray, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { fromPointer, toPointer, valueAt } from '../../../core/pointer.ts';
import {
  type ComparedPart,
  type ComparisonContext,
  exchangePart,
  type ObjectPair,
  type OperationPair,
  objectSide,
  reportChangedMembers,
  reportDifference,
  reportMemberChange,
} from '../comparison-context.ts';
import { describeJsonChange, toKebab } from '../describe-value-change.ts';
import { type EntryPair, pairEntries } from '../pair-renamed-entries.ts';
import { objectUnder } from './compare-content.ts';
import { type DocumentedOperation, resolveEntries } from './documented-operations.ts';

/** One alternative of a security requirement: all its schemes are needed, each with its scopes. */
type SecurityAlternative = ReadonlyMap<string, readonly string[]>;

interface SecurityRequirement {
  readonly holder: JsonObject;
  readonly alternatives: readonly SecurityAlternative[];
}

/** Compares the security requirements of an operation, and the security schemes that both versions use (OpenAPI 3.1 §4.8.27 and §4.8.30). */
export function compareSecurity(pair: OperationPair): void {
  if (pair.old.isSentByServer) return;
  const { oldRoot, newRoot, renamedComponents } = pair.context;
  const [old, next] = [securityRequirementOf(pair.old, oldRoot, renamedComponents), securityRequirementOf(pair.new, newRoot)];
  const part = exchangePart(pair, 'request', { kind: 'security' });
  const holders = { old: old.holder, new: next.holder };
  const isTightened = old.alternatives.some((held) => !next.alternatives.some((required) => isMetBy(required, held)));
  const isLeak = next.alternatives.some((each) => opensMore(each, old.alternatives));
  const text = describeRequirements(old, next, schemesIn(pair.context, newRoot));
  if (isLeak)
    reportMemberChange(part, holders, 'security', {
      id: 'operation/security-relaxed',
      level: 'security',
      edit: text,
      text,
      reason: `Keys that were rejected before may now read what the operation returns${isTightened ? ', and keys of deployed clients may be rejected' : ''}.`,
      affects: isTightened ? ['server', 'clients'] : ['server'],
    });
  else if (isTightened)
    reportMemberChange(part, holders, 'security', {
      id: 'operation/security-tightened',
      level: 'breaking',
      edit: text,
      text,
      reason:
        isOptional(old) && !isOptional(next)
          ? 'Requests without a key are rejected.'
          : 'Requests with a key that was sufficient are rejected.',
    });
  else if (alternativesBeyond(old, next).length + alternativesBeyond(next, old).length > 0)
    reportMemberChange(part, holders, 'security', { id: 'operation/security-relaxed', level: 'compatible', edit: text, text });
  compareSecuritySchemes(pair, old, next);
}

/** The requirement of an operation. Schemes that have another name in the new contract get it, and the order of scopes does not matter. */
function securityRequirementOf(
  { value }: DocumentedOperation,
  root: JsonObject,
  renamedComponents: ReadonlyMap<string, string> = new Map(),
): SecurityRequirement {
  const nameOf = (scheme: string): string =>
    fromPointer((renamedComponents.get(`#${toPointer(['components', 'securitySchemes', scheme])}`) ?? '').slice(1)).at(-1) ?? scheme;
  const stated = value['security'] ?? root['security'];
  const alternatives = (Array.isArray(stated) ? (stated as readonly Json[]) : []).filter(isObject).map((each): SecurityAlternative => {
    const schemes = Object.entries(each);
    return new Map(schemes.map(([scheme, scopes]) => [nameOf(scheme), isArray(scopes) ? scopes.map(String).toSorted() : []]));
  });
  return {
    holder: value['security'] === undefined && root['security'] !== undefined ? root : value,
    alternatives: alternatives.length === 0 ? [new Map()] : alternatives,
  };
}

/** True if a key with the schemes and scopes of `held` is enough for `required`. */
function isMetBy(required: SecurityAlternative, held: SecurityAlternative): boolean {
  return [...required].every(([scheme, scopes]) => {
    const heldScopes = held.get(scheme);
    return heldScopes !== undefined && scopes.every((scope) => heldScopes.includes(scope));
  });
}

/** True if an alternative asks a key of a known scheme for other scopes than before. A new scheme alone opens nothing to existing keys. */
function opensMore(alternative: SecurityAlternative, old: readonly SecurityAlternative[]): boolean {
  const hasKnownSchemes = old.some((held) => [...alternative.keys()].every((scheme) => held.has(scheme)));
  return hasKnownSchemes && !old.some((required) => isMetBy(required, alternative));
}

/** Sentence on the schemes or scopes that changed; both requirements as a whole if more than one thing changed. */
function describeRequirements(old: SecurityRequirement, next: SecurityRequirement, schemes: ReadonlyMap<string, JsonObject>): string {
  if (isOptional(old) && !isOptional(next)) return 'a key is now required';
  if (isOptional(next) && !isOptional(old)) return 'no key is required any more';
  const [gone, added] = [alternativesBeyond(old, next), alternativesBeyond(next, old)];
  if (added.length === 0) return `the security scheme ${listCodes(gone)} is no longer accepted`;
  if (gone.length === 0) return `the security scheme ${listCodes(added)} is now accepted too`;
  const [lost, needed] = [scopesBeyond(old, next), scopesBeyond(next, old)];
  if (schemesOf(old) !== schemesOf(next) || lost.length + needed.length === 0)
    return `security changed from ${textOf(old)} to ${textOf(next)}`;
  const holders = needed.length === 0 ? describeHolders(old, lost, schemes) : describeHolders(next, needed, schemes);
  if (needed.length === 0) return `${holders} no longer need the ${listScopes(lost)}`;
  const also = holders !== 'keys' && lost.length === 0 && scopesOf(old).size > 0 ? 'also ' : '';
  return `${holders} now ${also}need the ${listScopes(needed)}${lost.length === 0 ? '' : ` instead of ${listCodes(lost)}`}`;
}

/** True if requests without a key are answered. */
function isOptional({ alternatives }: SecurityRequirement): boolean {
  return alternatives.some((each) => each.size === 0);
}

/** Schemes of the alternatives that only the first requirement has. */
function alternativesBeyond({ alternatives }: SecurityRequirement, other: SecurityRequirement): readonly string[] {
  const others = other.alternatives.map(describeAlternative);
  const otherSchemes = other.alternatives.map((each) => [...each.keys()].join());
  return alternatives
    .filter((each) => !others.includes(describeAlternative(each)))
    .map((each) => (otherSchemes.includes([...each.keys()].join()) ? describeAlternative(each) : [...each.keys()].join(' with ')));
}

function scopesBeyond(requirement: SecurityRequirement, other: SecurityRequirement): readonly string[] {
  return [...scopesOf(requirement)].filter((scope) => !scopesOf(other).has(scope));
}

const tokenKinds: Readonly<Record<string, string>> = { oauth2: 'OAuth2 tokens', openIdConnect: 'OpenID Connect tokens' };

/** What holds some scopes of a requirement: the tokens of a scheme, or keys if the schemes are of several kinds. */
function describeHolders(
  { alternatives }: SecurityRequirement,
  scopes: readonly string[],
  schemes: ReadonlyMap<string, JsonObject>,
): string {
  const holding = alternatives.flatMap((each) => [...each].filter(([, held]) => held.some((scope) => scopes.includes(scope))));
  const [kind = 'keys', ...others] = new Set(holding.map(([scheme]) => tokenKinds[String(schemes.get(scheme)?.['type'])] ?? 'keys'));
  return others.length === 0 ? kind : 'keys';
}

function listScopes(scopes: readonly string[]): string {
  return `${scopes.length === 1 ? 'scope' : 'scopes'} ${listCodes(scopes)}`;
}

function listCodes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' and ');
}

function textOf({ alternatives }: SecurityRequirement): string {
  return alternatives.map(describeAlternative).join(' or ');
}

function scopesOf({ alternatives }: SecurityRequirement): ReadonlySet<string> {
  return new Set(alternatives.flatMap((each) => [...each.values()].flat()));
}

function schemesOf({ alternatives }: SecurityRequirement): string {
  return alternatives.map((each) => [...each.keys()].join('+')).join();
}

function describeAlternative(alternative: SecurityAlternative): string {
  const parts = [...alternative].map(([scheme, scopes]) => (scopes.length === 0 ? scheme : `${scheme} with ${scopes.join(' and ')}`));
  return parts.length === 0 ? 'no key' : parts.join(' together with ');
}

/** Compares the security schemes that both versions of an operation use: a change of their members moves the key elsewhere. */
function compareSecuritySchemes(pair: OperationPair, old: SecurityRequirement, next: SecurityRequirement): void {
  const [before, after] = [schemesIn(pair.context, pair.context.oldRoot), schemesIn(pair.context, pair.context.newRoot)];
  for (const name of namesIn(old).filter((each) => namesIn(next).includes(each))) {
    const sides = { old: before.get(name), new: after.get(name) };
    if (sides.old !== undefined && sides.new !== undefined)
      compareScheme(exchangePart(pair, 'request', { kind: 'security scheme', name }), name, { old: sides.old, new: sides.new });
  }
}

/** Compares the security schemes that no operation of either file names. Clients that the file tells about them may still use them. */
export function compareUnnamedSchemes(context: ComparisonContext, operations: readonly EntryPair<DocumentedOperation>[]): void {
  const { oldRoot, newRoot } = context;
  const named = new Set(
    operations.flatMap(({ old, new: next }) => [
      ...(old === undefined ? [] : namesIn(securityRequirementOf(old, oldRoot))),
      ...(next === undefined ? [] : namesIn(securityRequirementOf(next, newRoot))),
    ]),
  );
  for (const { key: name, old, new: next } of pairEntries(schemesIn(context, oldRoot), schemesIn(context, newRoot))) {
    if (named.has(name) || isRenamed(context, name)) continue;
    const part = { context, operation: undefined };
    if (old !== undefined && next !== undefined) compareScheme(part, name, { old, new: next });
    else
      reportDifference(part, {
        id: `security-scheme/${next === undefined ? 'removed' : 'added'}`,
        level: 'compatible',
        before: objectSide(context, old, oldRoot),
        after: objectSide(context, next, newRoot),
        changedItem: name,
        text: `the security scheme \`${name}\`, which no operation names, was ${next === undefined ? 'removed' : 'added'}`,
      });
  }
}

function isRenamed({ renamedComponents }: ComparisonContext, name: string): boolean {
  const reference = `#${toPointer(['components', 'securitySchemes', name])}`;
  return [...renamedComponents].flat().includes(reference);
}

function schemesIn({ document }: ComparisonContext, root: JsonObject): ReadonlyMap<string, JsonObject> {
  return resolveEntries(document, valueAt(root, '/components/securitySchemes'));
}

function namesIn({ alternatives }: SecurityRequirement): readonly string[] {
  return [...new Set(alternatives.flatMap((each) => [...each.keys()]))];
}

function compareScheme(part: ComparedPart, name: string, sides: ObjectPair): void {
  const { old: before, new: after } = sides;
  const changeOf = (keyword: string): string =>
    describeJsonChange(`${keyword} of the security scheme \`${name}\``, before[keyword], after[keyword]);
  // Names of headers and of authentication schemes have no case (RFC 9110 §5.1 and §11.1).
  const foldsCase = (keyword: string): boolean =>
    keyword === 'scheme' || (keyword === 'name' && before['in'] === 'header' && after['in'] === 'header');
  const isChanged = (keyword: string): boolean =>
    !foldsCase(keyword) || String(before[keyword]).toLowerCase() !== String(after[keyword]).toLowerCase();
  reportChangedMembers(part, sides, ['type', 'in', 'name', 'scheme'].filter(isChanged), (keyword) => ({
    id: `security-scheme/${toKebab(keyword)}-changed`,
    level: 'breaking',
    changedItem: `${name} ${keyword}`,
    text: changeOf(keyword),
    reason: 'The server no longer finds the key that deployed clients send.',
  }));
  reportChangedMembers(part, sides, ['openIdConnectUrl'], (keyword) => ({
    id: `security-scheme/${toKebab(keyword)}-changed`,
    level: 'risky',
    changedItem: `${name} ${keyword}`,
    text: changeOf(keyword),
    reason: 'Deployed clients ask the old address for their token.',
  }));
  reportChangedMembers(part, sides, ['description', 'bearerFormat'], (keyword, happened) => ({
    id: `security-scheme/${toKebab(keyword)}-changed`,
    level: 'documentation',
    changedItem: `${name} ${keyword}`,
    text: `the ${keyword} of the security scheme \`${name}\` ${happened}`,
  }));
  if (before['type'] === after['type']) compareFlows(part, name, { old: objectUnder(before, 'flows'), new: objectUnder(after, 'flows') });
}

/** Compares the flows in which clients get the tokens of a scheme, their addresses and their scopes. */
function compareFlows(part: ComparedPart, name: string, flows: ObjectPair): void {
  for (const flow of new Set([...Object.keys(flows.old), ...Object.keys(flows.new)])) {
    const [old, next] = [flows.old[flow], flows.new[flow]];
    const what = `the flow \`${flow}\` of the security scheme \`${name}\``;
    if (!isObject(next))
      reportMemberChange(part, flows, flow, {
        id: 'security-scheme/flow-removed',
        level: 'breaking',
        changedItem: `${name} ${flow}`,
        text: `${what} was removed`,
        reason: 'A deployed client that asks for its token in this flow gets none.',
      });
    else if (!isObject(old))
      reportMemberChange(part, flows, flow, {
        id: 'security-scheme/flow-added',
        level: 'compatible',
        changedItem: `${name} ${flow}`,
        text: `${what} was added`,
      });
    else {
      compareScopes(part, what, { old: objectUnder(old, 'scopes'), new: objectUnder(next, 'scopes') });
      reportChangedMembers(part, { old, new: next }, ['authorizationUrl', 'tokenUrl', 'refreshUrl'], (keyword) => ({
        id: `security-scheme/${toKebab(keyword)}-changed`,
        level: 'risky',
        changedItem: `${name} ${flow} ${keyword}`,
        text: describeJsonChange(`${keyword} of ${what}`, old[keyword], next[keyword]),
        reason: 'Deployed clients ask the old address for their token.',
      }));
    }
  }
}

/** Compares the scopes that clients can ask for in a flow. */
function compareScopes(part: ComparedPart, flow: string, scopes: ObjectPair): void {
  for (const scope of Object.keys(scopes.old).filter((each) => !Object.hasOwn(scopes.new, each)))
    reportMemberChange(part, scopes, scope, {
      id: 'security-scheme/scope-removed',
      level: 'breaking',
      text: `the scope \`${scope}\` of ${flow} was removed`,
      reason: 'A deployed client that asks for this scope gets no token.',
    });
  for (const scope of Object.keys(scopes.new).filter((each) => !Object.hasOwn(scopes.old, each)))
    reportMemberChange(part, scopes, scope, {
      id: 'security-scheme/scope-added',
      level: 'compatible',
      text: `the scope \`${scope}\` of ${flow} was added`,
    });
  const common = Object.keys(scopes.old).filter((each) => Object.hasOwn(scopes.new, each));
  reportChangedMembers({ ...part, direction: undefined }, scopes, common, (scope) => ({
    id: 'security-scheme/scope-description-changed',
    level: 'documentation',
    text: `the description of the scope \`${scope}\` of ${flow} changed`,
  }));
}
