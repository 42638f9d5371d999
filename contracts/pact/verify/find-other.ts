/** Looks for what exists once, for keys, and for a mock that makes trouble when it is asked to. */

import { isObject } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import type { Fact } from '../../../core/pact-fact.ts';
import { fieldsOfRecord } from '../../../core/pact-injection.ts';
import { nobody, stranger } from '../../call.ts';
import { otherTenants } from '../../keyring.ts';
import type { Lab } from '../../lab.ts';
import { locate } from '../../place.ts';
import { isSuccess, tagOf } from '../../reply.ts';
import { type Finding, type Found, missing, plain } from './found.ts';
import { foreignOperation } from './request-of.ts';

/** Reads what exists once. */
export async function findResource(lab: Lab, name: string): Promise<Finding> {
  const operation = singleRead(lab, name);
  if (operation === undefined) return missing(`nothing reads ${name}`);
  const reply = await lab.ask({ operation });
  if (reply.response.status === 404) return missing(`the target has none (${operation.id} answered 404)`);
  const value = locate(lab.contract, reply)?.record;
  const etag = isSuccess(reply) ? tagOf(reply) : undefined;
  const values = new Map([...(value === undefined ? [] : fieldsOfRecord(value)), ...(etag === undefined ? [] : [['etag', etag] as const])]);
  return { kind: 'found', values, ...(value === undefined ? {} : { record: { name, value } }) };
}

/** Looks for a key whose tenant has none. */
export async function findNoResource(lab: Lab, name: string): Promise<Finding> {
  const operation = singleRead(lab, name);
  if (operation === undefined) return missing(`nothing reads ${name}`);
  const roles = [...otherTenants(lab.keys)].toSorted((left, right) => Number(right.includes(name)) - Number(left.includes(name)));
  for (const as of ['full', ...roles]) {
    const reply = await lab.ask({ operation, as });
    if (reply.response.status === 404) return { kind: 'found', values: new Map(), as };
  }
  return missing(`no key is given whose tenant has none; give one with --key no-${name}=ENV_VAR`);
}

/** Chooses the key that a fact speaks of. */
export function findKey(lab: Lab, fact: Extract<Fact, { kind: 'key' | 'no-scope' }>): Finding {
  if (fact.kind === 'key' && fact.key === 'missing') return { ...plain, as: nobody };
  if (fact.kind === 'key' && fact.key === 'unknown') return { ...plain, as: stranger };
  const names = fact.kind === 'key' ? ['expired'] : scopeNames(lab, fact.scope).map((name) => `without:${name}`);
  const role = names.find((name) => lab.keys.has(name));
  return role === undefined ? missing(`no such key is given; give one with --key ${names[0]}=ENV_VAR`) : { ...plain, as: role };
}

/** Trouble that a mock makes when it is asked to; `undefined` when the target is none. */
export async function findTrouble(lab: Lab, fact: Extract<Fact, { kind: 'throttled' | 'unavailable' }>): Promise<Found | undefined> {
  const reply = await lab.ask({ operation: foreignOperation(lab.contract, 'GET', '/__mock/'), as: nobody });
  const isMock = isSuccess(reply) && isObject(reply.body) && reply.body['scope'] === 'this process';
  if (!isMock) return undefined;
  const trouble = fact.kind === 'throttled' ? '429' : `503${fact.code === undefined ? '' : `:${fact.code}`}`;
  return { ...plain, headers: { 'mock-trouble': trouble } };
}

function scopeNames({ contract }: Lab, scope: string): readonly string[] {
  return [...new Set([scope, ...contract.scopes.filter(({ role }) => role === scope).map(({ name }) => name)])];
}

function singleRead({ contract }: Lab, name: string): Operation | undefined {
  return contract.operations.find(
    ({ method, resource }) => method === 'GET' && resource?.name === name && resource.view === undefined && resource.by.size === 0,
  );
}
