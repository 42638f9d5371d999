/** The card of the Italian trattoria. */

import { type Card, makeCard, type Options } from './card.ts';

const portion: Options = { choice: 'Porzione', variants: { Intera: 0, Mezza: -350 } };
const cooking: Options = { choice: 'Cottura', variants: { 'Al sangue': 0, Media: 0, 'Ben cotta': 0 } };
const pasta: Options = { ...portion, addOns: { Parmigiano: 0, 'Pasta senza glutine': 150, 'Olio al tartufo': 250 } };
const coffee: Options = { choice: 'Tipo', variants: { Normale: 0, Macchiato: 20, Decaffeinato: 20 } };
const wine: Options = { choice: 'Formato', variants: { Calice: 0, 'Mezzo litro': 550, Bottiglia: 1350 } };
const water: Options = { choice: 'Gas', variants: { Naturale: 0, Frizzante: 0 } };

/** The trattoria's card. */
export const italianCard: Card = makeCard(3, 'Menù della trattoria', 'it', {
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
