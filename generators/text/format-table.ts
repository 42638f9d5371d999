/** The shapes of all formats whose texts can be judged. */

import { hostShapes } from './format-host.ts';
import type { FormatShape } from './format-shape.ts';
import { syntaxShapes } from './format-syntax.ts';
import { timeShapes } from './format-time.ts';
import { webShapes } from './format-web.ts';

const shapes: ReadonlyMap<string, FormatShape> = new Map([...timeShapes, ...webShapes, ...hostShapes, ...syntaxShapes]);

/** The shape of a format; `undefined` for a format that has none here. */
export function shapeOf(format: string): FormatShape | undefined {
  return shapes.get(format);
}
