/** Knows what an entry of the fault tables is. */

/** One realistic deviation of a server, and the law that must notice it. */
export interface Fault {
  readonly id: string;
  readonly api: 'business' | 'wiki';
  /** The law that must report it; others may as well. */
  readonly law: string;
  readonly about: string;
}
