/** The card of the Argentine grill. */

import { type Card, makeCard, type Options } from './card.ts';

const doneness: Options = { choice: 'Punto', variants: { Jugoso: 0, 'A punto': 0, Cocido: 0 } };
const sauces: Options = { addOns: { Chimichurri: 0, 'Salsa criolla': 0, Provoleta: 420000 } };

/** The grill's card. */
export const argentineCard: Card = makeCard(7, 'Carta de la parrilla', 'es', {
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
