/** Comparing who may ask: security requirements (OpenAPI 3.1 §4.8.30) and the schemes that they name. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';
import { type Comparing, isSame, member, reportAt } from './comparing.ts';
import { type Described, type OperationPair, resolved } from './description.ts';

/** One alternative: the schemes that are all needed, each with its scopes. */
type Alternative = ReadonlyMap<string, readonly string[]>;

interface Requirement {
  readonly holder: JsonObject;
  readonly alternatives: readonly Alternative[];
}

/** Compares what an operation demands of keys. */
export function compareSecurity(comparing: Comparing, pair: OperationPair): void {
  if (pair.old.isSentByServer) return;
  const [old, next] = [requirementOf(pair.old, comparing.oldRoot), requirementOf(pair.new, comparing.newRoot)];
  const base = {
    before: member(comparing, old.holder, 'security'),
    after: member(comparing, next.holder, 'security'),
    subject: 'security',
  };
  const lost = old.alternatives.filter((before) => !next.alternatives.some((after) => demandsNoMore(after, before)));
  const gained = next.alternatives.filter((after) => !old.alternatives.some((before) => demandsNoMore(before, after)));
  if (lost.length > 0)
    reportAt(comparing, pair.new.name, {
      ...base,
      id: 'operation/security-tightened',
      level: 'breaking',
      direction: 'request',
      location: 'security',
      text: `${lost.map(tell).join(' or ')} is no longer enough; ${next.alternatives.map(tell).join(' or ')} is needed`,
      reason: 'A deployed client whose key was enough is refused.',
    });
  else if (gained.length > 0 || old.alternatives.length !== next.alternatives.length)
    reportAt(comparing, pair.new.name, {
      ...base,
      id: 'operation/security-relaxed',
      level: 'compatible',
      direction: 'request',
      location: 'security',
      text: `${next.alternatives.map(tell).join(' or ')} is enough now; before, ${old.alternatives.map(tell).join(' or ')} was needed`,
    });
  compareSchemes(comparing, pair, old, next);
}

function requirementOf({ value }: Described, root: JsonObject): Requirement {
  const holder = value['security'] === undefined ? root : value;
  const list = Array.isArray(holder['security']) ? (holder['security'] as readonly Json[]) : [];
  const alternatives = list
    .filter(isObject)
    .map(
      (each): Alternative =>
        new Map(
          Object.entries(each).map(([scheme, scopes]) => [scheme, Array.isArray(scopes) ? (scopes as readonly Json[]).map(String) : []]),
        ),
    );
  return {
    holder: holder['security'] === undefined ? value : holder,
    alternatives: alternatives.length === 0 ? [new Map()] : alternatives,
  };
}

/** Whether whoever has the one alternative has the other too. */
function demandsNoMore(wanted: Alternative, had: Alternative): boolean {
  return [...wanted].every(([scheme, scopes]) => {
    const own = had.get(scheme);
    return own !== undefined && scopes.every((scope) => own.includes(scope));
  });
}

function tell(alternative: Alternative): string {
  const parts = [...alternative].map(([scheme, scopes]) => (scopes.length === 0 ? scheme : `${scheme} with ${scopes.join(' and ')}`));
  return parts.length === 0 ? 'no key' : parts.join(' together with ');
}

/** A scheme of the same name may carry keys in another way. */
function compareSchemes(comparing: Comparing, pair: OperationPair, old: Requirement, next: Requirement): void {
  const names = new Set(old.alternatives.flatMap((each) => [...each.keys()]));
  for (const name of names) {
    if (!next.alternatives.some((each) => each.has(name))) continue;
    const [before, after] = [comparing.oldRoot, comparing.newRoot].map((root) =>
      resolved(comparing.document, valueAt(root, `/components/securitySchemes/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)),
    );
    if (before === undefined || after === undefined) continue;
    for (const keyword of ['type', 'in', 'name', 'scheme', 'openIdConnectUrl'])
      if (!isSame(before[keyword], after[keyword]))
        reportAt(comparing, pair.new.name, {
          id: `security-scheme/${keyword.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-changed`,
          level: 'breaking',
          direction: 'request',
          location: `security scheme ${name}`,
          before: member(comparing, before, keyword),
          after: member(comparing, after, keyword),
          subject: `${name} ${keyword}`,
          text: `keys of ${name} are sent otherwise: ${keyword} changed from ${JSON.stringify(before[keyword])} to ${JSON.stringify(after[keyword])}`,
          reason: 'What deployed clients send is not found any more.',
        });
  }
}
