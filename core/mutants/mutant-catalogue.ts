/**
 * The kinds of mutants, each under the rule that reports it: ids and titles, but not what a mutant does. A title is a clause after "it behaves as if"; names in
 * braces stand for words of a contract.
 */

import { groupOf, type RuleGroup, type RuleId } from '../results/rule-id.ts';

const titles = {
  'keys/missing': {
    'missing-key-accepted': 'a request without a key is accepted',
    'empty-key-accepted': 'an empty key is accepted',
    'key-left-out-accepted': 'a request without the key of {scheme} is accepted',
  },
  'keys/unknown': {
    'unknown-key-accepted': 'a key that was never issued is accepted',
    'key-case-ignored': 'keys are compared without regard to case',
    'key-beginning-accepted': 'the beginning of a key is accepted',
  },
  'keys/expired': { 'expired-key-accepted': 'an expired key is accepted' },
  'keys/carriers': {
    'carrier-ignored': 'a key in {carrier} is ignored',
    'carrier-of-other-key': 'a key in {carrier} belongs to another tenant',
  },
  'keys/scopes': {
    'scope-unchecked': 'a key without the scope {scope} is accepted',
    'scope-confused': 'the scope {other} is required instead of {scope}',
    'scope-lacking-unauthenticated': 'a key without the scope gets 401 instead of 403',
    'scope-lacking-absent': 'a key without the scope gets 404 instead of 403',
  },
  'keys/conditional': {
    'unchanged-before-key': 'with {key}, a current tag gets 304',
    'unchanged-skips-key': 'a request with If-None-Match needs no key',
  },
  'keys/none-needed': { 'key-demanded': 'a key is required, although the operation is public' },
  'tenancy/single': {
    'foreign-record-shown': '{parameter} finds the records of every tenant',
    'foreign-record-told': "another tenant's record gets a different response from one that does not exist",
    'foreign-record-forbidden': "another tenant's record gets 403 instead of 404",
    'foreign-record-unchanged': "another tenant's record gets 304 when its tag is sent",
  },
  'tenancy/lists': {
    'foreign-records-listed': 'the list contains the records of all tenants',
    'foreign-records-filtered': 'the list contains the records of all tenants when {parameter} is sent',
  },
  'tenancy/named': { 'first-tenant-for-all': 'a key reads the record of another tenant' },
  'tenancy/cursor': { 'foreign-cursor-accepted': "another tenant's cursor continues with that tenant's records" },
  'conditional/tag': { 'tag-missing': 'a successful response has no ETag' },
  'conditional/unchanged': {
    'unchanged-never': 'the header If-None-Match is ignored',
    'unchanged-as-empty-success': 'a current tag gets an empty 200 instead of 304',
  },
  'conditional/bare': {
    'unchanged-other-tag': 'a 304 has a tag other than the current one',
    'unchanged-with-body': 'a 304 has a body',
  },
  'conditional/changed': {
    'unchanged-always': 'any If-None-Match gets 304',
    'unchanged-any-record': 'the tag of any other record gets 304',
    'tag-frozen': 'the tag does not change with the content',
  },
  'conditional/per-content': {
    'tag-constant': 'all records have the same tag',
    'tag-by-version': 'the tag depends only on the time of the last change',
  },
  'conditional/stable': { 'tag-per-answer': 'each response has a new tag, although the content is unchanged' },
  'conditional/failures': {
    'absent-as-unchanged': 'a record that does not exist gets 304 when If-None-Match is sent',
    'invalid-as-unchanged': 'an invalid identifier gets 304 when If-None-Match is sent',
  },
  'filters/sound': {
    'filter-ignored': '{parameter} is ignored, and every record is returned',
    'filter-value-mixed': '{parameter}={value} also returns the records of {other}',
  },
  'filters/complete': { 'filter-value-lost': 'some records that match {filter} are missing' },
  'filters/union': {
    'filter-first-only': 'only the first of several values of {parameter} is used',
    'filter-last-only': 'only the last of several values of {parameter} is used',
    'filter-whole-text': 'several values of {parameter} are read as one value',
  },
  'filters/conjunction': {
    'filters-either': '{parameter} and {other} together return records that match either of them',
    'filter-ignored-beside-other': '{parameter} is ignored when {other} is sent too',
    'filter-beside-search-ignored': 'a filter is ignored when a search is sent too',
    'search-beside-filter-ignored': 'a search is ignored when a filter is sent too',
  },
  'filters/values': { 'filter-value-refused': '{parameter}={value} is rejected, although it is a listed value' },
  'filters/unknown-value': {
    'filter-unknown-ignored': 'an unknown value of {parameter} is ignored, and every record is returned',
    'filter-unknown-empty': 'an unknown value of {parameter} returns an empty list instead of an error',
  },
  'filters/partition': { 'filter-value-hidden': 'the list without {parameter} leaves out the records of {value}' },
  'filters/no-match': { 'no-match-refused': 'filters without a match return an error' },
  'filters/explored': {
    'filter-members-capped': 'only the first three values of {parameter} are used',
    'filter-third-ignored': '{parameter} is ignored when two or more other filters are sent',
  },
  'ranges/inclusive': {
    'exclusive-lower': '{parameter} leaves out records whose {field} equals the bound',
    'exclusive-upper': '{parameter} leaves out records whose {field} equals the bound',
    'bound-included': '{parameter} also returns records whose {field} equals the bound',
  },
  'ranges/one-sided': {
    'bound-ignored': '{parameter} is ignored, and every record is returned',
    'bound-ignored-alone': '{parameter} is ignored without {other}',
  },
  'ranges/single-day': {
    'single-day-refused': '{parameter} and {other} must not be equal',
    'single-day-empty': 'a range with equal bounds returns nothing',
  },
  'ranges/empty': {
    'empty-range-refused': 'a range without a match returns an error',
    'empty-range-widened': 'a range without a match returns every record',
  },
  'ranges/inverted': {
    'inverted-range-empty': '{parameter} and {other} in the wrong order return an empty list instead of an error',
    'inverted-range-swapped': '{parameter} and {other} in the wrong order are swapped instead of rejected',
  },
  'ranges/impossible': {
    'impossible-ignored': 'an impossible value of {parameter} is ignored, and every record is returned',
    'impossible-rolled-over': 'an impossible day in {parameter}, such as 30 February, is read as a day of the next month',
    'day-month-ignored': 'a value of {parameter} with month 13 is ignored',
    'day-compact-ignored': 'a value of {parameter} without dashes is ignored',
  },
  'ranges/own-field': {
    'bound-on-version': '{parameter} compares the day of the last change instead of {field}',
    'bound-in-utc': '{parameter} compares the day of {field} in UTC',
    'bound-by-day': '{parameter} compares only the day of {field}',
    'bound-as-text': '{parameter} compares {field} as text, without its UTC offset',
    'bound-by-wall-clock': '{parameter} compares the local time of {field} and ignores the UTC offset',
  },
  'sync/inclusive': {
    'checkpoint-exclusive': '{parameter} leaves out records that changed at exactly that time',
    'checkpoint-ties-first': 'of several records that changed at the time of {parameter}, only the first is returned',
    'checkpoint-ties-last': 'of several records that changed at the time of {parameter}, only the last is returned',
  },
  'sync/sound': { 'checkpoint-ignored': '{parameter} is ignored, and every record is returned' },
  'sync/offsets': {
    'checkpoint-as-text': '{parameter} is compared as text, without its UTC offset',
    'checkpoint-by-wall-clock': '{parameter} is compared by local time, without its UTC offset',
  },
  'sync/within-day': { 'checkpoint-by-day': '{parameter} is compared by its day only' },
  'sync/fractions': {
    'checkpoint-rounded-to-minute': 'a value of {parameter} with a fraction is rounded up to the next minute',
    'checkpoint-rounded-to-second': 'a value of {parameter} with a fraction is rounded up to the next second',
    'checkpoint-digits-as-milliseconds': 'the fraction of a second in {parameter} is read as a number of milliseconds',
  },
  'sync/later-pages': { 'checkpoint-lost': '{parameter} applies only to the first page' },
  'sync/closure': {
    'checkpoint-reach-limited': '{parameter} reaches back at most a week, and older changes are lost',
    'changes-lost': 'a client that continues from a checkpoint loses records',
    'change-unmarked': 'the time of the last change does not move when the record changes',
  },
  'sync/malformed': {
    'checkpoint-malformed-ignored': 'a malformed {parameter} is ignored, and every record is returned',
    'checkpoint-malformed-empty': 'a malformed {parameter} returns an empty list instead of an error',
    'checkpoint-hour-ignored': 'a value of {parameter} with hour 25 is ignored',
    'checkpoint-seconds-ignored': 'a value of {parameter} in seconds since 1970 is ignored',
  },
  'sync/future': { 'checkpoint-future-ignored': 'a future value of {parameter} returns every record' },
  'paging/limit-size': { 'page-too-large': 'a page contains one record more than its limit' },
  'paging/limit-default': { 'default-limit-other': 'a page without {parameter} has a size other than the documented default' },
  'paging/next-cursor': {
    'next-cursor-missing': 'a page that promises another page has no cursor',
    'next-cursor-refused': 'the cursor of the previous page is rejected',
    'more-unsaid': 'a page does not say whether another page follows',
  },
  'paging/complete': {
    'edge-skipped': 'records are lost between two pages',
    'last-record-lost': 'the last record of a list with several pages is missing',
    'large-page-gaps': 'large pages leave out records',
    'more-denied-with-filter': 'a filtered list ends after its first page',
  },
  'paging/once': { 'edge-repeated': 'a page repeats records of the previous page' },
  'paging/ties': {
    'tie-skipped': '{cursor}, and continues after all records with that value',
    'tie-repeated': '{cursor}, and continues with the first record with that value',
    'cursor-truncated': 'a cursor stores its time without the seconds, and the next page starts elsewhere',
  },
  'paging/page-sizes': {
    'small-pages-end': 'a list ends after two pages if they have fewer than ten records',
    'pages-of-one-lose': 'pages of one record lose records',
    'odd-pages-lose': 'an incomplete last page loses records',
    'full-page-loses': 'a page that holds exactly all records loses some of them',
  },
  'paging/limit-bounds': {
    'limit-maximum-lower': '{parameter}={value} is rejected, although it is the documented maximum',
    'limit-maximum-higher': 'a {parameter} above the maximum of {value} is accepted',
    'limit-clamped': 'an out-of-range {parameter} is changed to the nearest bound instead of rejected',
    'limit-empty': 'an out-of-range {parameter} returns an empty list instead of an error',
    'limit-text-ignored': 'a value of {parameter} without digits is ignored',
    'limit-negative-ignored': 'a negative {parameter} is ignored',
    'limit-fraction-ignored': 'a value of {parameter} with a fraction is ignored',
    'limit-huge-ignored': 'a value of {parameter} with more than five digits is ignored',
  },
  'paging/exact-multiple': { 'more-by-size': 'a full page always promises another page, even if it is the last' },
  'paging/filters-kept': { 'filter-lost': '{parameter} applies only to the first page' },
  'paging/damaged-cursor': {
    'damaged-cursor-restarts': '{cursor} returns the first page',
    'damaged-cursor-empty': 'a damaged cursor returns an empty page',
  },
  'paging/progress': {
    'pages-endless': 'every page promises another page, without end',
    'cursor-circles': 'the cursor leads back to an earlier page',
  },
  'order/within': {
    'order-reversed': 'records are not sorted by {field}, or in the opposite direction',
    'tie-order-reversed': 'ties are not sorted by {field}, or in the opposite direction',
    'order-by-key': 'records are sorted only by {field}',
  },
  'order/across': { 'order-across-lost': 'the second page of a list comes after the third' },
  'details/agree': {
    'detail-state-differs': 'the single read shows a different {field} from the list',
    'detail-version-older': 'the single read shows an older {field} than the list',
  },
  'details/reachable': { 'listed-record-absent': 'the single read of some listed records returns 404' },
  'details/same-place': { 'place-varies': 'some records are in a different place in the response body' },
  'details/alternatives': {
    'alternative-absent': '{parameter} finds no record',
    'alternative-other-record': '{parameter} finds another record, or another state of it',
  },
  'details/absent': {
    'absent-as-first': 'an identifier without a record finds another record',
    'absent-as-empty': 'an identifier without a record returns a success without a record',
    'absent-as-other-failure': 'an identifier without a record returns an error other than 404',
  },
  'details/identifier': {
    'identifier-unbounded': 'a value of {parameter} below {value} returns 404 instead of being rejected',
    'identifier-malformed-absent': 'a value of {parameter} that is not a number returns 404 instead of being rejected',
    'identifier-huge-error': 'a value of {parameter} with many digits causes a server error',
    'identifier-trailing-text': 'text after the digits of {parameter} is ignored',
    'identifier-sign-dropped': 'the sign before {parameter} is ignored',
  },
  'details/exactly-one': {
    'choice-unchecked': '{parameter} and {other} are accepted together, or both left out',
    'choice-first-wins': 'when {parameter} and {other} are sent together, only the first is used',
  },
  'details/whole-key': {
    'identifier-beginning': 'the beginning of {parameter} finds its record',
    'identifier-continued': '{parameter} followed by more text finds its record',
  },
  'details/encoded': { 'identifier-still-encoded': '{parameter} with percent-encoding finds no record' },
  'details/hostile': {
    'identifier-hostile-error': '{text} causes a server error',
    'identifier-hostile-match': '{text} finds a record with another name',
  },
  'details/views': {
    'view-absent': 'this view is absent, although the resource itself exists',
    'view-present': 'this view exists, although the resource itself is absent',
  },
  'requests/malformed': {
    'array-parameter-error': 'a query with an array, such as id[]=1, causes a server error',
    'cut-encoding-error': 'a query with incomplete percent-encoding causes a server error',
  },
  'requests/parameters': {
    'documented-value-error': 'a documented value causes a server error',
    'parameter-ignored': '{parameter} is ignored',
  },
  'requests/identifier': { 'detail-other': 'an identifier returns another record' },
  'requests/head': { 'head-other': 'HEAD gets a different status or media type from GET, or lacks its headers' },
  'requests/repeated': {
    'reads-differ': 'the same request gets a different response each time',
    'order-alternates': 'the order changes from one request to the next',
  },
  'response/schema': {
    'field-missing': '{field} is missing',
    'field-of-other-type': '{field} has a different type',
    'field-of-unknown-value': '{field} has a value outside its enum',
    'field-of-other-format': '{field} has a different format',
    'field-of-detail': '{field} is in the list, although only the single read has it',
    'constant-other': '{field} is not {value}',
    'body-other': 'successful responses have a different shape',
  },
  'response/undeclared': { 'undeclared-shown': 'a response shows a member that its schema does not declare' },
  'response/status': {
    'status-undocumented': 'a successful response has an undocumented status',
    'failure-status-undocumented': 'an error has an undocumented status',
  },
  'response/no-server-error': {
    'usual-request-error': 'ordinary requests cause server errors',
    'unusual-request-error': 'unusual requests cause server errors',
    'odd-text-error': 'unusual characters in a request cause a server error with a stack trace',
    'invalid-as-error': 'an invalid parameter causes a server error instead of being rejected',
    'damaged-cursor-error': 'a damaged cursor causes a server error',
  },
  'response/headers': { 'tag-unquoted': 'the ETag has no quotes', 'headers-other': 'responses have different headers' },
  'response/content-type': {
    'content-type-plain': 'JSON is sent as text/plain',
    'content-type-other': 'responses have a different media type',
  },
  'response/error-envelope': {
    'envelope-missing': 'a {status} has a body of a different shape',
    'envelope-other': 'errors have a different shape',
    'failure-html': 'errors are HTML pages',
    'failure-empty': 'errors have no body',
    'failure-flattened': 'errors are not wrapped in {field}',
    'failure-message-missing': 'an error has no message',
    'request-id-empty': 'the identifier of an error is empty',
  },
  'response/error-code': {
    'code-other': '{failure} has an undocumented code',
    'code-lower-case': 'error codes are in lower case',
  },
  'response/request-id': { 'request-id-constant': 'all errors have the same identifier' },
  'response/no-key': {
    'key-echoed': 'the message of an error repeats the key',
    'key-echoed-in-base64': 'the message of an error repeats the key, in base64',
    'key-echoed-percent-encoded': 'the message of an error repeats the key, percent-encoded',
    'key-echoed-in-header': 'a header of each response repeats the key',
    'key-in-success': 'successful responses contain the key',
    'key-in-failure': 'errors contain the key',
  },
  'response/no-credential': {
    'provider-secret-shown': 'the response contains the secret key of a payment provider',
    'provider-reference-shown': "a record contains a payment provider's reference",
    'credential-shown': 'a response contains a credential of another service',
  },
  'response/write-only': { 'write-only-shown': 'a response shows a member that is writeOnly' },
  'availability/retry-after': { 'retry-after-missing': 'a 429 has no Retry-After' },
  'availability/not-ready': { 'not-ready-other': 'a 503 has a different shape' },
  'pages/defaults': {
    'default-limit-other': 'a page without {parameter} has a size other than the documented default',
    'default-page-other': 'a request without {parameter} returns a page other than the first',
  },
  'pages/echo': {
    'limit-echo-constant': '{field} is always the same, whatever size was requested',
    'page-echo-constant': '{field} is always the same, whatever page was requested',
  },
  'pages/limit-size': {
    'page-too-large': 'a page contains one record more than its limit',
    'limit-doubled': 'a page contains twice as many records as {parameter}',
    'limit-ignored': 'the page size is ignored',
  },
  'pages/numbers': {
    'number-malformed-error': 'a {parameter} that is not a number causes a server error',
    'number-negative-error': 'a negative {parameter} causes a server error',
    'number-zero-error': 'a {parameter} of 0 causes a server error',
  },
  'pages/partition': {
    'page-overlap': 'some records are on two pages',
    'page-gap': 'some records are on no page',
    'page-last-short': 'the last record of the last page is missing',
    'pages-from-zero': 'pages are counted from 0, so that page 1 is the second one',
    'page-number-ignored': 'the page number is ignored, and the first page is always returned',
  },
  'pages/page-sizes': {
    'large-page-gaps': 'large pages leave out records',
    'end-unreachable': 'some page sizes never reach the end of the list',
    'page-shifted': 'a page does not start where its number and size imply',
  },
  'pages/beyond': {
    'beyond-first-page': 'a page past the end returns the first page',
    'beyond-page-error': 'a page past the end causes a server error',
    'beyond-other-records': 'a page past the end contains other records',
  },
  'pages/total': {
    'total-of-page': 'the total is the number of records on the page',
    'total-off-by-one': 'the total is one too high',
    'total-other': 'the total counts records other than those in the list',
    'total-filtered-other': 'the total of a filtered list counts neither the matching records nor all records',
  },
  'visible/lists': {
    'level-shown': 'the list contains records whose {field} is {value}',
    'hidden-listed': 'the list contains hidden records',
  },
  'visible/count': { 'hidden-counted': 'the total counts hidden records' },
  'visible/search': {
    'hidden-found': 'a search finds hidden records',
    'hidden-found-count': 'the total of a search counts hidden records',
  },
  'visible/single': {
    'hidden-read': 'the single read shows a hidden record',
    'hidden-in-failure': 'the error for a hidden record shows its content',
  },
  'search/narrows': {
    'search-ignored': '{parameter} is ignored, and every record is returned',
    'search-falls-back': 'a search without a match returns every record',
    'search-one-letter': 'only the first letter of {parameter} is used',
  },
  'search/finds': {
    'search-finds-nothing': 'a search never finds a record',
    'search-whole-text-only': '{parameter} finds a record only if it equals the whole {field}',
  },
  'watch/changed-at': { 'version-backwards': 'the time of the last change can go back' },
  'watch/late-arrivals': { 'arrival-late': 'a change can appear with a time before a checkpoint that clients already passed' },
} as const;

