import { it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { readContract, loadContract } from '../../../../core/contract.ts';
import { loadDocument } from '../../../../core/document.ts';
import { contractFile } from '../../../../core/shipped.ts';
import { compareRules } from '../../../../contracts/diff/rules/compare-rules.ts';
import { notesText } from '../../../helpers/notes-contract.ts';
type J = any;
function* paths(v: J, p: (string|number)[], inX: boolean): Generator<(string|number)[]> {
  if (inX) yield p;
  if (typeof v !== 'object' || v === null) return;
  for (const [k, m] of Object.entries(v)) yield* paths(m, [...p, k], inX || k.startsWith('x-'));
}
it('t', { timeout: 500000 }, async () => {
  const wikis = await loadContract('wiki' === 'wiki' ? contractFile('wiki') : '');
  const biz = await loadContract(contractFile('business'));
  
  for (const [name, text] of [['wiki', await readFile(contractFile('wiki'), 'utf8')], ['business', await readFile(contractFile('business'), 'utf8')]] as const) {
    const doc = await loadDocument('a.yaml', async () => text);
    const old = await readContract('a.yaml', async () => text);
    let n = 0, bad = 0; const silent: string[] = [];
    for (const p of paths(doc.root, [], false)) { if (name === 'business' && p[0] === 'x-unspecified') continue;
      const copy = structuredClone(doc.root) as J;
      let h = copy; for (const k of p.slice(0, -1)) h = h[k];
      const last = p.at(-1)!;
      if (Array.isArray(h)) h.splice(Number(last), 1); else delete h[last];
      try {
        const next = await (name === 'wiki' ? loadContract : readContract)('b.yaml', async () => JSON.stringify(copy));
        n++;
        const changes = compareRules(old, next);
        if (changes.length === 0) silent.push(p.join('/'));
        for (const c of changes) if (/undefined|\[object|null/.test(c.text + c.reason)) silent.push('TEXT ' + c.text);
      } catch (e) { bad++; if (!/SpecError|TypeError: a filter without/.test(String((e as Error).name) + String(e))) console.log(p.join('/'), (e as Error).stack?.slice(0, 400)); }
    }
    console.log(name, n, bad, silent.join('\n'));
  }
});
