/** Checks the response headers that a pact expects: the contract must document and require each, and allow no other values. */

import { matchesType, mediaParameterOf } from '../../../core/http/media-type.ts';
import { arrayOrEmpty, isObject, type Json } from '../../../core/json.ts';
import { type HeaderRule, type ResponseRule, responseFor } from '../../../core/openapi/operation.ts';
import { mergedKeywords, type Schema, typesOf } from '../../../core/openapi/schema-facts.ts';
import type { MatchingRule } from '../../../core/pact/pact.ts';
import type { PactFinding, PactRemark } from '../../../core/results/pact-check-result.ts';
import { isAccepted } from './check-request.ts';
import { createFinding, type FindingMessage, headerKeys, notCompared } from './create-finding.ts';
import { describeAllowed } from './explain-body-finding.ts';
import { type CheckContext, nothingChecked, type PartCheck } from './interaction-context.ts';
import { judgeAcceptance } from './judge-accepted-values.ts';
import { type Acceptance, acceptanceOf, isAcceptedBy } from './pact-matchers.ts';

/** Checks every expected header. */
export function checkExpectedHeaders(context: CheckContext): PartCheck {
  const { interaction, operation } = context;
  const { headers, matching, status } = interaction.response;
  const rule = responseFor(operation, status);
  if (rule === undefined) return nothingChecked;
  const checked = [...headers].map(([name, values]): HeaderJudgement => {
    const expected: ExpectedHeader = { name, values, matcher: matching.headers.get(name) ?? matching.headers.get('*') };
    if (name === 'content-type') return checkContentType(context, rule, expected);
    const header = rule.headers.find((each) => each.name.toLowerCase() === name);
    return header === undefined ? { finding: undocumentedHeader(context, rule, name) } : checkHeader(context, header, expected);
  });
  return {
    findings: checked.flatMap(({ finding }) => finding ?? []),
    remarks: checked.flatMap(({ remark }) => remark ?? []),
    count: headers.size,
  };
}

interface ExpectedHeader {
  /** In lower case. */
  readonly name: string;
  readonly values: readonly string[];
  readonly matcher: MatchingRule | undefined;
}

/** What is wrong with a header, or why it was not compared. */
interface HeaderJudgement {
  readonly finding?: PactFinding;
  readonly remark?: PactRemark;
}

function unjudged(context: CheckContext, name: string, reason: string): HeaderJudgement {
  const keys = headerKeys(context, 'response', name);
  return { remark: notCompared(context, keys, `the header ${keys.at(-1)}`, reason) };
}

/** Checks the media type of the example, or the documented types by its rule. */
function checkContentType(context: CheckContext, rule: ResponseRule, { values, matcher }: ExpectedHeader): HeaderJudgement {
  const { operation, interaction, inclusions } = context;
  const text = values.join(', ');
  const documented = [...rule.content.keys()];
  const acceptance = acceptanceOf(matcher, text, 'text');
  if (matcher !== undefined && acceptance.notCompared !== undefined) return unjudged(context, 'content-type', acceptance.notCompared);
  const isFit = (type: string): boolean =>
    matcher === undefined
      ? matchesType(type, text) && hasCharsetOf(type, text)
      : isAcceptedBy(acceptance, type.includes('*') ? text : type, inclusions.allows);
  const fitting = documented.filter(isFit);
  const others = documented.filter((type) => !fitting.includes(type) && isAccepted(context, type));
  if (fitting.length > 0 && others.length > 0)
    return unjudged(context, 'content-type', `the contract also documents ${others.join(', ')}, and the request accepts it`);
  if (fitting.length > 0 && matcher === undefined && text.includes(';') && !fitting.some((type) => type.includes(';')))
    return unjudged(context, 'content-type', `the contract does not say ${text.slice(text.indexOf(';') + 1).trim()}`);
  if (fitting.length > 0) return {};
  const { status, body } = interaction.response;
  if (documented.length === 0 && (body === null || body === ''))
    return unjudged(context, 'content-type', 'the contract documents no body, and no content type for an empty one');
  const says = documented.length === 0 ? 'documents no body' : `documents ${documented.join(', ')}`;
  const expected = matcher === undefined ? text : acceptance.description;
  const message: FindingMessage = [
    `the pact expects the content type ${expected}, but a ${status} from ${operation.id} ${says}`,
    'expect what is documented',
  ];
  const keys = headerKeys(context, 'response', 'content-type');
  return { finding: createFinding(context, keys, { id: 'response/content-type', grade: 'impossible', message, clause: rule.place }) };
}

/** False if a documented type states another charset. */
function hasCharsetOf(documented: string, field: string): boolean {
  const [stated, expected] = [mediaParameterOf(documented, 'charset'), mediaParameterOf(field, 'charset')];
  return stated === undefined || expected === undefined || stated.toLowerCase() === expected.toLowerCase();
}

