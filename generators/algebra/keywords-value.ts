/** Keywords of values as such: `type`, `const`, `enum` (JSON Schema validation §6.1), and `format` (§7), which is of texts or of numbers. */

import { checksNumber, checksText } from '../../core/format.ts';
import type { Json } from '../../core/json.ts';
import type { Site } from '../schema/site.ts';
import { type Alternative, allTypes, everything, knowing, only, type TypeName, typeBits } from './facts.ts';
import { type Keyword, stringOf } from './keyword.ts';

/** `type`, with OpenAPI 3.0's `nullable` beside it, which validators still read. */
export const type: Keyword = {
  names: ['type'],
  facts: (site) => {
    const names = typeNames(site);
    const types = names.reduce((bits, name) => bits | bitOf(site, name), 0);
    return knowing({ types, ...(isWhole(names) ? { number: { integer: true } } : {}) });
  },
  breaches: (site) => {
    const names = typeNames(site);
    const rest = allTypes & ~names.reduce((bits, name) => bits | bitOf(site, name), 0);
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
    const name = stringOf(site, 'format');
    if (checksText(name) !== undefined) return knowing({ text: { formats: [name] } });
    return checksNumber(name) === undefined ? everything : knowing({ number: { formats: [name] } });
  },
  breaches: (site) => {
    const name = stringOf(site, 'format');
    return formatBreaches(name).map((alternative) => ({ keyword: 'format', change: `is not of format ${name}`, alternative }));
  },
};

function formatBreaches(name: string): readonly Alternative[] {
  if (checksText(name) !== undefined) return [only('string', { text: { notFormats: [name] } })];
  // Every JSON number is a float and a double, so only the whole ones can be failed.
  const isOfWholes = checksNumber(name)?.(0.5) === false;
  return isOfWholes ? [only('number', { number: { notFormats: [name] } })] : [];
}

function typeNames(site: Site): readonly string[] {
  const value = site.keywords['type'];
  const names = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const nullable = site.keywords['nullable'] === true && !names.includes('null') ? ['null'] : [];
  return [...names, ...nullable].map((name) => {
    if (typeof name === 'string') return name;
    throw site.unsupported('type', `${JSON.stringify(value)} is neither the name of a type nor a list of such names`);
  });
}

function bitOf(site: Site, name: string): number {
  if (name === 'integer') return typeBits.number;
  if (Object.hasOwn(typeBits, name)) return typeBits[name as TypeName];
  throw site.unsupported('type', `${name} is no type; the types are integer, ${Object.keys(typeBits).join(', ')}`);
}

/** Whether numbers must be whole: `integer` is there and `number` is not. */
function isWhole(names: readonly string[]): boolean {
  return names.includes('integer') && !names.includes('number');
}

function listed(site: Site): readonly Json[] {
  const value = site.keywords['enum'];
  if (Array.isArray(value)) return value as readonly Json[];
  throw site.unsupported('enum', 'its value must be a list');
}

/** The keywords of this file. */
export const valueKeywords: readonly Keyword[] = [type, constant, enumeration, format];
