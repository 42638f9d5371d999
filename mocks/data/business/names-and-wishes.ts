/**
 * Names of people, and texts of guests, for each language of a business. When it is loaded, `businesses.ts` assigns a language to each business, and names its
 * tables in that language. `common-record-parts.ts`, `make-order.ts` and `make-reservation.ts` choose words for each record that they make. Words of menus are
 * in `fixed-menus.ts`.
 */

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

/** Italian. */
export const italian: LanguageWords = {
  firstNames: [
    'Giulia',
    'Marco',
    'Niccolò',
    'Chiara',
    'Matteo',
    'Federica',
    'Lorenzo',
    'Beatrice',
    'Davide',
    'Elisa',
    'Tommaso',
    'Noemi',
    'Andrea',
    'Caterina',
    'Paolo',
    'Irene',
    'Stefano',
    'Lucia',
    'Alessio',
    'Margherita',
    'Nicolò',
    'Ilaria',
    'Emanuele',
    'Zoë',
  ],
  lastNames: [
    'Ferri',
    'Conti',
    "D'Angelo",
    'Mazzanti',
    'De Luca',
    'Forlì',
    'Bellandi',
    'Pieraccini',
    'Salvadori',
    'Grassi',
    'Nardò',
    'Vannucci',
    'Lo Presti',
    'Barsotti',
    'Cantù',
    'Morelli',
    'Sarti',
    'Tognazzi',
    'Berti-Rossi',
    'Calvani',
    'Giunti',
    'Papini',
    'Rinaldi',
  ],
  wishes: [
    'Un seggiolone, per favore.',
    'Tavolo vicino alla finestra, se è possibile.',
    'Compleanno della nonna: compie 80 anni! 🎂',
    'Allergia alle arachidi — avvisare la cucina.',
    'Arriviamo con un cane di piccola taglia',
    'Due celiaci al tavolo.\nGrazie!',
    'Anniversario: rose rosse sul tavolo "n. 7"',
    'Forse saremo in ritardo di 10/15 minuti',
    'Menù vegetariano x 3',
    'Sedia a rotelle, serve il posto all’ingresso',
  ],
  table: 'Tavolo',
  counter: 'Banco',
};

/** Spanish of the River Plate. */
export const spanish: LanguageWords = {
  firstNames: ['Sofía', 'Martín', 'Agustín', 'Lucía', 'Joaquín', 'Valentina', 'Ramón', 'Camila', 'Íñigo', 'Florencia', 'Tomás', 'Belén'],
  lastNames: ['Núñez', 'Peralta', 'Ibáñez', 'Quiroga', 'Etchevarría', 'Molina', 'Güemes', 'Sosa', 'Agüero', 'Romero', 'Muñoz'],
  wishes: [
    'Mesa afuera, por favor.',
    '¿Tienen trona para bebé?',
    'Cumpleaños: traemos torta 🎂',
    'Sin TACC para dos personas',
    'Llegamos 21:15',
  ],
  table: 'Mesa',
  counter: 'Mostrador',
};

/** English. */
export const english: LanguageWords = {
  firstNames: ['Maeve', 'Oscar', 'Ines', 'Bjørn', 'Ruth', 'Sven', 'Tilda'],
  lastNames: ['Ashdown', 'O’Hara', 'Petersen', 'Lindqvist', 'Marlowe'],
  wishes: ['Quiet corner, please.', 'Nut allergy (one guest)', 'Coming straight from the ferry ⛴'],
  table: 'Table',
  counter: 'Counter',
};
