/** Answers requests to places that are no collections: they show what was written to them, and logins give tokens with a user behind them. */

import { createHash } from 'node:crypto';
import { type HttpRequest, headerOf, splitTarget } from '../../core/http/exchange.ts';
import { nounsOfPath, plainName } from '../../core/inference/names.ts';
import { haveSameType, isObject, type Json, printJson } from '../../core/json.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { withValueAt } from '../../core/pointer.ts';
import { success, type WorldAnswer, type WorldCall } from './find-records.ts';
import type { World } from './world.ts';

/** A place that is no collection remembers what was written to it; other writes are echoed. */
export function answerPlace(world: World, call: WorldCall, body: Json | undefined): WorldAnswer | undefined {
  const { operation } = call;
  const caller = callerOf(call);
  const [memory, place] = isAboutCaller(operation)
    ? [world.principals, caller]
    : [world.written, `${caller} ${splitTarget(call.target).path}`];
  const kept = memory.get(place);
  if (operation.method === 'GET' || operation.method === 'HEAD') return echoed(kept);
  if (operation.method !== 'PUT' && operation.method !== 'PATCH') return echoed(body);
  const merged = joined(kept ?? {}, body ?? {});
  memory.set(place, merged);
  world.revision += 1;
  return echoed(merged);
}

/** True for an operation about the account behind the key. */
function isAboutCaller({ path }: Operation): boolean {
  const noun = plainName(nounsOfPath(path).at(-1) ?? '');
  return !path.includes('{') && ['user', 'me', 'account', 'profile', 'whoami', 'self'].includes(noun);
}

/** The credentials of a request, which stand for its user. */
function callerOf({ headers }: HttpRequest): string {
  const sent = headerOf(headers, 'authorization') ?? headerOf(headers, 'x-api-key') ?? headerOf(headers, 'cookie') ?? '';
  return sent.replace(/^\w+ +/, '');
}

/** The documented body with the members of a value that it has too. */
export function echoed(value: Json | undefined): WorldAnswer | undefined {
  return value === undefined ? undefined : { ...success((documented) => withEchoes(documented, value)), like: value };
}

/** A body with the values of members that another one has too, at the same place and of the same type. */
function withEchoes(documented: Json, sent: Json): Json {
  if (!isObject(documented) || !isObject(sent)) return documented;
  return Object.fromEntries(Object.entries(documented).map(([name, before]) => [name, echoOf(before, sent[name])]));
}

function echoOf(before: Json, value: Json | undefined): Json {
  if (value === undefined) return before;
  if (before === null) return value;
  if (isObject(before)) return withEchoes(before, value);
  return haveSameType(before, value) ? value : before;
}

/** A value with the members of a later one. */
function joined(known: Json, later: Json): Json {
  if (!isObject(known) || !isObject(later)) return later;
  return { ...known, ...Object.fromEntries(Object.entries(later).map(([name, value]) => [name, joined(known[name] ?? null, value)])) };
}

/** Gives a token of its own to each login, and remembers the user behind it. */
export function answerLogin(world: World, sent: Json, tokenPlace: string): WorldAnswer {
  const token = `mock_${createHash('sha256')
    .update(`${world.revision} ${printJson(sent)}`)
    .digest('hex')
    .slice(0, 32)}`;
  world.revision += 1;
  return success((documented) => {
    const user = [...world.principals.values()].find((known) => isSameUser(known, sent));
    const shown = withEchoes(user === undefined ? documented : withEchoes(documented, user), sent);
    const withToken = withValueAt(shown, tokenPlace, token);
    world.principals.set(token, withToken);
    return withToken;
  });
}

/** True if a known user has the name or the address of a login. */
function isSameUser(known: Json, sent: Json): boolean {
  const own = identitiesIn(known);
  return identitiesIn(sent).some((identity) => own.includes(identity));
}

function identitiesIn(value: Json): readonly Json[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const isIdentity = ['email', 'username', 'login', 'name'].includes(name) && typeof member === 'string';
    return isIdentity ? [member] : identitiesIn(member);
  });
}
