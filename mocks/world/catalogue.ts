/** The worlds that exist. A new API gets content by a line here. */

import type { WorldSource } from '../world.ts';
import { businessWorld } from './business/world.ts';
import { wikiWorld } from './wiki/world.ts';

/** Every source of content; the first that serves a contract is used. */
export const worldSources: readonly WorldSource[] = [businessWorld, wikiWorld];
