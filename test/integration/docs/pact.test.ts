/** The page about pacts does what it says; it shows the check, the verification and a program. */

import { testPage } from './following.ts';

testPage('docs/pact.md', { examples: 6, runs: 6 });
