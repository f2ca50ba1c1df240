import { compareGenerated } from './generated-twins.ts';
const rows: string[] = [];
for (let i = 0; i < 48; i++) { const t = performance.now(); const c = compareGenerated(18, i); rows.push(`${i} ${(performance.now() - t).toFixed(0)} ms ${c.messages} ${c.difference ? 'DIFF' : ''}`); }
console.log(rows.join('\n'));
