/** Checks of an HTML report that run in the browser. */

/** Text that stands less than 4.5 times lighter or darker than what is behind it, as `ratio: text`; everything must be unfolded. */
export const lowContrast = `(() => {
  const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const [r, g, b] = rgba(colour).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let each = element; each !== null; each = each.parentElement) {
      const { backgroundColor } = getComputedStyle(each);
      if (rgba(backgroundColor)[3] === 255) return backgroundColor;
    }
    return getComputedStyle(document.documentElement).colorScheme.includes('dark') ? '#000' : '#fff';
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.textContent.trim() === '' || !element.checkVisibility() || ['SCRIPT', 'STYLE'].includes(element.tagName)) continue;
    const pair = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5) found.push(ratio.toFixed(2) + ': ' + node.textContent.trim().slice(0, 60));
  }
  return [...new Set(found)];
})()`;

/** Opens everything that is folded. */
export const unfoldAll = `for (const each of document.querySelectorAll('details')) each.open = true;`;

/** True when the page is wider than the window, so that readers scroll sideways. */
export const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** Words that go on in the next line, as `left|right`, outside of preformatted text. */
export const brokenWords = `(() => {
  const found = [];
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element.checkVisibility() || element.closest('pre, script, style, select, .hidden-text') !== null) continue;
    const topOf = (index) => {
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      return range.getBoundingClientRect().top;
    };
    for (const { 0: word, index } of node.textContent.matchAll(/[a-z0-9]{2,}/gi))
      for (let at = 1; at < word.length; at += 1)
        if (topOf(index + at) !== topOf(index + at - 1)) found.push(word.slice(0, at) + '|' + word.slice(at));
  }
  return found;
})()`;

/** Focused element: its text, and whether the focus is visible. */
export const focused = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  return {
    name: element.getAttribute('aria-label') ?? element.id ?? '',
    tag: element.tagName,
    isVisible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && width > 0 && height > 0,
  };
})()`;
