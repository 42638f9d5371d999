/**
 * The rule of the group `tenancy` about resources that are read without an identifier: what they refer to tells whose they are. Needs the key of a second
 * tenant.
 */

import { isNumber, isObject, type Json } from '../../../core/json.ts';
import { mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { isList } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { valueAt, withValueAt } from '../../../core/pointer.ts';
import { isSuccess, type Reply } from '../evidence/call.ts';
import { type Caller, rolesOfOtherTenants } from '../evidence/callers.ts';
import { resourcePlace } from '../evidence/clause-places.ts';
import { readTenants } from '../evidence/read-tenants.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { isSingleton } from '../evidence/single-record-calls.ts';
import { printParameterValue } from './describe-values.ts';
import { agrees, contradicts, type Judgement, type Rule, roomInQuickRun, withoutKey } from './rule.ts';

const firstTenantForAll = mutantOf('first-tenant-for-all');

const recordNotNamed: Rule = {
  id: 'tenancy/named',
  title: "A resource that is read without an identifier belongs to the key's tenant",
  why: 'Such a resource is chosen by the key alone, so nobody notices if it belongs to another tenant.',
  strength: 'implied',
  clause: (operation, { tenancy }) => (tenancy && isSingleton(operation) ? resourcePlace(operation, 'name') : undefined),
  examine: async (context, operation) => {
    const [otherTenant] = rolesOfOtherTenants(context.keys);
    if (otherTenant === undefined) return withoutKey('other', 'a key of another tenant');
    const missing = `an identifier in ${operation.id} that other operations name too, with another value for each tenant`;
    const mutants = [{ ...firstTenantForAll, missing: context.quick ? roomInQuickRun : missing }];
    if (context.quick) return { mutants, judge: () => [] };
    // Replies that name the tenants are needed even if no other rule of this run requests them.
    for (const each of context.contract.operations.filter(isSingleton))
      for (const caller of ['full', otherTenant]) await context.ask({ operation: each, ...(caller === 'full' ? {} : { as: caller }) });
    for (const list of context.contract.operations.filter(isList)) if (list.collection.head !== undefined) await readTenants(context, list);
    const replies = [await context.ask({ operation }), await context.ask({ operation, as: otherTenant })];
    const judge = (): readonly Judgement[] => {
      const [ownIdentifiers, otherIdentifiers] = ['full', otherTenant].map((caller) => identifiersElsewhere(context, operation, caller));
      const findings = [
        ...judgeIdentifiers(operation, replies[0], ownIdentifiers, otherIdentifiers),
        ...judgeIdentifiers(operation, replies[1], otherIdentifiers, ownIdentifiers),
      ];
      const contradictions = findings.filter(({ kind }) => kind === 'contradicts');
      return contradictions.length > 0 ? contradictions : findings;
    };
    return { mutants, judge };
  },
};

/** Values by the name of their identifier, such as `business/id`, each with the reply that has it. */
type IdentifierValues = ReadonlyMap<string, ReadonlyMap<Json, Reply>>;

/** The identifiers in the replies of all other operations to a caller, outside of listed records. */
function identifiersElsewhere(context: RoundContext, { id }: Operation, caller: Caller): IdentifierValues {
  const values = new Map<string, Map<Json, Reply>>();
  for (const reply of context.replies.filter(({ call }) => call.operation.id !== id && (call.as ?? 'full') === caller))
    for (const [name, value] of identifiersIn(reply)) values.set(name, (values.get(name) ?? new Map<Json, Reply>()).set(value, reply));
  return values;
}

/** Tenants share some identifiers, such as that of a currency. So a reply belongs to another tenant only if all identifiers that differ between tenants do. */
function judgeIdentifiers(
  operation: Operation,
  reply: Reply | undefined,
  ownIdentifiers: IdentifierValues = new Map(),
  otherIdentifiers: IdentifierValues = new Map(),
): readonly Judgement[] {
  const distinguishing =
    reply === undefined
      ? []
      : identifiersIn(reply).filter(([name, value]) => ownIdentifiers.get(name)?.has(value) !== otherIdentifiers.get(name)?.has(value));
  const comparable = distinguishing.filter(([name]) => ownIdentifiers.has(name) && otherIdentifiers.has(name));
  if (comparable.some(([name, value]) => ownIdentifiers.get(name)?.has(value))) return [agrees(firstTenantForAll)];
  return comparable.slice(0, 1).flatMap(([name, value]) => {
    const [[expected, source] = []] = ownIdentifiers.get(name) ?? [];
    const otherReply = otherIdentifiers.get(name)?.get(value);
    if (reply === undefined || expected === undefined || source === undefined || otherReply === undefined) return [];
    return contradicts({
      replies: [source, otherReply, reply],
      expected: `${name} in ${operation.id} must be ${printParameterValue(expected)}, as in ${source.call.operation.id} with the same key`,
      actual: `${name} is ${printParameterValue(value)}, as in ${otherReply.call.operation.id} with the key of another tenant`,
      mutant: firstTenantForAll,
    });
  });
}

/** The identifiers in a successful reply outside of listed records, which depend on the request and not on the tenant. */
function identifiersIn(reply: Reply): readonly (readonly [name: string, value: Json])[] {
  const { collection, resource } = reply.call.operation;
  if (!isSuccess(reply) || reply.body === undefined || (collection === undefined && resource?.by.size !== 0)) return [];
  const body = collection === undefined ? valueAt(reply.body, resource?.at ?? '') : withValueAt(reply.body, collection.items, null);
  return identifiersOf(body, resource?.name ?? collection?.name ?? '');
}

function identifiersOf(value: Json | undefined, owner: string): readonly (readonly [name: string, value: Json])[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]): readonly (readonly [string, Json])[] => {
    if (isObject(member)) return identifiersOf(member, ['data', 'result'].includes(name) ? owner : name);
    if (typeof member !== 'string' && !isNumber(member)) return [];
    if (/^(?:id|uuid)$/.test(name)) return [[`${owner}/${name}`, member]];
    return /[_-](?:id|uuid)$|[a-z](?:Id|ID|Uuid|UUID)$/.test(name) ? [[name, member]] : [];
  });
}

/** The rules, in the order of a run. */
export const tenancyIdentifierRules: readonly Rule[] = [recordNotNamed];
