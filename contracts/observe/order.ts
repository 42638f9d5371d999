/** Which of the possible orders the pages of a list come in. */

import { recordsIn } from '../reply.ts';
import { keyOf, type ListOperation } from '../walk.ts';
import type { Inquiry } from './inquiry.ts';
import { closeBy, listIn, openLists } from './open-rule.ts';
import { choicesWhere, type Sight } from './sight.ts';

/** No more pages than this are sorted, the longest ones. */
const sorted = 20;

/** Compares pages with what each choice would make of their records: a page is one answer, so nothing can have moved inside it. */
export async function observeOrder(inquiry: Inquiry): Promise<readonly Sight[]> {
  const { contract } = inquiry.lab;
  const sights: Sight[] = [];
  for (const { question, operation } of openLists(contract, 'x-collection/order')) {
    await inquiry.fullest(operation);
    const pages = pagesOf(inquiry, operation);
    if (pages.length === 0) continue;
    const suits = choicesWhere(question, (choice) => {
      const { query } = listIn(closeBy(contract, question, choice), operation).collection;
      return pages.every((page) => {
        const keys = query.sort(page).map((record) => keyOf(operation, record));
        return page.every((record, index) => keyOf(operation, record) === keys[index]);
      });
    });
    const what = `${pages.length === 1 ? 'one page' : `${pages.length} pages`} of ${operation.id} came in ${suits.length === 0 ? 'another' : 'this'} order`;
    sights.push({ question, suits, what });
  }
  return sights;
}

function pagesOf({ lab }: Inquiry, operation: ListOperation): readonly NonNullable<ReturnType<typeof recordsIn>>[] {
  const answers = new Map(
    lab.replies.filter(({ call }) => call.operation.id === operation.id).map((reply) => [reply.response.body, reply]),
  );
  const pages = [...answers.values()].map((reply) => recordsIn(reply) ?? []).filter((page) => page.length > 1);
  return pages.toSorted((left, right) => right.length - left.length).slice(0, sorted);
}
