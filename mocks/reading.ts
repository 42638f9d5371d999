/** Answers of single reads: which record or resource is meant, and the body that shows it. */

import type { Json, JsonObject } from '../core/json.ts';
import type { Operation } from '../core/operation.ts';
import { valueAt, withValueAt } from '../core/pointer.ts';
import { schemaOfSuccess } from '../core/read-operation.ts';
import type { RequestReading } from '../core/request.ts';
import type { Resource, Visibility } from '../core/rules.ts';
import { schemasAt } from '../core/schema.ts';
import type { KeyHolder } from './keys.ts';
import type { ServedApi } from './served-api.ts';
import { constantsOf, createFit } from './shape.ts';
import type { World } from './world.ts';

/** What a single read found: a body, nothing, or something that the caller may not see. */
export type Found = { readonly kind: 'body'; readonly body: Json } | { readonly kind: Visibility['hidden'] };

/** A single read of a served API, compiled once. */
export type SingleRead = (reading: RequestReading, holder: KeyHolder, world: World) => Found;

/** Compiles a single read. A resource of the same name as a collection is a record of it; any other exists once for a tenant. */
export function createSingleRead(api: ServedApi, operation: Operation, resource: Resource): SingleRead {
  const schema = schemaOfSuccess(operation.responses) ?? true;
  const { closed, operations } = api.contract;
  const envelope = constantsOf(closed, schema) ?? {};
  const shape = createFit(closed, schemasAt(closed, schema, resource.at));
  const collection = operations.map((each) => each.collection).find((each) => each?.name === resource.name);
  const nameOf = (role: string): string => api.contract.scopes.find((scope) => scope.role === role)?.name ?? role;
  return (reading, holder, world) => {
    const caller = { ...holder, scopes: holder.scopes.map(nameOf) };
    const record =
      resource.by.size > 0
        ? findRecord(world, resource, reading, holder)
        : world.resource(holder.tenant, resource.name, resource.view, caller);
    if (record === undefined) return { kind: 'absent' };
    if (collection?.visible !== undefined && !collection.query.isVisible(record)) return { kind: collection.visible.hidden };
    return { kind: 'body', body: withValueAt(envelope, resource.at, shape(record)) };
  };
}

/** The record whose fields equal every parameter that was sent. */
function findRecord(world: World, resource: Resource, reading: RequestReading, holder: KeyHolder): JsonObject | undefined {
  const wanted = [...resource.by].flatMap(([parameter, field]) => {
    const value = reading.values.get(parameter);
    return value === undefined ? [] : [{ field, value }];
  });
  if (wanted.length === 0) return undefined;
  return world.records(holder.tenant, resource.name).find((record) => wanted.every(({ field, value }) => valueAt(record, field) === value));
}
