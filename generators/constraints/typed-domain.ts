/** The JSON types of a domain with the size and order of each, and the generators of its numbers and texts. Items and members are not examined. */

import { isNumber, type JsonNumber, printJson } from '../../core/json.ts';
import { canonicalText } from '../../core/json-equality.ts';
import { getOrCompute } from '../../core/memo.ts';
import { numberGenerator } from '../number/number-generator.ts';
import type { ScalarResult } from '../sources/scalar-generator.ts';
import { textGenerator } from '../text/text-generator.ts';
import { bitOfValue, type Domain, type TypeName, typeBits } from './instance-domain.ts';

/** The generator of the numbers of a domain, created once. */
export function numbersOf(domain: Domain): ScalarResult<JsonNumber> {
  return getOrCompute(numbers, domain, () => numberGenerator({ ...domain.number, excluded: domain.excluded.filter(isNumber) }));
}

/** The texts of a domain. Domains with equal text parts share a generator. */
export function textsOf(domain: Domain): ScalarResult<string> {
  return getOrCompute(texts, domain, sharedTextGenerator);
}

const numbers = new WeakMap<Domain, ScalarResult<JsonNumber>>();
const texts = new WeakMap<Domain, ScalarResult<string>>();
const sharedTexts = new Map<string, ScalarResult<string>>();
/** Limit of the cache, enough for a large contract. */
const maxSharedTexts = 2000;

function sharedTextGenerator(domain: Domain): ScalarResult<string> {
  const excluded = domain.excluded.filter((value) => typeof value === 'string');
  const key = printJson([domain.text, String(domain.text.maxLength), excluded]);
  if (sharedTexts.size >= maxSharedTexts) sharedTexts.clear();
  return getOrCompute(sharedTexts, key, () => textGenerator({ ...domain.text, excluded: new Set(excluded) }));
}

/** One type of one domain. A source is built for each. */
export interface TypedDomain {
  readonly domain: Domain;
  /** `values` when the domain lists its values. */
  readonly kind: TypeName | 'values';
  /** Nesting depth of the shallowest instance; 0 for scalars. */
  readonly minDepth: number;
}

/** The kinds of instances of a domain: its types, or only its listed values. */
export function splitDomain(domain: Domain): readonly TypedDomain['kind'][] {
  if (domain.values !== undefined) return ['values'];
  return (Object.keys(typeBits) as TypeName[]).filter((name) => (domain.types & typeBits[name]) !== 0 && !isExhausted(domain, name));
}

/** Upper bound of the number of values; `Infinity` if it is large or unknown. */
export function sizeOf(domain: Domain, kind: TypedDomain['kind']): number {
  if (kind === 'values') return domain.values?.length ?? 0;
  if (kind === 'null') return 1;
  if (kind === 'boolean') return 2;
  const scalars = kind === 'number' ? numbersOf(domain) : kind === 'string' ? textsOf(domain) : undefined;
  return scalars?.kind === 'generator' ? scalars.generator.size : Infinity;
}

/** True when the excluded values are all values of a type. */
function isExhausted({ excluded }: Domain, name: TypeName): boolean {
  if (name === 'null') return excluded.includes(null);
  return name === 'boolean' && excluded.includes(true) && excluded.includes(false);
}

/** True when a number or text exists. One that cannot be generated counts as existing: it is reported when it is requested. */
export function isSatisfiable(domain: Domain, kind: 'number' | 'string'): boolean {
  return (kind === 'number' ? numbersOf(domain) : textsOf(domain)).kind !== 'empty';
}

/** Sort key of kinds: simple types first. Listed values are sorted by their first value. */
export function simplicity({ domain, kind }: TypedDomain): number {
  return kind === 'values' ? bitOfValue(domain.values?.[0] ?? null) : typeBits[kind];
}

/** The domains with all listed values merged into one, each value once and in the order of the schema. */
export function mergeListedValues(domains: readonly Domain[]): readonly Domain[] {
  // The longest list contains the others, in schema order.
  const listedDomains = domains.filter((domain) => domain.values !== undefined);
  const [first, ...others] = listedDomains.toSorted((left, right) => (right.values?.length ?? 0) - (left.values?.length ?? 0));
  if (first === undefined || others.length === 0) return domains;
  const values = new Map(
    [first, ...others].flatMap((domain) => (domain.values ?? []).map((value) => [canonicalText(value), value] as const)),
  );
  return [...domains.filter((domain) => domain.values === undefined), { ...first, values: [...values.values()] }];
}
