/** The page about the mock does what it says; it shows the clock, trouble, control and a program. */

import { testPage } from './following.ts';

testPage('docs/mock.md', { examples: 7, runs: 7 });
