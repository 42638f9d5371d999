import { isObject, type Json, type JsonObject, printJson } from '../../core/json.ts';
import { toPointer, valueAt } from '../../core/pointer.ts';
import { objectUnder } from './compare-content.ts';
import { exchangePart, type ObjectPair, type OperationPair, reportChangedMembers, reportMemberChange } from './comparison-context.ts';
import { describeJsonChange, toKebab } from './describe-value-change.ts';
import { type DocumentedOperation, resolveObject } from './documented-operations.ts';

/** One alternative of a security requirement: all its schemes are needed, each with its scopes. */
type SecurityAlternative = ReadonlyMap<string, readonly string[]>;

interface SecurityRequirement {
  readonly holder: JsonObject;
  readonly alternatives: readonly SecurityAlternative[];
}

/** Compares the security requirements of an operation, and the security schemes that both versions use (OpenAPI 3.1 §4.8.27 and §4.8.30). */
export function compareSecurity(pair: OperationPair): void {
  if (pair.old.isSentByServer) return;
  const { oldRoot, newRoot } = pair.context;
  const [old, next] = [securityRequirementOf(pair.old, oldRoot), securityRequirementOf(pair.new, newRoot)];
  const part = exchangePart(pair, 'request', { kind: 'security' });
  const holders = { old: old.holder, new: next.holder };
  const isTightened = old.alternatives.some((held) => !next.alternatives.some((required) => isMetBy(required, held)));
  const isLeak = next.alternatives.some((each) => opensMore(each, old.alternatives));
  const text = describeRequirements(old, next);
  if (isLeak)
    reportMemberChange(part, holders, 'security', {
      id: 'operation/security-relaxed',
      level: 'security',
      edit: text,
      text,
      reason: `Keys that were refused before may now read what the operation returns${isTightened ? ', and keys of deployed clients may be refused' : ''}.`,
      affects: isTightened ? ['server', 'clients'] : ['server'],
    });
  else if (isTightened)
    reportMemberChange(part, holders, 'security', {
      id: 'operation/security-tightened',
      level: 'breaking',
      edit: text,
      text,
      reason: 'A deployed client whose key was enough is refused.',
    });
  else if (alternativesBeyond(old, next).length + alternativesBeyond(next, old).length > 0)
    reportMemberChange(part, holders, 'security', { id: 'operation/security-relaxed', level: 'compatible', edit: text, text });
  compareSecuritySchemes(pair, old, next);
}

function securityRequirementOf({ value }: DocumentedOperation, root: JsonObject): SecurityRequirement {
  const stated = value['security'] ?? root['security'];
  const alternatives = (Array.isArray(stated) ? (stated as readonly Json[]) : []).filter(isObject).map((each): SecurityAlternative => {
    const schemes = Object.entries(each);
    return new Map(schemes.map(([scheme, scopes]) => [scheme, Array.isArray(scopes) ? (scopes as readonly Json[]).map(String) : []]));
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
function describeRequirements(old: SecurityRequirement, next: SecurityRequirement): string {
  if (schemesOf(old) === '') return 'a key is now required';
  if (next.alternatives.some((each) => each.size === 0)) return 'no key is required any more';
  const [gone, added] = [alternativesBeyond(old, next), alternativesBeyond(next, old)];
  if (added.length === 0) return `the security scheme ${listCodes(gone)} is no longer accepted`;
  if (gone.length === 0) return `the security scheme ${listCodes(added)} is now accepted too`;
  const [lost, needed] = [scopesBeyond(old, next), scopesBeyond(next, old)];
  if (schemesOf(old) !== schemesOf(next) || lost.length + needed.length === 0)
    return `security changed from ${textOf(old)} to ${textOf(next)}`;
  if (needed.length === 0) return `keys no longer need the scope ${listCodes(lost)}`;
  return `keys now need the scope ${listCodes(needed)}${lost.length === 0 ? '' : ` instead of ${listCodes(lost)}`}`;
}

/** Schemes of the alternatives that only the first requirement has. */
function alternativesBeyond({ alternatives }: SecurityRequirement, other: SecurityRequirement): readonly string[] {
  const others = other.alternatives.map(describeAlternative);
  return alternatives.filter((each) => !others.includes(describeAlternative(each))).map((each) => [...each.keys()].join(' with '));
}

function scopesBeyond(requirement: SecurityRequirement, other: SecurityRequirement): readonly string[] {
  return [...scopesOf(requirement)].filter((scope) => !scopesOf(other).has(scope));
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
  const { document, oldRoot, newRoot } = pair.context;
  for (const name of new Set(old.alternatives.flatMap((each) => [...each.keys()]))) {
    if (!next.alternatives.some((each) => each.has(name))) continue;
    const pointer = toPointer(['components', 'securitySchemes', name]);
    const [before, after] = [oldRoot, newRoot].map((root) => resolveObject(document, valueAt(root, pointer)));
    if (before === undefined || after === undefined) continue;
    const part = exchangePart(pair, 'request', { kind: 'security scheme', name });
    reportChangedMembers(part, { old: before, new: after }, ['type', 'in', 'name', 'scheme', 'openIdConnectUrl'], (keyword) => ({
      id: `security-scheme/${toKebab(keyword)}-changed`,
      level: 'breaking',
      changedItem: `${name} ${keyword}`,
      text: `${keyword} of the security scheme \`${name}\` changed from ${printJson(before[keyword])} to ${printJson(after[keyword])}`,
      reason: 'The server no longer finds the key that deployed clients send.',
    }));
    if (before['type'] === after['type']) compareFlows(part, name, before['flows'], after['flows']);
  }
}

/** Compares the flows in which clients get the tokens of a scheme: removed ones, their addresses and their scopes. */
function compareFlows(part: OperationPair, name: string, before: Json | undefined, after: Json | undefined): void {
  const flows = { old: isObject(before) ? before : {}, new: isObject(after) ? after : {} };
  for (const [flow, old] of Object.entries(flows.old)) {
    const next = flows.new[flow];
    const what = `the flow \`${flow}\` of the security scheme \`${name}\``;
    if (!isObject(next))
      reportMemberChange(part, flows, flow, {
        id: 'security-scheme/flow-removed',
        level: 'breaking',
        text: `${what} was removed`,
        reason: 'A deployed client that asks for its token in this flow gets none.',
      });
    else if (isObject(old)) {
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
function compareScopes(part: OperationPair, flow: string, scopes: ObjectPair): void {
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
}
