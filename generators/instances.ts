/** From nodes to sources: where every instance of a schema comes from. */

import { isObject, type Json } from '../core/json.ts';
import { type Claim, typeBits } from './algebra/facts.ts';
import type { Forms } from './algebra/forms.ts';
import type { Node, Space } from './algebra/node.ts';
import { numbersOf, type Option, textsOf } from './algebra/option.ts';
import { Unsatisfiable, Unsupported } from './outcome.ts';
import { recall } from './recall.ts';
import type { Site } from './schema/site.ts';
import { ListSource, type Workshop } from './source/list.ts';
import { RecordSource } from './source/record.ts';
import { type Branch, ChoiceSource, type Opened, ScalarSource, type Source, ValuesSource } from './source/source.ts';

/** Builds the source of each node once, when it is first needed. */
export class Instances implements Workshop {
  readonly space: Space;
  readonly #sources = new Map<Node, Source>();

  constructor(space: Space) {
    this.space = space;
  }

  /** Whether a node has instances. */
  isPossible(node: Node): boolean {
    return this.space.height(node) < Infinity;
  }

  /**
   * The source of the instances of a node.
   * @throws {Unsatisfiable} when there is none.
   * @throws {Unsupported} when they cannot be generated.
   */
  sourceOf(node: Node): Source {
    return recall(this.#sources, node, () => this.sourceOfForms(this.space.formsOf(node), node));
  }

  /** The source of instances of some forms of a node. */
  sourceOfForms(forms: Forms, node: Node): Source {
    const options = this.space.options(forms.list);
    if (options.length === 0) throw explain(this.space, forms, node);
    const branches = this.#branches(options, node);
    const [first] = branches;
    return first !== undefined && branches.length === 1 ? first.source : new ChoiceSource(branches, node.isRecursive);
  }

  #branches(options: readonly Option[], node: Node): readonly Branch[] {
    const refused: Unsupported[] = [];
    const branches = options.flatMap((option) => {
      try {
        return [{ source: this.#sourceOfOption(option, node), height: option.height, group: option.kind }];
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error;
        refused.push(error);
        return [];
      }
    });
    const [refusal] = refused;
    // A text that cannot be generated may be missing among others of its kind: a complement has many forms. It must not be missing altogether.
    if (refusal !== undefined && !branches.some((branch) => branch.group === 'string')) throw refusal;
    return branches;
  }

  #sourceOfOption({ form, kind, height }: Option, node: Node): Source {
    switch (kind) {
      case 'values':
        return new ValuesSource(form.values ?? []);
      case 'null':
        return new ValuesSource([null]);
      case 'boolean':
        return new ValuesSource([false, true].filter((value) => !form.except.includes(value)));
      case 'number':
        return openScalars(numbersOf(form), node, 'type');
      case 'string':
        return openScalars(textsOf(form), node, 'pattern');
      case 'array':
        return new ListSource(form, this, height);
      case 'object':
        return new RecordSource(form, this);
    }
  }
}

/** The source of numbers or texts. Where there are none, `keyword` is the one to blame. */
function openScalars<T extends Json>(opened: Opened<T>, node: Node, keyword: string): Source {
  if (opened.kind === 'source') return new ScalarSource(opened.source);
  if (opened.kind === 'empty') throw new Unsatisfiable(pathOf(node, keyword), opened.why);
  throw new Unsupported(pathOf(node, opened.keyword), opened.keyword, opened.why);
}

/** Why a node has no source. */
function explain(space: Space, forms: Forms, node: Node): Error {
  const culprit = culpritOf(space, node);
  const found = culprit === node ? forms : space.formsOf(culprit);
  const path = culprit.claims[0]?.site.path ?? '#';
  if (found.isCut) return new Unsupported(path, choiceOf(culprit), 'its choices combine in more ways than are tried');
  return new Unsatisfiable(path, reasonOf(found, culprit.claims));
}

/** The part that is impossible, where a node is impossible because of one of its parts alone. */
function culpritOf(space: Space, root: Node): Node {
  const seen = new Set<Node>();
  let node = root;
  while (!seen.has(node)) {
    seen.add(node);
    const part = space.missingPart(node);
    if (part === undefined) return node;
    node = part;
  }
  // What needs itself has no lowest part: the whole circle is to blame.
  return root;
}

function choiceOf(node: Node): string {
  const words = node.claims.flatMap((claim) => Object.keys(claim.site.keywords));
  return ['oneOf', 'anyOf', 'not', 'if'].find((word) => words.includes(word)) ?? 'allOf';
}

/** What clashes, told with the words of the schema. */
function reasonOf(forms: Forms, claims: readonly Claim[]): string {
  const [first, second] = claims;
  if (first !== undefined && second === undefined) {
    const { schema } = first.site;
    if (typeof schema === 'boolean') return first.holds ? 'the schema false accepts nothing' : 'everything satisfies what must not hold';
    const told = forms.list.map(tellForm).find((why) => why !== undefined);
    return told ?? `what its ${listWords(first.site)} say cannot be true together`;
  }
  return `${claims.map((claim) => `${claim.site.path} ${claim.holds ? '' : 'not '}holding`).join(' and ')} exclude each other`;
}

function tellForm(form: Option['form']): string | undefined {
  const scalars = form.types === typeBits.string ? textsOf(form) : form.types === typeBits.number ? numbersOf(form) : undefined;
  return scalars?.kind === 'empty' ? scalars.why : undefined;
}

function listWords(site: Site): string {
  return isObject(site.schema) ? Object.keys(site.schema).join(', ') : 'keywords';
}

/** The place of the claim that has a keyword, or of the node. */
function pathOf(node: Node, keyword: string): string {
  const own = node.claims.find((claim) => keyword in claim.site.keywords) ?? node.claims[0];
  return own?.site.path ?? '#';
}
