/** Every deviation of the second server that a law about answers names is found by that law. */

import { testFaults } from './second-faults.ts';

testFaults(/^(response|keys|tenancy|conditional|trouble)\//);
