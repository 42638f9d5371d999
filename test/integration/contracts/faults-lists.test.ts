/** Each kind of fault about lists and walks is reported by the law that it names, with evidence. */

import { testMockFaults } from './mock-faults.ts';

testMockFaults('filters', 'ranges', 'sync', 'order', 'paging');