/** Mutants of single requests, which rules of several groups share. */
const requestTitles = {
  accepted: 'a request with {request} is valid',
  refused: 'a request with {request} is invalid',
  'value-error': 'a malformed value causes a server error',
  unchecked: 'any violation of this rule',
} as const;

/** The kinds of mutants of one rule. */
type KindOf<Titles> = Titles extends unknown ? keyof Titles & string : never;

/** A kind of mutants: the name of a wrong implementation, without its place. */
export type MutantKind = KindOf<(typeof titles)[keyof typeof titles]> | keyof typeof requestTitles;

/** The id of a mutant: `KIND:PLACE`, or `KIND` where the place is the operation under test. */
export type MutantId = MutantKind | `${MutantKind}:${string}`;

/** Words of a contract for the braces of a title. */
export type TitleWords = Readonly<Record<string, string | number>>;

/** A mutant by its id and title. */
export interface MutantIdentity {
  readonly id: MutantId;
  /** A clause that stands after "it behaves as if". */
  readonly title: string;
}

/** A mutant of a kind; `place` tells several of one kind apart. */
export function mutantOf(kind: MutantKind, words: TitleWords = {}, place?: string): MutantIdentity {
  return { id: place === undefined ? kind : `${kind}:${place}`, title: fill(titleOf.get(kind) ?? '', words) };
}

const titleOf: ReadonlyMap<string, string> = new Map([requestTitles, ...Object.values(titles)].flatMap((each) => Object.entries(each)));

/** The rules that report a kind of mutant; none for a kind that all rules share. */
export function rulesOfMutant(kind: string): readonly RuleId[] {
  return (Object.keys(titles) as (keyof typeof titles)[]).filter((rule) => Object.hasOwn(titles[rule], kind));
}

/** The rule that reports a kind of mutant; of two rules, the one of a group. */
export function ruleOfMutant(kind: MutantKind, group?: RuleGroup): RuleId {
  const rules = rulesOfMutant(kind);
  const rule = rules.length > 1 ? rules.find((each) => groupOf(each) === group) : rules[0];
  if (rule === undefined) throw new TypeError(`no rule reports ${kind}`);
  return rule;
}

/** A mutant that rules share; `request` is the noun that its title is about: `limit=101`. */
export function requestMutant(kind: keyof typeof requestTitles, request?: string): MutantIdentity {
  return mutantOf(kind, request === undefined ? {} : { request }, request);
}

function fill(template: string, words: TitleWords): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const word = words[name];
    if (word === undefined) throw new TypeError(`the title "${template}" needs the word ${name}`);
    return String(word);
  });
}
