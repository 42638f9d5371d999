/** The menus of the businesses and the words of their languages, read from a file of the package when this module is loaded. Chooses nothing. */

import { readDatasetFile } from '../../../core/shipped-files.ts';

/** The words of one language. */
export interface LanguageWords {
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  /** Requests of guests when they book; plain text, as people type it. */
  readonly wishes: readonly string[];
  /** Word before the number of a table. */
  readonly table: string;
  /** Name of the takeaway counter. */
  readonly counter: string;
}

/** A product in another size or preparation, with its price. */
export interface Variant {
  readonly id: number;
  readonly name: string;
  readonly cents: number;
}

/** Extra for a product, with its additional price. */
export interface AddOn {
  readonly id: number;
  readonly name: string;
  readonly cents: number;
}

/** A dish or a drink. Prices are in cents, so that sums are exact. */
export interface Product {
  readonly id: number;
  readonly name: string;
  readonly cents: number;
  /** Name of the attribute in which variants differ, such as the size. The first variant is the default. */
  readonly choice: string | undefined;
  readonly variants: readonly Variant[];
  readonly addOns: readonly AddOn[];
  readonly allergens: readonly string[];
  readonly ingredients: readonly string[];
}

/** A section of a menu. */
export interface MenuSection {
  readonly id: number;
  readonly name: string;
  readonly products: readonly Product[];
}

/** A menu. */
export interface Menu {
  readonly id: number;
  readonly name: string;
  readonly language: string;
  readonly sections: readonly MenuSection[];
  /** The products of all sections. */
  readonly products: readonly Product[];
}

/** A product in the file, where only menus have ids. */
interface WrittenProduct extends Pick<Product, 'name' | 'cents' | 'allergens' | 'ingredients'> {
  readonly choice?: string;
  readonly variants?: readonly Omit<Variant, 'id'>[];
  readonly addOns?: readonly Omit<AddOn, 'id'>[];
}

/** A menu in the file. */
interface WrittenMenu extends Pick<Menu, 'id' | 'name' | 'language'> {
  readonly sections: readonly { readonly name: string; readonly products: readonly WrittenProduct[] }[];
}

/** The file. */
interface BusinessFile {
  readonly languages: Readonly<Record<'italian' | 'spanish' | 'english', LanguageWords>>;
  readonly menus: Readonly<Record<'italian' | 'argentine' | 'kiosk', WrittenMenu>>;
}

const file = readDatasetFile('business') as BusinessFile;

/** The words of each language. */
export const languages: BusinessFile['languages'] = file.languages;

/** The menus. */
export const menus: Readonly<Record<keyof BusinessFile['menus'], Menu>> = {
  /** Menu of the trattoria. */
  italian: numberMenu(file.menus.italian),
  /** Menu of the grill. */
  argentine: numberMenu(file.menus.argentine),
  /** Menu of the kiosk, which is not published. */
  kiosk: numberMenu(file.menus.kiosk),
};

/** Gives ids to the sections and products of a menu. All derive from its own. */
function numberMenu({ id, name, language, sections }: WrittenMenu): Menu {
  const numberedSections = sections.map((section, index): MenuSection => {
    const sectionId = id * 100 + index + 1;
    return {
      id: sectionId,
      name: section.name,
      products: section.products.map((product, place) => numberProduct(sectionId * 100 + place + 1, product)),
    };
  });
  return { id, name, language, sections: numberedSections, products: numberedSections.flatMap(({ products }) => products) };
}

function numberProduct(id: number, { name, cents, choice, variants = [], addOns = [], allergens, ingredients }: WrittenProduct): Product {
  return {
    id,
    name,
    cents,
    choice,
    variants: variants.map((variant, index) => ({ id: id * 100 + index + 1, ...variant })),
    addOns: addOns.map((addOn, index) => ({ id: id * 100 + index + 51, ...addOn })),
    allergens,
    ingredients,
  };
}
