/**
 * Italian word lists for the wiki dataset, the wiki of a made-up game. `wiki-dataset.ts` builds title and text of each requested entry from these lists, and
 * chooses from them by `seeded-random.ts`. The lengths of the lists matter: see the types.
 */

/** Types of entries. A type that occurs twice here is twice as frequent. */
export const typesByFrequency = ['creature', 'luogo', 'reperto', 'personaggio', 'brand', 'arma', 'creature', 'luogo'] as const;

/** A type of entry. */
export type EntryType = (typeof typesByFrequency)[number];

/**
 * Titles combine `first[n % 11]` with `second[n % 14]`, where `n` counts entries. The lengths 11 and 14 have no common divisor, so all 154 pairs occur before
 * one repeats.
 */
interface WikiTitleWords {
  /** 11 words. */
  readonly first: readonly string[];
  /** 14 words. */
  readonly second: readonly string[];
}

/** The words of titles, by type. */
export const titleWords: Readonly<Record<EntryType, WikiTitleWords>> = {
  creature: {
    first: ['Lupo', 'Tarlo', 'Airone', 'Salamandra', 'Cervo', 'Murena', 'Falena', 'Istrice', 'Rospo', 'Vipera', 'Gufo'],
    second: [
      'di cenere',
      'delle paludi',
      'a due code',
      'senz’ombra',
      'di brina',
      'lanterna',
      'del crepuscolo',
      'che non vede',
      'd’ambra',
      'che ascolta',
      'di fuliggine',
      'dei canneti',
      'errante',
      'di mezzanotte',
    ],
  },
  luogo: {
    first: ['Torre', 'Cava', 'Valico', 'Mercato', 'Pozzo', 'Santuario', 'Darsena', 'Biblioteca', 'Ponte', 'Giardino', 'Miniera'],
    second: [
      'di vetro',
      'del vento',
      'dei sette echi',
      'sott’acqua',
      'di rame',
      'delle nebbie',
      'alla rovescia',
      'di Montefosco',
      'dell’orologiaio',
      'dei perduti',
      'di Lunaspina',
      'oltre il confine',
      'degli addii',
      'a mezz’aria',
    ],
  },
  reperto: {
    first: ['Anello', 'Mappa', 'Maschera', 'Clessidra', 'Campana', 'Diario', 'Moneta', 'Specchio', 'Chiave', 'Calice', 'Bussola'],
    second: [
      'del re bambino',
      'di ossidiana',
      'senza nome',
      'dei naufraghi',
      'di ferro battuto',
      'della prima neve',
      'che trema',
      'di seconda mano',
      'd’argento nero',
      'in due pezzi',
      'dei tre fratelli',
      'sotto sigillo',
      'di Orsola',
      'dell’ultimo treno',
    ],
  },
  personaggio: {
    first: ['Orsola', 'Capitan', 'Frate', 'Donna', 'Dottor', 'Nonno', 'Mastro', 'Contessa', 'Zia', 'Sergente', 'Suor'],
    second: [
      'Brunello',
      'Tramontana',
      'Pagliaccetto',
      'Rovere',
      'Nevischio',
      'Fiammetta',
      'Gattapelata',
      'Sottovoce',
      'Malacqua',
      'Quattrocchi',
      'Buonanotte',
      'Zolfanelli',
      'Perdifiato',
      'Ortica',
    ],
  },
  brand: {
    first: [
      'Officine',
      'Fratelli',
      'Ditta',
      'Cantieri',
      'Premiata',
      'Compagnia',
      'Fonderia',
      'Distilleria',
      'Sartoria',
      'Tipografia',
      'Molini',
    ],
    second: [
      'Barlume',
      'Castracane & Figli',
      'Sottosopra',
      'Gran Turchese',
      'Pinzimonio',
      'Vento & Vela',
      'Sempreverde',
      'Orione',
      'Mezzaluna',
      'Controvento',
      'Alambicco',
      'Ferrovecchio',
      'Settebello',
      'Tuttotace',
    ],
  },
  arma: {
    first: ['Spada', 'Arco', 'Fionda', 'Alabarda', 'Pugnale', 'Balestra', 'Frusta', 'Martello', 'Lancia', 'Fucile', 'Ascia'],
    second: [
      'a vapore',
      'della veglia',
      'di corallo',
      'senza punta',
      'dei pellegrini',
      'bifronte',
      'da parata',
      'di ghiaccio',
      'a molla',
      'della discordia',
      'del boia gentile',
      'a grani di sale',
      'di vimini',
      'che ride',
    ],
  },
};

