/** The published menu of a business, and the manifest of its version. Both change only when the kitchen revises the card. */

import type { JsonObject } from '../../../core/json.ts';
import { day, formatDay, formatInstant, hour, minute } from '../calendar.ts';
import type { Chance } from '../chance.ts';
import type { Card, Product, Section } from './card.ts';
import type { Setting } from './traffic.ts';

/** A revision of the card: its number within the era, and when it took effect. */
interface Revision {
  readonly number: number;
  readonly at: number;
}

/** Twice a week, give or take. */
const revisionGap: number = 84 * hour;

/** The full menu at an instant. */
export function showMenu(setting: Setting, nowMs: number): JsonObject {
  const { business, chance } = setting;
  const { card } = business;
  const revision = revisionAt(setting, nowMs);
  return {
    ...showVersion(setting, revision),
    language: card.language,
    currency: business.currency,
    sections: card.sections.map((section, index) => showSection(section, index + 1, chance.of('revision', revision.number))),
    allergens: listAllergens(card).map((name, index) => ({ id: card.id * 100 + index + 1, name })),
  };
}

/** The manifest at an instant: enough to tell whether the full menu is worth reading. */
export function showManifest(setting: Setting, nowMs: number): JsonObject {
  const { sections, products } = setting.business.card;
  return {
    ...showVersion(setting, revisionAt(setting, nowMs)),
    counts: {
      sections: sections.length,
      products: products.length,
      variants: products.reduce((sum, product) => sum + product.variants.length, 0),
      add_ons: products.reduce((sum, product) => sum + product.addOns.length, 0),
      allergens: listAllergens(setting.business.card).length,
    },
  };
}

/** The last revision that took effect up to an instant. The first one opens the era. */
function revisionAt({ era, chance }: Setting, nowMs: number): Revision {
  const firstMs = era.firstDay * day;
  const instantOf = (number: number): number =>
    number <= 1 ? firstMs : firstMs + (number - 1) * revisionGap + chance.of('revised').range(number, 0, 2000) * minute;
  const latest = Math.floor((nowMs - firstMs) / revisionGap) + 1;
  const number = instantOf(latest) <= nowMs ? latest : latest - 1;
  return { number, at: instantOf(number) };
}

function showVersion({ business }: Setting, { number, at }: Revision): JsonObject {
  const date = formatDay(Math.floor((at + business.zone.offsetMinutes(at) * minute) / day));
  return {
    id: business.card.id,
    name: business.card.name,
    version: `${date}.${number}`,
    revision: number,
    updated_at: formatInstant(at, business.zone),
  };
}

function showSection({ id, name, products }: Section, position: number, chance: Chance): JsonObject {
  return { id, name, position, products: products.map((product) => showProduct(product, chance.of(product.id))) };
}

function showProduct(product: Product, chance: Chance): JsonObject {
  return {
    id: product.id,
    name: product.name,
    price: product.cents / 100,
    variants: product.variants.map(({ id, name, cents }) => ({ id, group: product.choice ?? null, name, price: cents / 100 })),
    add_ons: product.addOns.map(({ id, name, cents }) => ({ id, name, price: cents / 100 })),
    allergens: product.allergens,
    ingredients: product.ingredients,
    availability: showAvailability(chance),
  };
}

function showAvailability(chance: Chance): JsonObject {
  const services = chance.pick('services', [['lunch', 'dinner'], ['lunch', 'dinner'], ['lunch', 'dinner'], ['dinner'], ['lunch']]);
  return { available: !chance.happens('sold out', 8), services };
}

function listAllergens(card: Card): readonly string[] {
  return [...new Set(card.products.flatMap((product) => product.allergens))];
}
