/** Keywords of values as such: `type`, `const`, `enum` (JSON Schema validation §6.1), and `format` (§7), which is of texts or of numbers. */

import { checksNumber, checksText } from '../../core/format.ts';
import type { Json } from '../../core/json.ts';
import { textOf, typesOf, valuesOf } from '../schema/keyword.ts';
import type { Site } from '../schema/site.ts';
import { type Alternative, allTypes, everything, knowing, only, type TypeName, typeBits } from './facts.ts';
import type { Keyword } from './keyword.ts';

/** `type`, with OpenAPI 3.0's `nullable` beside it, which validators still read. */
export const type: Keyword = {
  names: ['type'],
  facts: (site) => {
    const names = typesOf(site) ?? [];
    const types = names.reduce((bits, name) => bits | bitOf(name), 0);
    return knowing({ types, ...(isWhole(names) ? { number: { integer: true } } : {}) });
  },
  breaches: (site) => {
    const names = typesOf(site) ?? [];
    const rest = allTypes & ~names.reduce((bits, name) => bits | bitOf(name), 0);
    const change = `is not of type ${names.join(' or ')}`;
    const broken = { keyword: 'type', change };
    return [
      ...(rest === 0 ? [] : [{ ...broken, alternative: knowing({ types: rest }) }]),
      ...(isWhole(names) ? [{ ...broken, alternative: only('number', { number: { fractional: true } }) }] : []),
    ];
  },
};

/** `const`. */
export const constant: Keyword = {
  names: ['const'],
  facts: (site) => knowing({ values: [site.keywords['const'] ?? null] }),
  breaches: (site) => {
    const value = site.keywords['const'] ?? null;
    return [{ keyword: 'const', change: `is not ${JSON.stringify(value)}`, alternative: knowing({ except: [value] }) }];
  },
};

/** `enum`. */
export const enumeration: Keyword = {
  names: ['enum'],
  facts: (site) => knowing({ values: listed(site) }),
  breaches: (site) => [{ keyword: 'enum', change: 'is none of the listed values', alternative: knowing({ except: listed(site) }) }],
};

/** `format`, where it is one that is checked. */
export const format: Keyword = {
  names: ['format'],
  facts: (site) => {
    const name = textOf(site, 'format') ?? '';
    if (checksText(name) !== undefined) return knowing({ text: { formats: [name] } });
    return checksNumber(name) === undefined ? everything : knowing({ number: { formats: [name] } });
  },
  breaches: (site) => {
    const name = textOf(site, 'format') ?? '';
    return formatBreaches(name).map((alternative) => ({ keyword: 'format', change: `is not of format ${name}`, alternative }));
  },
};

function formatBreaches(name: string): readonly Alternative[] {
  if (checksText(name) !== undefined) return [only('string', { text: { notFormats: [name] } })];
  // Every JSON number is a float and a double, so only the whole ones can be failed.
  const isOfWholes = checksNumber(name)?.(0.5) === false;
  return isOfWholes ? [only('number', { number: { notFormats: [name] } })] : [];
}

function bitOf(name: string): number {
  return name === 'integer' ? typeBits.number : typeBits[name as TypeName];
}

/** Whether numbers must be whole: `integer` is there and `number` is not. */
function isWhole(names: readonly string[]): boolean {
  return names.includes('integer') && !names.includes('number');
}

function listed(site: Site): readonly Json[] {
  return valuesOf(site, 'enum') ?? [];
}

/** The keywords of this file. */
export const valueKeywords: readonly Keyword[] = [type, constant, enumeration, format];
