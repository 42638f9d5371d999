/** Finds what holds for a whole API: the operations that give tokens, and the form of errors. */

import { isJsonType } from '../http/media-type.ts';
import { parseJson, printJson } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import type { Operation, ResponseRule } from '../openapi/operation.ts';
import { toPointer } from '../pointer.ts';
import type { Guess, InferredError, InferredLogin } from './guess.ts';
import { nounsOfPath, plainName, wordsOf } from './names.ts';
import { Shape, shapeOfSuccess } from './shape.ts';

const loginWords = new Set('login,signin,token,auth,authenticate,session,sessions,logon,oauth,signup,register,users'.split(','));

const tokenNames = new Set('accesstoken,token,idtoken,jwt,sessiontoken,authtoken,apikey,sessionid,bearer'.split(','));

/** An operation that takes credentials, needs none itself, and gives a token. */
export function inferLogin(operation: Operation): InferredLogin | undefined {
  if (operation.method !== 'POST' || operation.security.some((alternative) => alternative.length > 0)) return undefined;
  const about = [...wordsOf(operation.id), ...nounsOfPath(operation.path).flatMap(wordsOf)];
  if (!about.some((word) => loginWords.has(word))) return undefined;
  const success = shapeOfSuccess(operation);
  const holders = [...success.members].filter(([, member]) => member.members.size > 0);
  for (const [place, shape] of [['', success] as const, ...holders.map(([name, member]) => [toPointer([name]), member] as const)]) {
    const token = [...shape.members].find(([name, member]) => tokenNames.has(plainName(name)) && member.isScalar)?.[0];
    if (token !== undefined)
      return { operation, token: { value: `${place}${toPointer([token])}`, confidence: 0.95, reason: { by: 'member-name', name: token } } };
  }
  return undefined;
}

/** The form of most errors of the contract. */
export function inferError({ operations }: Contract): Guess<InferredError> | undefined {
  const found = operations.flatMap((operation) =>
    [...operation.responses.values()].flatMap((response) => errorOf(operation, response) ?? []),
  );
  const counts = new Map<string, number>();
  for (const each of found) counts.set(printJson(each), (counts.get(printJson(each)) ?? 0) + 1);
  const [best] = [...counts].sort((left, right) => right[1] - left[1]);
  if (best === undefined) return undefined;
  const value = parseJson(best[0]) as unknown as InferredError;
  return { value, confidence: best[1] / found.length >= 0.6 ? 0.93 : 0.7, reason: { by: 'member-name', name: value.message } };
}

function errorOf({ document }: Operation, { status, content, examples }: ResponseRule): InferredError | undefined {
  const json = /^[45]/.test(status) ? [...content].find(([type]) => isJsonType(type)) : undefined;
  if (json === undefined) return undefined;
  const values = [...examples.values()].map(({ value }) => value);
  const shape = new Shape(document, [json[1].schema], values);
  const places = ['', '/error', '/error/0', '/errors', '/errors/0', '/fault'];
  return places.map((place) => errorAt(shape.at(place), place)).find((found) => found !== undefined);
}

function errorAt(holder: Shape | undefined, place: string): InferredError | undefined {
  const named = (names: string): string | undefined => names.split(',').find((name) => holder?.members.get(name)?.isScalar);
  const message = named('message,detail,error_description,description,error_message,errorMessage,msg,title,reason,error');
  const code = named('code,error_code,errorCode,type,error,status,name');
  if (message === undefined) return undefined;
  return { code: code === undefined || code === message ? undefined : `${place}/${code}`, message: `${place}/${message}` };
}
