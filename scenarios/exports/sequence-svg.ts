import { element, textElement, textWidth, tooltip } from '../../machines/svg.ts';
import { markSigns, marksOf, markWords, type SequenceMark, type SequencePicture } from './sequence-picture.ts';

/** Colours of the marks: of the band behind a row and of its sign. Light bands, so that dark text reads on them. */
const colours: Readonly<Record<SequenceMark, { readonly band: string; readonly sign: string }>> = {
  chosen: { band: '#fff1cc', sign: '#9a6700' },
  overtaken: { band: '#e1ecfa', sign: '#2b5c8f' },
  different: { band: '#f0e6fb', sign: '#6a4588' },
  failure: { band: '#ffe0e0', sign: '#b42318' },
};

const fonts = "ui-sans-serif, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
const style = [
  `text{font-family:${fonts};font-size:12px;fill:#24292f}`,
  '.title{font-size:15px;font-weight:600}',
  '.name{font-weight:600;text-anchor:middle}',
  '.tick{fill:#57606a;text-anchor:end}',
  '.sign{font-weight:700;text-anchor:middle}',
  '.said{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}',
  '.life{stroke:#c3c9d0;stroke-width:1;stroke-dasharray:3 3}',
  '.way{stroke:#3b4350;stroke-width:1.4;fill:none;marker-end:url(#head)}',
].join('');

/** Measures in px. */
const margin = 20;
const tickColumn = 76;
const rowHeight = 38;
const lineHeight = 16;
const laneMin = 110;
const titleSize = 15;
const textSize = 12;
/** Characters of a line of the title and of notes at most. */
const lineMax = 96;

/** Draws a sequence picture as SVG: lanes for the actors, arrows for the messages, coloured bands and signs for what is marked. */
export function sequenceSvg(picture: SequencePicture): string {
  const { title, lanes, rows } = picture;
  const heads = lanes.map((name) => name.split(/(?=\.)/));
  const laneWidth = Math.max(
    laneMin,
    ...heads.flat().map((line) => textWidth(line, textSize) * 1.1 + 24),
  );
  const laneX = (lane: number) => tickColumn + laneWidth * (lane + 0.5);
  const titleLines = brokenLines(title, lineMax);
  const headHeight = 14 + lineHeight * Math.max(1, ...heads.map((head) => head.length));
  const headTop = margin + titleLines.length * 20 + 8;
  const rowsTop = headTop + headHeight + 14;

  let bottom = rowsTop;
  let right = tickColumn + laneWidth * lanes.length;
  let tick = -1;
  const bands: string[] = [];
  const drawn: string[] = [];
  const band = (mark: SequenceMark, height: number) => {
    const { sign, band: fill } = colours[mark];
    bands.push(element('rect', { x: margin, y: bottom, width: '__width', height, rx: 4, fill }));
    const y = bottom + height / 2 + 5;
    drawn.push(textElement({ class: 'sign', x: margin + 12, y, style: `fill:${sign}` }, markSigns[mark]));
  };
  for (const row of rows) {
    if (row.kind === 'note') {
      const lines = brokenLines(row.text, lineMax);
      const height = lines.length * lineHeight + 12;
      if (row.mark) band(row.mark, height);
      const x = tickColumn + 8;
      lines.forEach((line, index) => {
        drawn.push(textElement({ x, y: bottom + 18 + index * lineHeight }, line));
        right = Math.max(right, x + textWidth(line, textSize));
      });
      bottom += height + 6;
      continue;
    }
    if (row.mark) band(row.mark, rowHeight - 4);
    const y = bottom + 26;
    if (row.tick !== tick) drawn.push(textElement({ class: 'tick', x: tickColumn - 10, y: y + 4 }, `tick ${row.tick}`));
    tick = row.tick;
    const to = laneX(row.to);
    const from = row.from < 0 ? tickColumn - 4 : laneX(row.from);
    const said = Math.min(from, to) + 8;
    drawn.push(
      element('path', { class: 'way', d: from === to ? loop(to, y) : `M${from},${y}H${to - Math.sign(to - from) * 2}` }),
      element('g', {}, tooltip(row.text), textElement({ class: 'said', x: said, y: y - 6 }, row.text)),
    );
    right = Math.max(right, said + textWidth(row.text, textSize));
    bottom += rowHeight;
  }

  const legend = marksOf(picture).map((mark, index) => {
    const y = bottom + 24 + index * lineHeight;
    return (
      textElement({ class: 'sign', x: margin + 12, y, style: `fill:${colours[mark].sign}` }, markSigns[mark]) +
      textElement({ x: margin + 28, y }, markWords[mark])
    );
  });
  for (const line of titleLines) right = Math.max(right, margin + textWidth(line, titleSize) * 1.1);
  const width = Math.ceil(right + margin);
  const height = bottom + 24 + legend.length * lineHeight + margin;
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
    },
    element('title', {}, ...[]) === '' ? '' : tooltip(title),
    element('style', {}, style),
    arrowHead,
    element('rect', { width, height, fill: '#fff' }),
    ...titleLines.map((line, index) => textElement({ class: 'title', x: margin, y: margin + 14 + index * 20 }, line)),
    ...bands.map((one) => one.replace('__width', String(width - 2 * margin))),
    ...lanes.map((_, lane) =>
      element('line', { class: 'life', x1: laneX(lane), x2: laneX(lane), y1: headTop + headHeight, y2: bottom }),
    ),
    ...heads.map((head, lane) => laneHead(head, laneX(lane), headTop, laneWidth - 16, headHeight)),
    ...drawn,
    ...legend,
  )}\n`;
}

const arrowHead = element(
  'defs',
  {},
  element(
    'marker',
    { id: 'head', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: 'auto' },
    element('path', { d: 'M0,0.5L8,4L0,7.5Z', fill: '#3b4350' }),
  ),
);

/** A message of an actor to itself. */
const loop = (x: number, y: number): string => `M${x},${y - 5}h18q6,0 6,5t-6,5h-16`;

function laneHead(lines: readonly string[], x: number, y: number, width: number, height: number): string {
  const first = y + height / 2 + 4 - ((lines.length - 1) * lineHeight) / 2;
  return (
    element('rect', { x: x - width / 2, y, width, height, rx: 5, fill: '#f3f5f7', stroke: '#b9bfc6' }) +
    lines
      .map((line, index) => textElement({ class: 'name', x, y: first + index * lineHeight }, line))
      .join('')
  );
}

/** A text in lines of at most `max` characters, broken at spaces. */
function brokenLines(text: string, max: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= max) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
