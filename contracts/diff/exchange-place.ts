/** Where in an exchange a difference is, as data. Results print it as their location. */

import type { SchemaStep } from './schemas/schema-pair.ts';

/** A part of an exchange, or of what an operation states. */
export type ExchangePart =
  | { readonly kind: 'parameter'; readonly in: string; readonly name: string }
  | { readonly kind: 'request body'; readonly mediaType?: string }
  | { readonly kind: 'response'; readonly status: string; readonly header?: string; readonly mediaType?: string }
  | { readonly kind: 'security scheme'; readonly name: string }
  | { readonly kind: 'request' | 'security' | 'conditional read' };

/** A place in an exchange. Without members, the operation or the file itself. */
export interface ExchangePlace {
  readonly part?: ExchangePart;
  /** Steps into the value of the part. */
  readonly path?: readonly SchemaStep[];
  /** Keys of an annotation, from the operation, the file or the parameter. */
  readonly annotation?: readonly string[];
}

/** A place as results show it: `response 200, items[].state`, `query parameter state[]`, `x-collection, filters.status`. */
export function printPlace({ part, path = [], annotation: [first = '', ...keys] = [] }: ExchangePlace): string {
  const start = part === undefined ? '' : printPart(part);
  const where = path.reduce((text, step) => text + printStep(step, text === ''), '');
  const isBody = part?.kind === 'request body' || (part?.kind === 'response' && part.header === undefined);
  const value = where.startsWith('[') && !isBody ? `${start}${where}` : join(start, where);
  return join(value, first, keys.join('.'));
}

function join(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(', ');
}

/** A part of an exchange in sentences: `query parameter state`, `response 200`. */
export function printPart(part: ExchangePart): string {
  switch (part.kind) {
    case 'parameter':
      return `${part.in} parameter ${part.name}`;
    case 'request body':
      return `request body${printMediaType(part.mediaType)}`;
    case 'response':
      return `response ${part.status}${part.header === undefined ? '' : `, header ${part.header}`}${printMediaType(part.mediaType)}`;
    case 'security scheme':
      return `security scheme ${part.name}`;
    default:
      return part.kind;
  }
}

function printMediaType(type: string | undefined): string {
  return type === undefined ? '' : ` (${type})`;
}

function printStep(step: SchemaStep, isFirst: boolean): string {
  const [dot, space] = isFirst ? ['', ''] : ['.', ' '];
  switch (step.kind) {
    case 'property':
      return `${dot}${step.name}`;
    case 'items':
      return '[]';
    case 'element':
      return `[${step.index}]`;
    case 'contains':
      return '[contained]';
    case 'others':
      return `${dot}*`;
    case 'matching':
      return `${dot}/${step.pattern}/`;
    case 'names':
      return `${space}(names)`;
    case 'same':
      return `${space}(${step.label})`;
    case 'negated':
      return `${space}(not)`;
  }
}
