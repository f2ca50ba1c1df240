import { escapedForMermaid } from './mermaid.ts';
import { marksOf, markWords, type SequenceMark, type SequencePicture } from './sequence-picture.ts';

/** Backgrounds of marked rows. */
const backgrounds: Readonly<Record<SequenceMark, string>> = {
  chosen: 'rgb(255, 236, 179)',
  overtaken: 'rgb(225, 236, 250)',
  answered: 'rgb(255, 236, 179)',
  again: 'rgb(255, 236, 179)',
  different: 'rgb(243, 232, 255)',
  fault: 'rgb(255, 232, 209)',
  failure: 'rgb(255, 221, 221)',
};

/** Draws a sequence picture as a Mermaid sequence diagram. */
export function sequenceMermaid(picture: SequencePicture): string {
  const { title, lanes, rows } = picture;
  const outside = rows.some((row) => row.kind === 'message' && row.from < 0);
  const names = outside ? ['elsewhere', ...lanes] : lanes;
  const alias = (lane: number) => `a${outside ? lane + 1 : lane}`;
  const everyone = names.length > 1 ? `a0,a${names.length - 1}` : 'a0';
  const over = (about: readonly number[]) =>
    about.length === 0
      ? everyone
      : [...new Set([Math.min(...about), Math.max(...about)])].map(alias).join(',');
  let tick = -1;
  const lines = rows.flatMap((row) => {
    const text = escapedForMermaid(row.text);
    const line =
      row.kind === 'note'
        ? `Note over ${over(row.lanes)}: ${text}`
        : `${alias(row.from)}->>${alias(row.to)}: ${text}`;
    const ticks =
      row.kind === 'message' && row.tick !== tick ? [`  Note over ${everyone}: tick ${row.tick}`] : [];
    if (row.kind === 'message') tick = row.tick;
    return [
      ...ticks,
      ...(row.mark ? [`  rect ${backgrounds[row.mark]}`, `    ${line}`, '  end'] : [`  ${line}`]),
    ];
  });
  const legend = marksOf(picture).map((mark) => `%% ${backgrounds[mark]}: ${markWords[mark]}`);
  return `${[
    '---',
    `title: ${JSON.stringify(title)}`,
    '---',
    ...legend,
    'sequenceDiagram',
    ...names.map((name, index) => `  participant a${index} as ${escapedForMermaid(name)}`),
    ...lines,
  ].join('\n')}\n`;
}
