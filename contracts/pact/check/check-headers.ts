/** Whether the status and the headers that a pact expects are documented, and whether their values are promised. */

import { compileExpression } from '../../../core/bounded-expression.ts';
import { isObject } from '../../../core/json.ts';
import { type HeaderRule, type ResponseRule, responseFor } from '../../../core/operation.ts';
import type { MatchingRule } from '../../../core/pact/pact.ts';
import type { PactFinding } from '../../../core/pact/check-result.ts';
import { valueAt } from '../../../core/pointer.ts';
import { documentedStatuses, isJsonType } from '../../../core/response.ts';
import { typesOf } from '../../../core/schema.ts';
import { schemaOfRule } from './matcher-schema.ts';
import { createFinding, type CheckContext } from './check-context.ts';

/** Judges the status that an interaction expects. */
export function checkDocumentedStatus(subject: CheckContext): readonly PactFinding[] {
  const { interaction, operation } = subject;
  const { status } = interaction.response;
  if (responseFor(operation, status) !== undefined) return [];
  const documented = documentedStatuses(operation).join(', ');
  const message = `${operation.id} never answers ${status}: documented are ${documented}; expect one of them, or have ${status} added to the contract`;
  return [createFinding(subject, ['response', 'status'], { id: 'response/status', grade: 'impossible', message, clause: operation.place })];
}

/** Judges the headers that an interaction expects. */
export function checkHeaders(subject: CheckContext): readonly PactFinding[] {
  const { interaction, operation } = subject;
  const { headers, matching, status } = interaction.response;
  const rule = responseFor(operation, status);
  if (rule === undefined) return [];
  return [...headers].flatMap(([name, values]) => {
    const text = values.join(', ');
    const matcher = matching.headers.get(name) ?? matching.headers.get('*');
    if (name === 'content-type') return checkContentType(subject, rule, text, matcher);
    const header = rule.headers.find((each) => each.name.toLowerCase() === name);
    return header === undefined ? [undocumented(subject, rule, name)] : checkHeader(subject, header, text, matcher);
  });
}

/** Where a header stands below its interaction, in the case that the file writes it in. */
function headerKeys({ pact, interaction }: CheckContext, name: string): readonly string[] {
  const headers = valueAt(pact.value, `${interaction.pointer}/response/headers`);
  const written = isObject(headers) ? Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase()) : undefined;
  return ['response', 'headers', written ?? name];
}

/** Media types are compared without their parameters: which characters JSON is written in is always the same. */
function checkContentType(subject: CheckContext, rule: ResponseRule, text: string, matcher: MatchingRule | undefined): readonly PactFinding[] {
  const { operation, interaction } = subject;
  const documented = [...rule.content.keys()];
  const expressions = (matcher?.matchers ?? []).flatMap(({ match, value }) => (match === 'regex' ? [String(value['regex'])] : []));
  const plain = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();
  const isRight = (type: string): boolean =>
    expressions.length === 0 ? matchesType(plain(type), plain(text)) : expressions.every((each) => matchesAnywhere(each, type));
  if (documented.some(isRight) || (isJsonType(text) && documented.some((type) => isJsonType(type)) && expressions.length > 0)) return [];
  const { status } = interaction.response;
  const says = documented.length === 0 ? 'documents no body' : `documents ${documented.join(', ')}`;
  const message = `the pact expects the content type ${text}, and a ${status} of ${operation.id} ${says}; expect that`;
  return [
    createFinding(subject, headerKeys(subject, 'content-type'), {
      id: 'response/content-type',
      grade: 'impossible',
      message,
      clause: rule.place,
    }),
  ];
}

function matchesType(documented: string, expected: string): boolean {
  return documented === expected || documented === '*/*' || (documented.endsWith('/*') && expected.startsWith(documented.slice(0, -1)));
}

function matchesAnywhere(expression: string, text: string): boolean {
  try {
    return compileExpression(expression).test(text);
  } catch {
    // An expression of another engine is not compared.
    return true;
  }
}

function undocumented(subject: CheckContext, rule: ResponseRule, name: string): PactFinding {
  const { operation, interaction } = subject;
  const documented = rule.headers.map((each) => each.name);
  const known = documented.length === 0 ? 'no header at all' : `only ${documented.join(', ')}`;
  const message = `the contract documents ${known} for a ${interaction.response.status} of ${operation.id}, and the pact expects ${headerKeys(subject, name).at(-1) ?? name}; leave it out, or have it added to the contract`;
  return createFinding(subject, headerKeys(subject, name), { id: 'response/header', grade: 'unpromised', message, clause: rule.place });
}

function checkHeader(subject: CheckContext, header: HeaderRule, text: string, matcher: MatchingRule | undefined): readonly PactFinding[] {
  const { operation, inclusions, contract } = subject;
  const { schema, place } = header.parameter;
  const keys = headerKeys(subject, header.name);
  const name = keys.at(-1) ?? header.name;
  const found = (grade: PactFinding['grade'], message: string): PactFinding => {
    const asked = isObject(schema) ? schema['x-unspecified'] : undefined;
    const question = typeof asked === 'string' && grade === 'unpromised' ? contract.questions.get(asked) : undefined;
    return createFinding(subject, keys, { id: 'response/header', grade, message, clause: place, question });
  };
  const isText = isObject(schema) && typesOf(schema).every((type) => type === 'string');
  if (isText && inclusions.separate([schema, { const: text }], false).kind === 'none')
    return [found('impossible', `the header ${name} is never ${text}: the contract says ${describe(header)}; correct the example`)];
  if (!header.required)
    return [found('unpromised', `the header ${name} may be missing: ${operation.id} does not require it; leave it out of the pact`)];
  const { schema: expected, said } = schemaOfRule(matcher, text);
  const separation = isText && !repeatsSentTag(subject, header, text) ? inclusions.separate([schema], expected) : undefined;
  if (separation?.kind !== 'found') return [];
  const wanted = said === JSON.stringify(text) ? `exactly ${text}` : said;
  const message = `the header ${name} may be ${String(separation.value)}, and the pact expects ${wanted}; match it by what the contract says: ${describe(header)}`;
  return [found('unpromised', message)];
}

/** What is not modified has the tag that was sent. */
function repeatsSentTag({ interaction }: CheckContext, { name }: HeaderRule, text: string): boolean {
  return (
    name.toLowerCase() === 'etag' &&
    interaction.response.status === 304 &&
    interaction.request.headers.get('if-none-match')?.join(', ') === text
  );
}

function describe({ parameter: { schema } }: HeaderRule): string {
  if (!isObject(schema)) return 'anything';
  const { pattern, enum: listed, const: constant } = schema;
  if (typeof pattern === 'string') return `a text that matches ${pattern}`;
  if (constant !== undefined) return JSON.stringify(constant);
  return Array.isArray(listed)
    ? `one of ${listed.map((each) => JSON.stringify(each)).join(', ')}`
    : typesOf(schema).join(' or ') || 'anything';
}
