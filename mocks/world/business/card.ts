/** What a card of dishes is made of. Prices are in cents, since sums of money must come out exactly. */

/** A dish in another size or made in another way, at a price of its own. */
export interface Variant {
  readonly id: number;
  readonly name: string;
  readonly cents: number;
}

/** Something to be had with a dish for a little more, or for nothing. */
export interface AddOn {
  readonly id: number;
  readonly name: string;
  readonly cents: number;
}

/** A dish or a drink. */
export interface Product {
  readonly id: number;
  readonly name: string;
  readonly cents: number;
  /** What its variants differ in; the first variant is the dish as it stands on the card. */
  readonly choice: string | undefined;
  readonly variants: readonly Variant[];
  readonly addOns: readonly AddOn[];
  readonly allergens: readonly string[];
  readonly ingredients: readonly string[];
}

/** A part of a card. */
export interface Section {
  readonly id: number;
  readonly name: string;
  readonly products: readonly Product[];
}

/** A card. */
export interface Card {
  readonly id: number;
  readonly name: string;
  readonly language: string;
  readonly sections: readonly Section[];
  /** The products of all sections. */
  readonly products: readonly Product[];
}

/** A dish as it is written down below: name, cents, ingredients, allergens, what else there is to choose. */
export type Dish = readonly [name: string, cents: number, ingredients: string, allergens: string, options?: Options];

/** What there is to choose with a dish. */
export interface Options {
  /** Names with what they cost more than the dish itself. */
  readonly variants?: Readonly<Record<string, number>>;
  readonly choice?: string;
  readonly addOns?: Readonly<Record<string, number>>;
}

/** Makes a card; everything on it is numbered from the number of the card. */
export function makeCard(id: number, name: string, language: string, sections: Readonly<Record<string, readonly Dish[]>>): Card {
  const made = Object.entries(sections).map(([sectionName, dishes], index): Section => {
    const sectionId = id * 100 + index + 1;
    return { id: sectionId, name: sectionName, products: dishes.map((dish, place) => makeProduct(sectionId * 100 + place + 1, dish)) };
  });
  return { id, name, language, sections: made, products: made.flatMap((section) => section.products) };
}

function makeProduct(id: number, [name, cents, ingredients, allergens, options = {}]: Dish): Product {
  const number = (place: number): number => id * 100 + place;
  const variants = Object.entries(options.variants ?? {}).map(([variant, more], index) => ({
    id: number(index + 1),
    name: variant,
    cents: cents + more,
  }));
  const addOns = Object.entries(options.addOns ?? {}).map(([addOn, more], index) => ({ id: number(index + 51), name: addOn, cents: more }));
  return {
    id,
    name,
    cents,
    choice: options.choice,
    variants,
    addOns,
    allergens: splitList(allergens),
    ingredients: splitList(ingredients),
  };
}

function splitList(text: string): readonly string[] {
  return text === '' ? [] : text.split(', ');
}

/** The card of a kiosk that sells things without publishing a menu. */
export const kioskCard: Card = makeCard(9, 'Counter', 'en', {
  Hot: [
    ['Fish soup', 890, 'cod, leek, potato, cream', 'fish, milk, celery'],
    ['Toasted cheese sandwich', 650, 'sourdough, cheddar, chutney', 'gluten, milk', { addOns: { Ham: 150 } }],
  ],
  Cold: [['Cucumber roll', 480, 'soft roll, cucumber, dill', 'gluten']],
  Drinks: [
    ['Pot of tea', 320, 'tea', '', { choice: 'Tea', variants: { Breakfast: 0, Mint: 20 } }],
    ['Ginger beer', 375, 'ginger, sugar', ''],
  ],
});
