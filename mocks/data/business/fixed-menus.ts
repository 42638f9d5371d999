/**
 * Menus of the businesses, with prices in cents, so that sums are exact. When it is loaded, `businesses.ts` assigns one to each business. `business-dataset.ts`
 * shows a menu when a request reads it, and `make-order.ts` chooses products from a menu for each order. Both take the types of this file; texts of guests are
 * in `names-and-wishes.ts`.
 */

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

/** A dish or a drink. */
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

/** Short form of a product, for the lists below. */
type Dish = readonly [name: string, cents: number, ingredients: string, allergens: string, options?: Options];

/** Options of a dish. */
interface Options {
  /** Variants with their additional price in cents. */
  readonly variants?: Readonly<Record<string, number>>;
  readonly choice?: string;
  readonly addOns?: Readonly<Record<string, number>>;
}

/** Creates a menu. All ids on it derive from its own. */
function makeMenu(id: number, name: string, language: string, sections: Readonly<Record<string, readonly Dish[]>>): Menu {
  const numberedSections = Object.entries(sections).map(([sectionName, dishes], index): MenuSection => {
    const sectionId = id * 100 + index + 1;
    return { id: sectionId, name: sectionName, products: dishes.map((dish, place) => makeProduct(sectionId * 100 + place + 1, dish)) };
  });
  return { id, name, language, sections: numberedSections, products: numberedSections.flatMap((section) => section.products) };
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

/** Menu of the kiosk, which is not published. */
export const kioskMenu: Menu = makeMenu(9, 'Counter', 'en', {
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

const portion: Options = { choice: 'Porzione', variants: { Intera: 0, Mezza: -350 } };
const cooking: Options = { choice: 'Cottura', variants: { 'Al sangue': 0, Media: 0, 'Ben cotta': 0 } };
const pasta: Options = { ...portion, addOns: { Parmigiano: 0, 'Pasta senza glutine': 150, 'Olio al tartufo': 250 } };
const coffee: Options = { choice: 'Tipo', variants: { Normale: 0, Macchiato: 20, Decaffeinato: 20 } };
const wine: Options = { choice: 'Formato', variants: { Calice: 0, 'Mezzo litro': 550, Bottiglia: 1350 } };
const water: Options = { choice: 'Gas', variants: { Naturale: 0, Frizzante: 0 } };

/** Menu of the trattoria. */
export const italianMenu: Menu = makeMenu(3, 'Menù della trattoria', 'it', {
  Antipasti: [
    ['Crostini di fegatini', 750, 'pane toscano, fegatini di pollo, capperi, acciughe', 'glutine, pesce'],
    [
      'Tagliere del Glicine',
      1600,
      'prosciutto, finocchiona, pecorino, miele',
      'latte',
      { choice: 'Formato', variants: { 'Per uno': 0, 'Per due': 1100 } },
    ],
    ['Carciofi alla brace', 900, 'carciofi, olio, mentuccia', ''],
    ['Sformatino di zucca', 850, 'zucca, uova, pecorino', 'uova, latte'],
    ['Baccalà mantecato', 1100, 'baccalà, latte, polenta', 'pesce, latte'],
    ['Panzanella', 700, 'pane raffermo, pomodoro, cipolla, basilico', 'glutine', { addOns: { Tonno: 250, Burrata: 350 } }],
  ],
  Primi: [
    ['Tagliatelle al ragù', 1250, "tagliatelle all'uovo, ragù di manzo", 'glutine, uova, sedano', pasta],
    ['Pici cacio e pepe', 1150, 'pici, pecorino romano, pepe', 'glutine, latte', pasta],
    ['Ribollita', 950, 'cavolo nero, fagioli, pane', 'glutine, sedano'],
    ['Ravioli di ricotta e ortiche', 1300, 'sfoglia, ricotta, ortiche, burro', 'glutine, uova, latte', pasta],
    ['Risotto allo zafferano', 1400, 'riso Carnaroli, zafferano, midollo', 'latte', portion],
    ['Spaghetti alle vongole', 1550, 'spaghetti, vongole, prezzemolo', 'glutine, molluschi', portion],
    ['Gnocchi al pesto di noci', 1200, 'patate, noci, basilico', 'glutine, frutta a guscio, latte', pasta],
  ],
  Secondi: [
    ['Tagliata di manzo', 2150, 'controfiletto, rucola, grana', 'latte', cooking],
    ['Bistecca alla fiorentina', 5490, 'lombata con osso, sale grosso', '', cooking],
    ['Peposo', 1650, 'manzo, vino rosso, pepe nero', ''],
    ['Pollo alla diavola', 1450, 'pollo, peperoncino, limone', '', { addOns: { 'Salsa piccante': 50 } }],
    ['Seppie in zimino', 1750, 'seppie, bietole, pomodoro', 'molluschi'],
    ['Melanzane alla parmigiana', 1290, 'melanzane, mozzarella, pomodoro', 'latte'],
  ],
  Contorni: [
    ['Fagioli all’uccelletto', 550, 'cannellini, salvia, pomodoro', ''],
    ['Patate arrosto', 500, 'patate, rosmarino', '', { addOns: { Maionese: 50, Ketchup: 50 } }],
    ['Cicoria ripassata', 550, 'cicoria, aglio, peperoncino', ''],
    ['Insalata mista', 450, 'lattuga, radicchio, carote', '', { addOns: { 'Aceto balsamico': 0 } }],
  ],
  Pizze: [
    ['Margherita', 750, 'pomodoro, fior di latte, basilico', 'glutine, latte', { addOns: { Bufala: 250, 'Impasto integrale': 100 } }],
    ['Marinara', 600, 'pomodoro, aglio, origano', 'glutine', { addOns: { Acciughe: 150 } }],
    ['Capricciosa', 980, 'prosciutto, funghi, carciofi, olive', 'glutine, latte', { addOns: { Uovo: 100 } }],
    ['Perché no?', 1099, 'stracciatella, mortadella, pistacchi', 'glutine, latte, frutta a guscio'],
  ],
  Dolci: [
    ['Tiramisù', 600, 'mascarpone, savoiardi, caffè', 'glutine, uova, latte'],
    ['Cantucci e vin santo', 700, 'cantucci alle mandorle, vin santo', 'glutine, uova, frutta a guscio, solfiti'],
    ['Torta della nonna', 595, 'crema, pinoli, frolla', 'glutine, uova, latte, frutta a guscio'],
    ['Sorbetto al limone', 450, 'limone, zucchero', '', { addOns: { Vodka: 200 } }],
  ],
  Bevande: [
    ['Acqua', 250, 'acqua', '', water],
    ['Chianti della casa', 550, 'vino rosso', 'solfiti', wine],
    ['Vernaccia', 650, 'vino bianco', 'solfiti', wine],
    ['Birra artigianale', 580, 'acqua, malto d’orzo, luppolo', 'glutine', { choice: 'Misura', variants: { Piccola: 0, Media: 190 } }],
    ['Chinotto', 350, 'acqua, chinotto', ''],
    ['Caffè', 150, 'caffè', '', coffee],
  ],
});

const doneness: Options = { choice: 'Punto', variants: { Jugoso: 0, 'A punto': 0, Cocido: 0 } };
const sauces: Options = { addOns: { Chimichurri: 0, 'Salsa criolla': 0, Provoleta: 420000 } };

/** Menu of the grill. */
export const argentineMenu: Menu = makeMenu(7, 'Carta de la parrilla', 'es', {
  Entradas: [
    [
      'Empanada de carne',
      280000,
      'carne cortada a cuchillo, cebolla, comino',
      'gluten, huevo',
      { choice: 'Cocción', variants: { 'Al horno': 0, Frita: 20000 } },
    ],
    ['Provoleta', 890000, 'queso provolone, orégano', 'leche'],
    ['Morcilla', 450000, 'morcilla criolla', ''],
  ],
  Parrilla: [
    ['Asado de tira', 2190000, 'costilla de novillo', '', { ...doneness, ...sauces }],
    ['Bife de chorizo', 2650050, 'bife de novillo', '', { ...doneness, ...sauces }],
    ['Vacío', 2380000, 'vacío de novillo', '', { ...doneness, ...sauces }],
    ['Pollo a la leña', 1490000, 'medio pollo, limón', '', sauces],
  ],
  Guarniciones: [
    ['Papas fritas', 620000, 'papas', '', { addOns: { 'A la provenzal': 90000 } }],
    ['Ensalada de rúcula', 590000, 'rúcula, parmesano', 'leche'],
  ],
  Postres: [
    ['Flan con dulce de leche', 540000, 'huevo, leche, dulce de leche', 'huevo, leche'],
    ['Queso y membrillo', 480000, 'queso fresco, membrillo', 'leche'],
  ],
  Bebidas: [
    ['Agua', 230000, 'agua', '', { choice: 'Gas', variants: { 'Sin gas': 0, 'Con gas': 0 } }],
    ['Malbec', 780000, 'vino tinto', 'sulfitos', { choice: 'Medida', variants: { Copa: 0, Botella: 1650000 } }],
    ['Pomelo', 260000, 'agua, pomelo', ''],
  ],
});
