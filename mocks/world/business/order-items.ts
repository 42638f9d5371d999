/** What was ordered: the lines of an order with what was chosen for each, and the sums. */

import type { JsonObject } from '../../../core/json.ts';
import type { Chance } from '../chance.ts';
import type { AddOn, Product, Variant } from './card.ts';
import type { Setting } from './traffic.ts';

/** The parts of an order that depend on what was ordered. */
export interface OrderContent {
  readonly items: readonly JsonObject[];
  readonly modifiers: readonly JsonObject[];
  readonly optionGroups: readonly JsonObject[];
  readonly totals: JsonObject;
}

interface Line {
  readonly id: number;
  readonly product: Product;
  readonly variant: Variant | undefined;
  readonly addOns: readonly AddOn[];
  readonly quantity: number;
}

/** Fills an order. The subtotal is the sum of the lines, and the total is the subtotal less the discount. */
export function makeOrderContent({ business }: Setting, orderId: number, chance: Chance): OrderContent {
  const lines = chooseLines(business.card.products, orderId, chance);
  const subtotal = lines.reduce((sum, line) => sum + lineCents(line), 0);
  const discount = Math.floor((subtotal * chance.pick('discount', [0, 0, 0, 0, 0, 0, 5, 10, 15])) / 100);
  return {
    items: lines.map(showItem),
    modifiers: showModifiers(lines),
    optionGroups: showOptionGroups(lines),
    totals: { subtotal: money(subtotal), discount: money(discount), total: money(subtotal - discount), currency: business.currency },
  };
}

function chooseLines(products: readonly Product[], orderId: number, chance: Chance): readonly Line[] {
  const count = Math.min(products.length, chance.pick('lines', [1, 1, 2, 2, 3, 3, 4, 5, 7]));
  const first = chance.range('first product', 0, products.length - 1);
  const lines: Line[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = chance.of('line', index);
    // Each line comes from a stretch of the card of its own, so no product comes twice.
    const stretch = Math.floor(products.length / count);
    const place = (first + index * stretch + own.range('product', 0, stretch - 1)) % products.length;
    lines.push(chooseLine(products[place] as Product, orderId * 10 + index + 1, own));
  }
  return lines;
}

function chooseLine(product: Product, id: number, chance: Chance): Line {
  const variant = product.variants.length === 0 ? undefined : chance.pick('variant', product.variants);
  const addOns = product.addOns.filter((addOn) => chance.happens(addOn.id, 35));
  return { id, product, variant, addOns, quantity: chance.pick('quantity', [1, 1, 1, 1, 2, 2, 3, 4]) };
}

function showItem(line: Line): JsonObject {
  return {
    id: line.id,
    product_id: line.product.id,
    variant_id: line.variant?.id ?? null,
    name: line.product.name,
    quantity: line.quantity,
    unit_price: money(line.variant?.cents ?? line.product.cents),
    modifiers_price: money(addOnCents(line)),
    total: money(lineCents(line)),
  };
}

function showModifiers(lines: readonly Line[]): readonly JsonObject[] {
  const shown: JsonObject[] = [];
  for (const { id, addOns } of lines)
    for (const addOn of addOns) shown.push({ item_id: id, add_on_id: addOn.id, name: addOn.name, price: money(addOn.cents) });
  return shown;
}

function showOptionGroups(lines: readonly Line[]): readonly JsonObject[] {
  const shown: JsonObject[] = [];
  for (const { id, product, variant } of lines) {
    if (variant === undefined) continue;
    const options = [{ variant_id: variant.id, name: variant.name, price: money(variant.cents) }];
    shown.push({ item_id: id, name: product.choice ?? '', options });
  }
  return shown;
}

function lineCents(line: Line): number {
  return line.quantity * ((line.variant?.cents ?? line.product.cents) + addOnCents(line));
}

function addOnCents({ addOns }: Line): number {
  return addOns.reduce((sum, addOn) => sum + addOn.cents, 0);
}

/** Dividing whole cents by a hundred gives the nearest number, which prints with at most two decimals. */
function money(cents: number): number {
  return cents / 100;
}
