/** What sources of arrays and objects need to know: where their parts come from. */

import type { Node, Space } from '../algebra/node.ts';
import type { Source } from './source.ts';

/** Where the parts of an instance come from. */
export interface Workshop {
  readonly space: Space;
  /**
   * The source of the instances of a node.
   * @throws {Unsatisfiable} when there is none.
   * @throws {Unsupported} when they cannot be generated.
   */
  readonly sourceOf: (node: Node) => Source;
  /** Whether a node has instances. */
  readonly isPossible: (node: Node) => boolean;
}
