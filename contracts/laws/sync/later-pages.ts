/** The law that the checkpoint holds on every page. */

import { examineLaterPages, hasCheckpointPages } from '../../later-pages.ts';
import type { Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import { checkpointOf } from '../../universe.ts';
import { requireList } from '../../walk.ts';

/** The law. */
export const laterPages: Law = {
  id: 'sync/later-pages',
  title: 'The checkpoint holds on later pages as on the first',
  why: 'A second page that forgets the checkpoint sends the whole past again, in every run of every client.',
  strength: 'stated',
  slow: true,
  clause: (operation) =>
    hasCheckpointPages(operation) ? filterPlace(requireList(operation), checkpointOf(requireList(operation)) ?? '') : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    return examineLaterPages(lab, await lab.universe(list), (name) => name === checkpointOf(list));
  },
};
