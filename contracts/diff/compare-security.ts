/**
 * Compares the security requirements of an operation, and the security schemes that both versions use (OpenAPI 3.1 §4.8.27 and §4.8.30).
 * `compare-operations.ts` calls it for each operation of both files. Scopes in annotations are left to `compare-root-annotations.ts`.
 */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { toPointer, valueAt } from '../../core/pointer.ts';
import { toKebab } from './describe-value-change.ts';
import { type DocumentedOperation, resolveObject } from './documented-operation.ts';
import { type DifferenceDetails, exchangePart, type OperationPair, reportMemberChange, reportMemberChanges } from './report-difference.ts';

/** One alternative of a security requirement: all its schemes are needed, each with its scopes. */
type SecurityAlternative = ReadonlyMap<string, readonly string[]>;

interface SecurityRequirement {
  readonly holder: JsonObject;
  readonly alternatives: readonly SecurityAlternative[];
}

/** Compares the security requirements of an operation. */
export function compareSecurity(pair: OperationPair): void {
  if (pair.old.isSentByServer) return;
  const { oldRoot, newRoot } = pair.context;
  const [old, next] = [securityRequirementOf(pair.old, oldRoot), securityRequirementOf(pair.new, newRoot)];
  const part = exchangePart(pair, 'request', 'security');
  const holders = { old: old.holder, new: next.holder };
  const [before, after] = [old, next].map(({ alternatives }) => alternatives.map(describeAlternative).join(' or '));
  const isTightened = old.alternatives.some((held) => !next.alternatives.some((required) => isMetBy(required, held)));
  const isRelaxed = next.alternatives.some((held) => !old.alternatives.some((required) => isMetBy(required, held)));
  const edit = `${before ?? ''} → ${after ?? ''}`;
  const text = `security changed from ${before ?? ''} to ${after ?? ''}`;
  if (isTightened)
    reportMemberChange(part, holders, 'security', {
      id: 'operation/security-tightened',
      level: 'breaking',
      edit,
      text: describeTightened(old, next) ?? text,
      reason: 'A deployed client whose key was enough is refused.',
    });
  else if (isRelaxed || old.alternatives.length !== next.alternatives.length)
    reportMemberChange(part, holders, 'security', {
      id: 'operation/security-relaxed',
      edit,
      ...rateRelaxed(old, next, text),
    });
  compareSchemes(pair, old, next);
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

/** A leak if a weaker key is enough now; a further scheme alone opens nothing to the keys of before. */
function rateRelaxed(
  old: SecurityRequirement,
  next: SecurityRequirement,
  text: string,
): Pick<DifferenceDetails, 'level' | 'text'> & Partial<DifferenceDetails> {
  if (!next.alternatives.some((each) => isWeaker(each, old.alternatives))) return { level: 'compatible', text };
  const reason = 'Whoever was refused before may now read what the operation returns.';
  return { level: 'security', text: describeRelaxed(old, next) ?? text, reason, affects: ['server'] };
}

/** True if an alternative asks for less than one of the old ones. */
function isWeaker(alternative: SecurityAlternative, old: readonly SecurityAlternative[]): boolean {
  return old.some((held) => isMetBy(alternative, held)) && !old.some((required) => isMetBy(required, alternative));
}

/** Sentence on a key or scopes that are newly required, if nothing else changed. */
function describeTightened(old: SecurityRequirement, next: SecurityRequirement): string | undefined {
  return schemesOf(old) === '' ? 'a key is now required' : describeScopes('keys now need', next, old);
}

/** Sentence on a key or scopes that are no longer required, if nothing else changed. */
function describeRelaxed(old: SecurityRequirement, next: SecurityRequirement): string | undefined {
  if (next.alternatives.some((each) => each.size === 0)) return 'no key is required any more';
  return describeScopes('keys no longer need', old, next);
}

/** Sentence on the scopes that one requirement has and the other lacks; `undefined` if their schemes differ. */
function describeScopes(verb: string, requirement: SecurityRequirement, other: SecurityRequirement): string | undefined {
  const scopes = [...scopesOf(requirement)].filter((scope) => !scopesOf(other).has(scope));
  if (schemesOf(requirement) !== schemesOf(other) || scopes.length === 0) return undefined;
  return `${verb} the scope ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`;
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
function compareSchemes(pair: OperationPair, old: SecurityRequirement, next: SecurityRequirement): void {
  const { document, oldRoot, newRoot } = pair.context;
  for (const name of new Set(old.alternatives.flatMap((each) => [...each.keys()]))) {
    if (!next.alternatives.some((each) => each.has(name))) continue;
    const pointer = toPointer(['components', 'securitySchemes', name]);
    const [before, after] = [oldRoot, newRoot].map((root) => resolveObject(document, valueAt(root, pointer)));
    if (before === undefined || after === undefined) continue;
    const part = exchangePart(pair, 'request', `security scheme ${name}`);
    reportMemberChanges(part, { old: before, new: after }, ['type', 'in', 'name', 'scheme', 'openIdConnectUrl'], (keyword) => ({
      id: `security-scheme/${toKebab(keyword)}-changed`,
      level: 'breaking',
      changedItem: `${name} ${keyword}`,
      text: `${keyword} of the security scheme \`${name}\` changed from ${JSON.stringify(before[keyword])} to ${JSON.stringify(after[keyword])}`,
      reason: 'The server no longer finds the key that deployed clients send.',
    }));
  }
}
