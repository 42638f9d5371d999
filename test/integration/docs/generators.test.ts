/** The page about generators does what it says; it shows values, refusals, near misses and requests. */

import { testPage } from './following.ts';

testPage('docs/generators.md', { examples: 6, runs: 6 });
