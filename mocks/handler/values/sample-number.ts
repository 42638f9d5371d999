import { ceilQuotient, floorQuotient, toDecimal, toNumber } from '../../../core/decimal.ts';
import { isNumber, type JsonNumber, type JsonObject } from '../../../core/json.ts';
import { prismSample } from '../prism/load-prism.ts';
import type { Draw } from './draw.ts';

/** A number within its bounds: Prism's, a 1 for an id, or a drawn one. */
export function sampleNumber(bounds: JsonObject, type: 'integer' | 'number', name: string, draw: Draw | undefined): JsonNumber {
  const { multipleOf } = bounds;
  const far = farNumber(bounds);
  if (far !== undefined) return far;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : type === 'integer' ? 1 : undefined;
  const [least, most] = [leastOf(bounds, step), mostOf(bounds, step)];
  const wanted = draw === undefined ? typicalNumber(bounds, name) : drawn(least, most, type === 'integer' || isIdentifier(name), draw);
  const inside = Math.min(most, Math.max(least, wanted));
  if (step === undefined) return inside;
  const count = Number((inside / step).toPrecision(12));
  const rounded = cleanProduct(Math.ceil(count), step);
  return rounded > most ? cleanProduct(Math.floor(count), step) : rounded;
}

/** A number at a bound that keeps it beyond 2^53; `undefined` if there is no such bound. */
function farNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf = 1 }: JsonObject): JsonNumber | undefined {
  const [low, high] = [minimum ?? exclusiveMinimum, maximum ?? exclusiveMaximum];
  const unit = toDecimal(isNumber(multipleOf) ? multipleOf : 1);
  const nth = (index: bigint): JsonNumber => toNumber({ digits: unit.digits * index, scale: unit.scale });
  if (typeof low === 'bigint' && low > 0) return nth(ceilQuotient(toDecimal(minimum === undefined ? low + 1n : low), unit));
  if (typeof high === 'bigint' && high < 0) return nth(floorQuotient(toDecimal(maximum === undefined ? high - 1n : high), unit));
  return undefined;
}

/** Identifiers are whole, even where the schema says `number`. */
function isIdentifier(name: string): boolean {
  return /^id$|(?:_id|Id|ID)$/.test(name);
}

function typicalNumber(bounds: JsonObject, name: string): number {
  if (isIdentifier(name)) return 1;
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = bounds;
  const known = Object.fromEntries(
    Object.entries({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }).filter(([, value]) => typeof value === 'number'),
  );
  return Number(prismSample()({ type: 'number', ...known }));
}

function drawn(least: number, most: number, isWhole: boolean, draw: Draw): number {
  const [from, to] = [Number.isFinite(least) ? least : Math.min(0, most - 100), Number.isFinite(most) ? most : Math.max(100, least + 100)];
  const whole = draw.whole(Math.ceil(from), Math.floor(to));
  return isWhole ? whole : whole + draw.whole(0, 99) / 100;
}

function leastOf({ minimum, exclusiveMinimum }: JsonObject, step = 0.01): number {
  const exclusive = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + step : Number.NEGATIVE_INFINITY;
  return Math.max(typeof minimum === 'number' ? minimum : Number.NEGATIVE_INFINITY, exclusive);
}

function mostOf({ maximum, exclusiveMaximum }: JsonObject, step = 0.01): number {
  const exclusive = typeof exclusiveMaximum === 'number' ? exclusiveMaximum - step : Number.POSITIVE_INFINITY;
  return Math.min(typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY, exclusive);
}

/** A multiple without the noise of binary fractions, such as 0.07 instead of 0.07000000000000001. */
function cleanProduct(count: number, step: number): number {
  return Number((count * step).toPrecision(15));
}
