/** Every deviation of the second server that a law about lists names is found by that law. */

import { testFaults } from './second-faults.ts';

testFaults(/^(filters|ranges|sync|paging|order)\//);
