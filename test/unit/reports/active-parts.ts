/** What of a comment in Markdown is more than text. */

/** What is left when everything is taken away that Markdown shows as it is: fenced blocks, code, and escaped characters. */
export function activeParts(markdown: string): string {
  return markdown
    .replaceAll(/^(`{3,})[a-z]*\n[\s\S]*?\n\1$/gm, '')
    .replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
    .replaceAll(/<code>[^<]*<\/code>/g, '')
    .replaceAll(/\\[\\`*[\]|~$!_#+=-]/g, '');
}
