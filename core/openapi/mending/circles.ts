/**
 * While a document is mended, finds circles of schemas that apply to one value, whose judging would never end, and breaks them where it knows what the author
 * means; the others are set aside.
 */

import { isArray, isObject, type Json, type JsonObject } from '../../json.ts';
import { copyOrigin } from '../source-positions.ts';

/** A schema on the way of schemas for one value, with the keyword and the branch through which the way leaves it, unless it certainly applies. */
interface Step {
  readonly schema: JsonObject;
  readonly keyword?: string;
  readonly branch?: Json;
}

function isReference(schema: JsonObject): boolean {
  return typeof schema['$ref'] === 'string';
}

/** What breaking a circle needs of the document. */
interface Tools {
  /** The end of a chain of references; `undefined` if it has none. */
  readonly targetOf: (reference: JsonObject) => Json | undefined;
  /** Changes a member of an object or array of the document; `undefined` removes it. */
  readonly edit: (holder: object, key: string | number, value: Json | undefined) => void;
  /** Makes each edit of a schema one of its copy too. */
  readonly editAlike: (copy: JsonObject, schema: JsonObject) => void;
  /** Sets a reference aside, which concerns whatever uses a schema. */
  readonly setAside: (schema: JsonObject, reference: JsonObject, message: string) => void;
  readonly remark: (reference: JsonObject, message: string) => void;
}

/** Most schemas and references on one way for one value. ajv compiles such a way by recursion, and ends after 400 to 500. */
export const mostSteps = 300;

/** Finds the circles of a document, each once. */
export class Circles {
  /** The length of the longest way from a schema; 0 while its ways are followed. */
  private readonly followed = new Map<object, number>();
  private readonly tools: Tools;

  constructor(tools: Tools) {
    this.tools = tools;
  }

  /** Breaks the circles that a schema leads into, and ways that are too long. `path` leads from another schema to it. Returns the length of its longest way. */
  break(schema: Json, path: readonly Step[] = []): number {
    if (!isObject(schema)) return 0;
    const known = this.followed.get(schema);
    if (known !== undefined) return known;
    this.followed.set(schema, 0);
    const steps = [...path, { schema }];
    const lengths = [this.followReference(schema, steps)];
    const parts = schema['allOf'];
    if (isArray(parts)) for (const part of parts) lengths.push(this.break(part, steps));
    for (const keyword of ['anyOf', 'oneOf', 'not']) {
      const choice = schema[keyword];
      for (const branch of isArray(choice) ? choice : [choice ?? null])
        lengths.push(this.break(branch, [...path, { schema, keyword, branch }]));
    }
    const length = 1 + Math.max(...lengths);
    this.followed.set(schema, length);
    return length;
  }

  private followReference(schema: JsonObject, steps: readonly Step[]): number {
    const target = typeof schema['$ref'] === 'string' ? this.tools.targetOf(schema) : undefined;
    if (target === undefined) return 0;
    const start = steps.findIndex((step) => step.schema === target);
    if (start >= 0) {
      this.breakCircle(steps.slice(start));
      return 0;
    }
    const length = steps.length >= mostSteps ? mostSteps : this.break(target, steps);
    if (length < mostSteps) return length;
    const message = `${String(schema['$ref'])} continues a chain of more than ${mostSteps} schemas and references for the same value; shorten the chain`;
    this.tools.setAside(schema, schema, message);
    this.tools.edit(schema, '$ref', undefined);
    return 0;
  }

  /**
   * Breaks a circle. A union whose branches inherit from it is left out of what they inherit, which is what its author means. A reference that inherits nothing
   * is set aside: an alternative that is the union itself never adds a value.
   */
  private breakCircle(circle: readonly Step[]): void {
    const at = circle.findLastIndex((step) => step.keyword !== undefined);
    const { schema: holder, keyword = '', branch = null } = circle[at] ?? ({ schema: {} } satisfies Step);
    const wayBack = [...circle.slice(at + 1), ...circle.slice(0, Math.max(at, 0))].map(({ schema }) => schema);
    const reference = wayBack.findLast(isReference) ?? {};
    const union = holder[keyword];
    if (isArray(union) && !wayBack.every(isReference)) {
      const inherited = this.withoutUnion(this.tools.targetOf(reference) ?? null, holder, keyword);
      this.tools.edit(reference, 'allOf', [...(isArray(reference['allOf']) ? reference['allOf'] : []), inherited]);
      this.tools.edit(reference, '$ref', undefined);
      this.tools.remark(
        reference,
        `${String(reference['$ref'])} leads back here through its ${keyword}, and is read without that ${keyword}`,
      );
      return;
    }
    const message = `${String(reference['$ref'])} leads back to itself through ${keyword || 'allOf'}, for the same value; remove one reference in the cycle`;
    this.tools.setAside(circle[0]?.schema ?? reference, reference, message);
    if (isArray(union) && union.length > 1) this.tools.edit(union, union.indexOf(branch), { not: {} });
    else if (keyword !== '') this.tools.edit(holder, keyword, undefined);
    else this.tools.edit(reference, '$ref', undefined);
  }

  /** A schema, or one whose inline parts of `allOf` hold it, without a union. */
  private withoutUnion(schema: Json, holder: JsonObject, keyword: string): Json {
    if (!isObject(schema) || (schema !== holder && !isArray(schema['allOf']))) return schema;
    const { allOf, ...others } = schema as Record<string, Json>;
    const { [keyword]: _union, discriminator: _discriminator, ...inherited } = others;
    const parts = isArray(allOf) ? { allOf: allOf.map((part) => this.withoutUnion(part, holder, keyword)) } : {};
    const copy = copyOrigin(schema, { ...(schema === holder ? inherited : others), ...parts });
    // What is mended in the schema is mended in its copy.
    this.tools.editAlike(copy, schema);
    return copy;
  }
}
