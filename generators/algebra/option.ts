/** Options: one type of one form, and what can be told of it without looking at its parts. */

import type { Json } from '../../core/json.ts';
import { openNumber } from '../number/number.ts';
import { recall } from '../recall.ts';
import { canonical } from '../schema/equality.ts';
import type { Opened } from '../source/source.ts';
import { openText } from '../text/text-source.ts';
import { type Alternative, bitOfValue, type TypeName, typeBits } from './facts.ts';

/** The numbers of a form. */
export function numbersOf(form: Alternative): Opened<number> {
  return recall(numbers, form, () => openNumber({ ...form.number, except: form.except.filter((value) => typeof value === 'number') }));
}

/** The texts of a form. Forms that say the same of texts share them. */
export function textsOf(form: Alternative): Opened<string> {
  return recall(texts, form, openShared);
}

const numbers = new WeakMap<Alternative, Opened<number>>();
const texts = new WeakMap<Alternative, Opened<string>>();
const shared = new Map<string, Opened<string>>();
/** Enough for the texts of a large contract; a longer life would only hold on to patterns that nobody asks for again. */
const sharedLimit = 2000;

function openShared(form: Alternative): Opened<string> {
  const except = form.except.filter((value) => typeof value === 'string');
  const key = JSON.stringify([form.text, String(form.text.maxLength), except]);
  if (shared.size >= sharedLimit) shared.clear();
  return recall(shared, key, () => openText({ ...form.text, except: new Set(except) }));
}

/** One type of one form: what a source can be built for. */
export interface Option {
  readonly form: Alternative;
  /** `values` where the form lists its values. */
  readonly kind: TypeName | 'values';
  /** How deep the lowest instance nests; 0 for scalars. */
  readonly height: number;
}

/** The kinds of instances that a form has. */
export function kindsOf(form: Alternative): readonly Option['kind'][] {
  if (form.values !== undefined) return ['values'];
  return (Object.keys(typeBits) as TypeName[]).filter((name) => (form.types & typeBits[name]) !== 0 && !isUsedUp(form, name));
}

/** The values of a kind, where they are listed. */
export function valuesOfKind(form: Alternative, kind: Option['kind']): readonly Json[] | undefined {
  if (kind === 'values') return form.values;
  if (kind === 'null') return [null];
  return kind === 'boolean' ? [false, true] : undefined;
}

/** How many values of a kind a form has at most; infinite when they are not few. */
export function sizeOf(form: Alternative, kind: Option['kind']): number {
  if (kind === 'values') return form.values?.length ?? 0;
  if (kind === 'null') return 1;
  if (kind === 'boolean') return 2;
  const scalars = kind === 'number' ? numbersOf(form) : kind === 'string' ? textsOf(form) : undefined;
  return scalars?.kind === 'source' ? scalars.source.size : Infinity;
}

/** Whether the values that a form excludes are all that there are of a type. */
function isUsedUp({ except }: Alternative, name: TypeName): boolean {
  if (name === 'null') return except.includes(null);
  return name === 'boolean' && except.includes(true) && except.includes(false);
}

/** Whether some number, or some text, is as a form says. What cannot be generated counts as possible: it is refused when it is asked for. */
export function isOpen(form: Alternative, kind: 'number' | 'string'): boolean {
  return (kind === 'number' ? numbersOf(form) : textsOf(form)).kind !== 'empty';
}

/** Kinds in the order in which a person would try them. Listed values take the place of the first of them. */
export function simplicity({ form, kind }: Option): number {
  return kind === 'values' ? bitOfValue(form.values?.[0] ?? null) : typeBits[kind];
}

/** The forms with all listed values in one of them, each value once: they are all of one kind, and their order tells which is simpler. */
export function joinValues(forms: readonly Alternative[]): readonly Alternative[] {
  // The longest list has the others in it, in the order in which the schema has them.
  const listed = forms.filter((form) => form.values !== undefined);
  const [first, ...others] = listed.toSorted((left, right) => (right.values?.length ?? 0) - (left.values?.length ?? 0));
  if (first === undefined || others.length === 0) return forms;
  const values = new Map([first, ...others].flatMap((form) => (form.values ?? []).map((value) => [canonical(value), value] as const)));
  return [...forms.filter((form) => form.values === undefined), { ...first, values: [...values.values()] }];
}

/** How deep a value nests. */
export function heightOfValue(value: Json): number {
  return typeof value !== 'object' || value === null
    ? 0
    : 1 + Math.max(-1, ...Object.values(value).map((part: Json) => heightOfValue(part)));
}
