/** The active parts of a Markdown comment: what is left without fenced blocks, code and escaped characters. */
export function activeParts(markdown: string): string {
  return markdown
    .replaceAll(/^(`{3,})[a-z]*\n[\s\S]*?\n\1$/gm, '')
    .replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
    .replaceAll(/<code>[^<]*<\/code>/g, '')
    .replaceAll(/\\[\\`*[\]|~$!_#+=-]/g, '');
}
