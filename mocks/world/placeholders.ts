/** Recognises what stands in a path where a client had no key. */

/** A variable that a tool did not fill in: `{{petId}}` and `:petId` of Postman, `{petId}`, `<string>`. */
const variable = /^(?:\{.+\}|<.+>|\$\{.+\}|:[a-z_]\w*)$/i;

/** The words that collection generators draw for texts without an example. */
const fillerWords: ReadonlySet<string> = new Set(
  `ad adipisicing adipiscing aliqua aliquip amet anim aute cillum commodo consectetur consequat culpa cupidatat deserunt do dolor dolore duis ea
  eiusmod elit enim esse est et eu ex excepteur exercitation fugiat id in incididunt ipsum irure labore laboris laborum lorem magna minim mollit
  nisi non nostrud nulla occaecat officia pariatur proident qui quis reprehenderit sed sint sit sunt tempor ullamco ut velit veniam voluptate`.split(
    /\s+/,
  ),
);

/** Single words up to this length are also words of other languages. */
const longestAmbiguous = 5;

/** True for a text that names no record on purpose. */
export function isPlaceholder(text: string): boolean {
  const words = text.toLowerCase().split(/[\s+]+/);
  return variable.test(text) || ((words.length > 1 || text.length > longestAmbiguous) && words.every((word) => fillerWords.has(word)));
}
