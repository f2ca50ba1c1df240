import { describe, expect, test } from 'vitest';
import { textWidth } from '../../machines/svg.ts';
import { sequenceLanes } from './sequence-lanes.ts';
import { sequenceMermaid } from './sequence-mermaid.ts';
import type { SequencePicture } from './sequence-picture.ts';
import { sequenceSvg } from './sequence-svg.ts';

const picture: SequencePicture = {
  title: 'violated: a < b, always',
  lanes: ['Box', 'Spu[0].Dma.Request[1]', 'Writer'],
  rows: [
    { kind: 'message', tick: 0, from: -1, to: 1, text: 'go' },
    { kind: 'message', tick: 12, from: 1, to: 0, text: 'letter.read page=7', mark: 'chosen' },
    { kind: 'message', tick: 12, from: 2, to: 0, text: 'letter.write; value=<1>', mark: 'overtaken' },
    {
      kind: 'message',
      tick: 12,
      from: 0,
      to: 2,
      text: `letter.text ${'long '.repeat(30)}`,
      mark: 'different',
    },
    { kind: 'message', tick: 13, from: 1, to: 1, text: 'letter.compare' },
    { kind: 'note', text: 'tick 13: the page holds 0', lanes: [1], mark: 'failure' },
  ],
};
const plain: SequencePicture = { ...picture, lanes: ['Box'], rows: [] };

describe('lanes of text', () => {
  test('have an arrow for each message, what it says, and signs for what is marked', () => {
    expect(sequenceLanes(picture).join('\n')).toBe(`                        Spu[0].Dma
 tick         Box       .Request[1]     Writer
    0   ───────┼────────────▶│             │       go
   12 1        │◀────────────┤             │       letter.read page=7
   12 2        │◀────────────┼─────────────┤       letter.write; value=<1>
   12 ≠        ├─────────────┼────────────▶│       letter.text long long long long long long long l…
   13          │             ●             │       letter.compare
      ✗ tick 13: the page holds 0
      1 came first here   2 comes first in the run that passes   ≠ not so in the run that passes`);
  });

  test('are never wider than asked for', () => {
    for (const width of [72, 80, 100])
      expect(Math.max(...sequenceLanes(picture, width).map(({ length }) => length))).toBeLessThanOrEqual(
        width,
      );
  });
});

describe('a Mermaid diagram', () => {
  test('has a participant for each lane, coloured marks, and a note for each tick', () => {
    const text = sequenceMermaid({ ...picture, rows: [...picture.rows.slice(0, 3), picture.rows[5]!] });

    expect(text).toBe(`---
title: "violated: a < b, always"
---
%% rgb(255, 236, 179): came first here
%% rgb(225, 236, 250): comes first in the run that passes
%% rgb(255, 221, 221): where it was found
sequenceDiagram
  participant a0 as elsewhere
  participant a1 as Box
  participant a2 as Spu[0].Dma.Request[1]
  participant a3 as Writer
  Note over a0,a3: tick 0
  a0->>a2: go
  Note over a0,a3: tick 12
  rect rgb(255, 236, 179)
    a2->>a1: letter.read page=7
  end
  rect rgb(225, 236, 250)
    a3->>a1: letter.write#59; value=#60;1#62;
  end
  rect rgb(255, 221, 221)
    Note over a2: tick 13: the page holds 0
  end
`);
  });
});

describe('an SVG picture', () => {
  const texts = (svg: string) =>
    [...svg.matchAll(/<text class="said" x="([\d.]+)" y="[\d.]+">([^<]*)<\/text>/g)].map((match) => ({
      x: Number(match[1]),
      text: match[2]!,
    }));

  test('escapes what it says', () => {
    const svg = sequenceSvg(picture);

    expect(svg).toContain('violated: a &lt; b, always');
    expect(svg).toContain('letter.write; value=&lt;1&gt;');
    expect(svg).not.toContain('<1>');
  });

  test('is wide enough for every text', () => {
    const svg = sequenceSvg(picture);

    const width = Number(/ width="(\d+)"/.exec(svg)?.[1]);
    expect(texts(svg)).toHaveLength(picture.rows.length);
    for (const { x, text } of texts(svg)) expect(x + textWidth(text, 12)).toBeLessThan(width);
  });

  test('explains each mark that it uses, and no other', () => {
    expect(sequenceSvg(picture)).toContain('comes first in the run that passes');
    expect(sequenceSvg(plain)).not.toContain('comes first in the run that passes');
  });
});
