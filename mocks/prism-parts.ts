/** Prism in two parts, each of which is loaded when somebody needs it, and once: loading them takes longer than all else. */

import type { Negotiate } from './negotiation.ts';
import type { Engine } from './prism.ts';

/** Prism for one contract. */
export interface PrismParts {
  /** Takes requests. */
  readonly engine: () => Promise<Engine>;
  /** Knows the documented answers. */
  readonly negotiation: () => Promise<Negotiate>;
}

/** Prism for a contract file. What cannot be loaded is a failure of each request that needs it. */
export function loadPrism(file: string): PrismParts {
  let engine: Promise<Engine> | undefined;
  let negotiation: Promise<Negotiate> | undefined;
  return {
    engine: () => {
      engine ??= import('./prism.ts').then(({ createEngine }) => createEngine());
      return engine;
    },
    negotiation: () => {
      negotiation ??= import('./negotiation.ts').then(({ createNegotiation }) => createNegotiation(file));
      return negotiation;
    },
  };
}
