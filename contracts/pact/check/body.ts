/** Whether an answer that the contract allows can fail what a pact expects of its body, and whether any can meet it. */

import { isObject, type Json } from '../../../core/json.ts';
import { type ResponseRule, responseFor } from '../../../core/operation.ts';
import type { PactFinding, PactRemark } from '../../../core/pact-check.ts';
import { printPath } from '../../../core/pact-path.ts';
import { toPointer } from '../../../core/pointer.ts';
import { isJsonType } from '../../../core/response.ts';
import type { Schema } from '../../../core/schema.ts';
import { explainImpossible, explainUnpromised, isUnknownMember, refusedIn } from './body-words.ts';
import { type Demand, exampleSchema, expectationOf, thereAndThen, whereThere, wholeOf } from './demand.ts';
import { listKnown, usualDates } from './known.ts';
import { type BodyCase, bodyKeys, findingAt, placeInPact, type Subject } from './subject.ts';

/** What came of looking at a body. */
export interface BodyCheck {
  readonly findings: readonly PactFinding[];
  readonly remarks: readonly PactRemark[];
}

/** Judges what an interaction expects of the body. */
export function checkBody(subject: Subject): BodyCheck {
  const { interaction, operation } = subject;
  const { body, status, matching } = interaction.response;
  const rule = responseFor(operation, status);
  if (body === undefined || rule === undefined) return { findings: [], remarks: [] };
  const keys = bodyKeys(subject);
  const schema = schemaFor(subject, rule);
  if (schema === undefined) return { findings: checkEmpty(subject, rule, keys), remarks: [] };
  const { demands, unknown } = expectationOf(body, matching);
  const known = status >= 200 && status < 300 ? listKnown(subject) : [];
  const allowed = [schema, ...known, ...usualDates(operation.document, schema, demands)];
  const findings = judge({ subject, schema, allowed, keys }, demands, body);
  const remarks = [...unknown, ...findings.open].map(({ keys: below, why }) => {
    const pointer = `${interaction.pointer}${toPointer([...keys, ...below])}`;
    return { message: `${printPath(below)} is judged in part only: ${why}`, pointer, place: placeInPact(subject.pact, pointer) };
  });
  return { findings: findings.found, remarks };
}

function schemaFor({ interaction }: Subject, { content }: ResponseRule): Schema | undefined {
  const { contentType, body } = interaction.response;
  const types = [...content.keys()];
  const wanted = types.find((type) => contentType !== undefined && type.toLowerCase().startsWith(contentType)) ?? types.find(isJsonType);
  // Only JSON has a schema that can be compared; a text of another type is nobody's JSON.
  const isText = contentType !== undefined && !isJsonType(contentType) && typeof body === 'string';
  return wanted === undefined || isText || !isJsonType(wanted) ? undefined : content.get(wanted)?.schema;
}

function checkEmpty(subject: Subject, rule: ResponseRule, keys: readonly string[]): readonly PactFinding[] {
  const { body, status } = subject.interaction.response;
  if (rule.content.size > 0 || body === null || body === '') return [];
  const message = `a ${status} of ${subject.operation.id} has no body, and the pact expects one; expect the status and the headers alone`;
  return [findingAt(subject, keys, { id: 'response/body', grade: 'impossible', message, clause: rule.place })];
}

interface Judged {
  readonly found: readonly PactFinding[];
  readonly open: readonly { readonly keys: readonly (string | number)[]; readonly why: string }[];
}

function judge(about: BodyCase, demands: readonly Demand[], example: Json): Judged {
  const wrong = impossibleExamples(about, example);
  const each = listDoubtful(about, demands).map((demand) => ({ demand, ...judgeDemand(about, demand) }));
  const found = keepGravest([...wrong, ...each.flatMap(({ finding }) => (finding === undefined ? [] : [finding]))]);
  const open = each.flatMap(({ demand, why }) => (why === undefined ? [] : [{ keys: demand.keys, why }]));
  return { found: withoutInner(about, demands, found), open };
}

