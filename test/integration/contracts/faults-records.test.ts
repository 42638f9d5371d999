/** Each kind of fault about single records, conditional reads, numbered pages, visibility and search is reported by the law that it names, with evidence. */

import { testMockFaults } from './mock-faults.ts';

testMockFaults('details', 'conditional', 'pages', 'visible', 'search', 'trouble');