function undocumentedHeader(context: CheckContext, rule: ResponseRule, name: string): PactFinding {
  const { operation, interaction } = context;
  const documented = rule.headers.map((each) => each.name);
  const documentedText = documented.length === 0 ? 'no headers' : `only ${documented.join(', ')}`;
  const message: FindingMessage = [
    `the pact expects the header ${headerKeys(context, 'response', name).at(-1) ?? name}, but the contract documents ${documentedText} for a ${interaction.response.status} from ${operation.id}`,
    'remove it, or add it to the contract',
  ];
  return createFinding(context, headerKeys(context, 'response', name), {
    id: 'response/header',
    grade: 'not-guaranteed',
    message,
    clause: rule.place,
  });
}

function checkHeader(context: CheckContext, header: HeaderRule, { values, matcher }: ExpectedHeader): HeaderJudgement {
  const { operation, inclusions, contract } = context;
  const { schema, place } = header.parameter;
  const keys = headerKeys(context, 'response', header.name);
  const name = keys.at(-1) ?? header.name;
  const text = values.join(', ');
  const says = describeAllowed([schema]) ?? 'anything';
  const createHeaderFinding = (grade: PactFinding['grade'], detail: FindingMessage): HeaderJudgement => {
    const asked = isObject(schema) ? schema['x-unspecified'] : undefined;
    const question = typeof asked === 'string' && grade === 'not-guaranteed' ? contract.questions.get(asked) : undefined;
    return { finding: createFinding(context, keys, { id: 'response/header', grade, message: detail, clause: place, question }) };
  };
  const texts = textsOf(context, header);
  if (context.hasExample && texts !== undefined && inclusions.separate([texts, { const: text }], false).kind === 'none')
    return createHeaderFinding('impossible', [`the header ${name} is never ${text}: the contract says ${says}`, 'correct the example']);
  if (!header.required)
    return createHeaderFinding('not-guaranteed', [
      `the header ${name} may be missing: ${operation.id} does not require it`,
      'remove it from the pact',
    ]);
  if (repeatsSentTag(context, header, text)) return {};
  const acceptance = matcher === undefined ? equalText(header.name, text) : acceptanceOf(matcher, text, 'text');
  if (acceptance.notCompared !== undefined) return unjudged(context, name, acceptance.notCompared);
  if (texts === undefined) return unjudged(context, name, 'its schema describes lists or objects');
  if (values.length > 1) return unjudged(context, name, 'Pact compares each line of a header, and a contract describes one');
  const named = isObject(texts) ? arrayOrEmpty(texts['enum']) : [];
  const judgement = judgeAcceptance(inclusions, [texts], acceptance, [], named);
  if (judgement.kind === 'guaranteed') return {};
  if (judgement.kind === 'open') return unjudged(context, name, judgement.reason);
  const message: FindingMessage = [
    `the header ${name} may be ${String(judgement.value)}, but the pact expects ${acceptance.description}`,
    `match what the contract says: ${says}`,
  ];
  return createHeaderFinding('not-guaranteed', message);
}

/** Accepts a text that is equal but for blanks around its commas, and in Accept for the case of charsets. */
function equalText(name: string, text: string): Acceptance {
  const plain = (each: string): string => {
    const withoutBlanks = each.trim().replaceAll(/\s*,\s*/g, ',');
    return /^accept$/i.test(name) ? withoutBlanks.replaceAll(/charset=[^;,]*/gi, (charset) => charset.toLowerCase()) : withoutBlanks;
  };
  return {
    schema: { const: text },
    accepts: (value) => typeof value === 'string' && plain(value) === plain(text),
    description: `exactly ${text}`,
  };
}

/** The schema of the texts of a header; `undefined` if a text may have other forms than that of one value. */
function textsOf({ operation }: CheckContext, { parameter: { schema } }: HeaderRule): Schema | undefined {
  const keywords = mergedKeywords(operation.document, schema);
  const listed = keywords['const'] === undefined ? keywords['enum'] : [keywords['const']];
  if (Array.isArray(listed)) return { enum: (listed as readonly Json[]).map(String) };
  const types = typesOf(keywords);
  if (types.every((type) => type === 'string')) return { allOf: [schema, { type: 'string' }] };
  if (types.length > 1) return undefined;
  const sign = Number(keywords['minimum'] ?? keywords['exclusiveMinimum'] ?? -1) >= 0 ? '' : '-?';
  if (types[0] === 'integer') return { type: 'string', pattern: `^${sign}(?:0|[1-9]\\d*)$` };
  if (types[0] === 'number') return { type: 'string', pattern: `^${sign}(?:0|[1-9]\\d*)(?:\\.\\d+)?$` };
  return types[0] === 'boolean' ? { enum: ['true', 'false'] } : undefined;
}

/** True for the ETag of a 304, which repeats the tag of the request. */
function repeatsSentTag({ interaction }: CheckContext, { name }: HeaderRule, text: string): boolean {
  return (
    name.toLowerCase() === 'etag' &&
    interaction.response.status === 304 &&
    interaction.request.headers.get('if-none-match')?.join(', ') === text
  );
}
