/** Checks the response headers that a pact expects: the contract must document and require each, and allow no other values. */

import { matchesType } from '../../../core/http/media-type.ts';
import { isObject } from '../../../core/json.ts';
import { type HeaderRule, type ResponseRule, responseFor } from '../../../core/openapi/operation.ts';
import { typesOf } from '../../../core/openapi/schema-facts.ts';
import type { MatchingRule } from '../../../core/pact/pact.ts';
import type { PactFinding } from '../../../core/results/pact-check-result.ts';
import { createFinding, headerKeys } from './create-finding.ts';
import type { CheckContext } from './interaction-context.ts';
import { schemaOfRule } from './matcher-to-schema.ts';

/** Checks every expected header. */
export function checkExpectedHeaders(context: CheckContext): readonly PactFinding[] {
  const { interaction, operation } = context;
  const { headers, matching, status } = interaction.response;
  const rule = responseFor(operation, status);
  if (rule === undefined) return [];
  return [...headers].flatMap(([name, values]) => {
    const text = values.join(', ');
    const matcher = matching.headers.get(name) ?? matching.headers.get('*');
    if (name === 'content-type') return checkContentType(context, rule, text);
    const header = rule.headers.find((each) => each.name.toLowerCase() === name);
    return header === undefined ? [undocumentedHeader(context, rule, name)] : checkHeader(context, header, text, matcher);
  });
}

/** Checks the media type of the example without its parameters, since the charset of JSON is fixed. Its matching rule is not compared. */
function checkContentType(context: CheckContext, rule: ResponseRule, text: string): readonly PactFinding[] {
  const { operation, interaction } = context;
  const documented = [...rule.content.keys()];
  if (documented.some((type) => matchesType(type, text))) return [];
  const { status } = interaction.response;
  const says = documented.length === 0 ? 'documents no body' : `documents ${documented.join(', ')}`;
  const message = `the pact expects the content type ${text}, but a ${status} of ${operation.id} ${says}; expect what is documented`;
  return [
    createFinding(context, headerKeys(context, 'response', 'content-type'), {
      id: 'response/content-type',
      grade: 'impossible',
      message,
      clause: rule.place,
    }),
  ];
}

function undocumentedHeader(context: CheckContext, rule: ResponseRule, name: string): PactFinding {
  const { operation, interaction } = context;
  const documented = rule.headers.map((each) => each.name);
  const documentedText = documented.length === 0 ? 'no headers' : `only ${documented.join(', ')}`;
  const message = `the pact expects the header ${headerKeys(context, 'response', name).at(-1) ?? name}, but the contract documents ${documentedText} for a ${interaction.response.status} of ${operation.id}; remove it, or add it to the contract`;
  return createFinding(context, headerKeys(context, 'response', name), {
    id: 'response/header',
    grade: 'not-guaranteed',
    message,
    clause: rule.place,
  });
}

function checkHeader(context: CheckContext, header: HeaderRule, text: string, matcher: MatchingRule | undefined): readonly PactFinding[] {
  const { operation, inclusions, contract } = context;
  const { schema, place } = header.parameter;
  const keys = headerKeys(context, 'response', header.name);
  const name = keys.at(-1) ?? header.name;
  const createHeaderFinding = (grade: PactFinding['grade'], detail: string): PactFinding => {
    const asked = isObject(schema) ? schema['x-unspecified'] : undefined;
    const question = typeof asked === 'string' && grade === 'not-guaranteed' ? contract.questions.get(asked) : undefined;
    return createFinding(context, keys, { id: 'response/header', grade, message: detail, clause: place, question });
  };
  const isText = isObject(schema) && typesOf(schema).every((type) => type === 'string');
  if (isText && inclusions.separate([schema, { const: text }], false).kind === 'none')
    return [
      createHeaderFinding(
        'impossible',
        `the header ${name} is never ${text}: the contract says ${describeHeader(header)}; correct the example`,
      ),
    ];
  if (!header.required)
    return [
      createHeaderFinding(
        'not-guaranteed',
        `the header ${name} may be missing: ${operation.id} does not require it; remove it from the pact`,
      ),
    ];
  const { schema: expected, description } = schemaOfRule(matcher, text);
  const separation = isText && !repeatsSentTag(context, header, text) ? inclusions.separate([schema], expected) : undefined;
  if (separation?.kind !== 'found') return [];
  const wanted = description === JSON.stringify(text) ? `exactly ${text}` : description;
  const message = `the header ${name} may be ${String(separation.value)}, but the pact expects ${wanted}; match what the contract says: ${describeHeader(header)}`;
  return [createHeaderFinding('not-guaranteed', message)];
}

/** True for the ETag of a 304, which repeats the tag of the request. */
function repeatsSentTag({ interaction }: CheckContext, { name }: HeaderRule, text: string): boolean {
  return (
    name.toLowerCase() === 'etag' &&
    interaction.response.status === 304 &&
    interaction.request.headers.get('if-none-match')?.join(', ') === text
  );
}

function describeHeader({ parameter: { schema } }: HeaderRule): string {
  if (!isObject(schema)) return 'anything';
  const { pattern, enum: listed, const: constant } = schema;
  if (typeof pattern === 'string') return `a string that matches ${pattern}`;
  if (constant !== undefined) return JSON.stringify(constant);
  return Array.isArray(listed)
    ? `one of ${listed.map((each) => JSON.stringify(each)).join(', ')}`
    : typesOf(schema).join(' or ') || 'anything';
}
