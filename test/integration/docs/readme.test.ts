/** The README does what it says. */

import { testPage } from './following.ts';

testPage('README.md', { examples: 30, runs: 30 });