/** The demands that are not proved together with others: most are promised, so halves are tried as wholes first. */
function listDoubtful(about: BodyCase, demands: readonly Demand[]): readonly Demand[] {
  if (demands.length === 0 || about.subject.inclusions.separate(about.allowed, wholeOf(demands)).kind === 'none') return [];
  if (demands.length === 1) return demands;
  const middle = demands.length >> 1;
  return [...listDoubtful(about, demands.slice(0, middle)), ...listDoubtful(about, demands.slice(middle))];
}

/** Each value of the example must be one that the contract allows there: a consumer was tested with an answer that it may get. */
function impossibleExamples(about: BodyCase, example: Json): readonly PactFinding[] {
  const { inclusions } = about.subject;
  const isImpossible = (schema: Schema): boolean => inclusions.separate([...about.allowed, schema], false).kind === 'none';
  if (!isImpossible(exampleSchema(example))) return [];
  const wrong = leavesOf(example, []).filter(({ keys, value }) => isImpossible(thereAndThen(keys, exampleSchema(value))));
  const leaves = wrong.length > 0 ? wrong : [{ keys: [], value: example }];
  return leaves.map(({ keys, value }) => {
    const { message, clause } = explainImpossible(about, keys, value);
    return findingAt(about.subject, [...about.keys, ...keys], { id: 'response/example', grade: 'impossible', message, clause });
  });
}

function leavesOf(
  value: Json,
  keys: readonly (string | number)[],
): readonly { readonly keys: readonly (string | number)[]; readonly value: Json }[] {
  const entries = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return [{ keys, value }];
  return entries.flatMap(([key, member]) => leavesOf(member, [...keys, key]));
}

function judgeDemand(about: BodyCase, demand: Demand): { readonly finding?: PactFinding; readonly why?: string } {
  const { inclusions } = about.subject;
  const separation = inclusions.separate(about.allowed, whereThere(demand.at, demand.schema));
  if (separation.kind === 'none') return {};
  if (separation.kind === 'open') return { why: separation.why };
  const met = thereAndThen(demand.at, demand.member === undefined ? demand.schema : { type: 'object', ...asObject(demand.schema) });
  const isPossible = inclusions.separate([...about.allowed, met], false).kind !== 'none';
  const explained = explainUnpromised(about, demand, separation.value, isPossible);
  const grade = isPossible ? 'unpromised' : 'impossible';
  const witness = { value: separation.value, pointer: refusedIn(about, demand, separation.value) };
  return { finding: findingAt(about.subject, [...about.keys, ...demand.keys], { id: 'response/body', grade, ...explained, witness }) };
}

function asObject(schema: Schema): { readonly [key: string]: Json } {
  return isObject(schema) ? schema : {};
}

/** Of several findings at one place the gravest is told, and of equals the first. */
function keepGravest(findings: readonly PactFinding[]): readonly PactFinding[] {
  const best = new Map<string, PactFinding>();
  for (const finding of findings) {
    const known = best.get(finding.pointer);
    if (known === undefined || (known.grade === 'unpromised' && finding.grade === 'impossible')) best.set(finding.pointer, finding);
  }
  return [...best.values()];
}

/**
 * What stands inside of a member that the contract does not know is unknown with it, and where a record may stand elsewhere nothing inside of it is
 * promised: each is one finding.
 */
function withoutInner(about: BodyCase, demands: readonly Demand[], findings: readonly PactFinding[]): readonly PactFinding[] {
  const base = `${about.subject.interaction.pointer}${toPointer(about.keys)}`;
  const unknown = new Set(demands.filter((demand) => isUnknownMember(about, demand)).map(({ keys }) => `${base}${toPointer(keys)}`));
  const outer = findings.filter(({ pointer, question }) => unknown.has(pointer) || question !== undefined);
  return findings.filter(({ pointer, grade }) => grade === 'impossible' || !outer.some((each) => pointer.startsWith(`${each.pointer}/`)));
}