/** Fixed entries of every dataset, by index. Their slugs are hard cases: accents, dots, apostrophes, and slugs that begin with another entry's slug. */
export const namedEntries: ReadonlyMap<number, { readonly title: string; readonly type: EntryType }> = new Map([
  [0, { title: 'Lupo di sale', type: 'creature' }],
  [1, { title: 'Faro di vetro', type: 'luogo' }],
  [2, { title: 'Città sommersa', type: 'luogo' }],
  [3, { title: 'Lupo di sale anziano', type: 'creature' }],
  [4, { title: 'Prototipo 2.1', type: 'arma' }],
  [5, { title: 'L’eco del perché', type: 'reperto' }],
  [6, { title: 'Città', type: 'luogo' }],
  [7, { title: 'È quasi l’alba', type: 'personaggio' }],
]);

/** First sentences of texts, by type. */
export const openings: Readonly<Record<EntryType, readonly string[]>> = {
  creature: [
    'Vive nelle saline e caccia solo <em>con la luna piena</em>.',
    'Si muove in branchi silenziosi e teme il suono delle campane.',
    'I pescatori giurano di averne visto uno grande come una barca.',
  ],
  luogo: [
    'Chi vi arriva di notte sente ancora <strong>i passi degli antichi custodi</strong>.',
    'Le carte nautiche lo segnano in tre punti diversi: nessuno è quello giusto.',
    'Fu abbandonato in una sola mattina, con il pane nei forni.',
  ],
  reperto: [
    'Ritrovato sotto un pavimento di legno, avvolto in un giornale di cent’anni prima.',
    'Chi lo tiene in mano ricorda una <em>casa</em> che non ha mai abitato.',
    'Ne esistono due copie: una sola funziona.',
  ],
  personaggio: [
    'Non dice mai il proprio nome due volte nello stesso modo.',
    'Ha attraversato il confine con una valigia piena di <strong>semi</strong>.',
    'In paese lo salutano tutti, ma nessuno sa dove dorma.',
  ],
  brand: [
    'Fondata in una soffitta, produce oggi metà degli ingranaggi del continente.',
    'Il marchio compare su barattoli, bulloni e &laquo;ricordi in scatola&raquo;.',
    'La pubblicità alla radio si sente anche con la radio spenta.',
  ],
  arma: [
    'Va oliata ogni sera, altrimenti <em>si offende</em>.',
    'È vietata in quattro province e obbligatoria in una.',
    'Pesa poco, ma chi la porta cammina piano.',
  ],
};

/** Sentences that mention another entry by its title (HTML) and its path on the site. */
export const mentions: readonly ((title: string, path: string) => string)[] = [
  (title) => `Una vecchia ballata lo lega a <strong>${title}</strong>.`,
  (title, path) => `Si veda anche la voce <a href="${path}">${title}</a>.`,
  (title) => `Secondo i registri, tutto cominciò con ${title}.`,
  (title) => `Nessuno ne parla volentieri a chi ha incontrato ${title}.`,
];

/** Paragraphs that later changes append to an entry. */
export const additions: readonly string[] = [
  'Nota della redazione: la data è incerta.',
  'Un lettore segnala un avvistamento <a href="https://example.org/porto">vicino al porto</a>.',
  'La descrizione è stata rivista dopo la spedizione d’inverno.',
  'Restano da verificare due testimonianze.',
];

/** Harmless script in the body of some entries. It runs in clients that show the body without sanitizing it. */
export const pastedScript = "<script>alert('Chi mostra questo testo senza ripulirlo ne esegue il codice.')</script>";

/** Index of the entry that always contains the script, so that every dataset has one. Other entries contain it at random. */
export const entryWithScript = 4;

/**
 * Syllables (first, last) of made-up words in titles of hidden entries. No other text contains these words, so a search that finds one has leaked a hidden
 * entry. The lengths 7 and 11 have no common divisor, which gives 77 different words.
 */
export const secretTitleSyllables: readonly [readonly string[], readonly string[]] = [
  ['Vexka', 'Zyrmo', 'Quorx', 'Hythu', 'Jaxwe', 'Wokry', 'Ykzar'],
  ['ldurk', 'mwyth', 'ndraxx', 'rkhol', 'skwyn', 'thuuk', 'vvorn', 'xandry', 'zhyk', 'kwell', 'jorrk'],
];

/** Syllables of the made-up words in bodies of hidden entries. They differ from those in titles, so that a leak shows its field. */
export const secretBodySyllables: readonly [readonly string[], readonly string[]] = [
  ['trykka', 'bhowxi', 'kujjwa', 'phaxyo', 'gwyzzi', 'dhykko', 'xhowla'],
  ['wenyk', 'jaxth', 'kyrbh', 'zoowx', 'hykka', 'yxxor', 'wharj', 'bjykt', 'xowny', 'kkhyd', 'jwexx'],
];
