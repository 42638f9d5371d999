/** How the report of a comparison in HTML looks beyond what all pages share, and the few lines of script that it can be read without. */

/** The style sheet. */
export const style = `
:root {
  --breaking: light-dark(#b3201f, #ff8f86); --risky: light-dark(#7d4e00, #e3b341); --compatible: light-dark(#116329, #6fdd8b);
  --documentation: light-dark(#57606a, #9aa4ae);
  --removed: light-dark(#ffebe9, #3c1618); --removed-part: light-dark(#ffc1bc, #8e2a2b);
  --added: light-dark(#e6ffec, #12301c); --added-part: light-dark(#abf2bc, #1f6f38);
}
article.breaking { border-left-color: var(--breaking); }
article.risky { border-left-color: var(--risky); }
article.compatible { border-left-color: var(--compatible); }
article.documentation { border-left-color: var(--documentation); }
.level-breaking { color: var(--breaking); }
.level-risky { color: var(--risky); }
.level-compatible { color: var(--compatible); }
.level-documentation { color: var(--documentation); }
pre del, pre ins { text-decoration: none; display: inline-block; min-width: 100%; }
del { background: var(--removed); }
ins { background: var(--added); }
del mark { background: var(--removed-part); color: inherit; }
ins mark { background: var(--added-part); color: inherit; }
@media print {
  :root { --removed: #ffffff; --removed-part: #dddddd; --added: #ffffff; --added-part: #dddddd; }
}
`;

/** Shows and hides levels, and opens what is folded before printing. */
export const script = `
const levels = document.getElementById('levels');
if (levels !== null) {
  levels.hidden = false;
  levels.addEventListener('change', ({ target }) => {
    document.getElementById(target.value).hidden = !target.checked;
  });
}
addEventListener('beforeprint', () => {
  for (const folded of document.querySelectorAll('details')) folded.open = true;
});
`;
