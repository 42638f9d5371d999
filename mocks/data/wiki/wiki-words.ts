/** The words of the game's wiki: titles of entries for each type, and sentences about them. All of it is Italian. */

/** The types of entries, as often as they come. */
export const entryTypes = ['creature', 'luogo', 'reperto', 'personaggio', 'brand', 'arma', 'creature', 'luogo'] as const;

/** A type of entry. */
export type EntryType = (typeof entryTypes)[number];

/** Titles are a first word and a second one. Their counts have no common divisor, so that each pair comes before any comes again. */
export interface WikiTitleWords {
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

/** Entries that every dataset has, by index: titles whose slugs are not plain, or begin like another one. */
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

/** Beginnings of a text, by type. */
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

/** Sentences that name another entry, by its title in HTML and its path on the site. */
export const mentions: readonly ((title: string, path: string) => string)[] = [
  (title) => `Una vecchia ballata lo lega a <strong>${title}</strong>.`,
  (title, path) => `Si veda anche la voce <a href="${path}">${title}</a>.`,
  (title) => `Secondo i registri, tutto cominciò con ${title}.`,
  (title) => `Nessuno ne parla volentieri a chi ha incontrato ${title}.`,
];

/** Later addition to an entry. */
export const additions: readonly string[] = [
  'Nota della redazione: la data è incerta.',
  'Un lettore segnala un avvistamento <a href="https://example.org/porto">vicino al porto</a>.',
  'La descrizione è stata rivista dopo la spedizione d’inverno.',
  'Restano da verificare due testimonianze.',
];

/** Script in an entry. It does no harm, and it runs where a client shows the body unsanitised. */
export const pastedScript = "<script>alert('Chi mostra questo testo senza ripulirlo ne esegue il codice.')</script>";

/** The index of an entry that always has the script. */
export const scriptedEntry = 4;

/** Beginnings and endings of words that no other text has, so that a hidden entry that leaks through the search is seen at once. */
export const secretTitle: readonly [readonly string[], readonly string[]] = [
  ['Vexka', 'Zyrmo', 'Quorx', 'Hythu', 'Jaxwe', 'Wokry', 'Ykzar'],
  ['ldurk', 'mwyth', 'ndraxx', 'rkhol', 'skwyn', 'thuuk', 'vvorn', 'xandry', 'zhyk', 'kwell', 'jorrk'],
];

/** The same for the bodies of hidden entries. */
export const secretBody: readonly [readonly string[], readonly string[]] = [
  ['trykka', 'bhowxi', 'kujjwa', 'phaxyo', 'gwyzzi', 'dhykko', 'xhowla'],
  ['wenyk', 'jaxth', 'kyrbh', 'zoowx', 'hykka', 'yxxor', 'wharj', 'bjykt', 'xowny', 'kkhyd', 'jwexx'],
];
