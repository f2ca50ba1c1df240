import { element, textElement, textWidth, tooltip } from '../../machines/svg.ts';
import {
  markSigns,
  marksOf,
  markWords,
  type SequenceMark,
  type SequenceMessage,
  type SequencePicture,
} from './sequence-picture.ts';
import { wrapped } from './text-lines.ts';

/** Colours of the marks: of the band behind a row and of its sign. Light bands, so that dark text reads on them. */
const colours: Readonly<Record<SequenceMark, { readonly band: string; readonly sign: string }>> = {
  chosen: { band: '#fff1cc', sign: '#9a6700' },
  overtaken: { band: '#e1ecfa', sign: '#2b5c8f' },
  answered: { band: '#ffecb3', sign: '#7a5a00' },
  again: { band: '#ffecb3', sign: '#7a5a00' },
  different: { band: '#f0e6fb', sign: '#6a4588' },
  fault: { band: '#ffe8d1', sign: '#b35900' },
  failure: { band: '#ffe0e0', sign: '#b42318' },
};

const fonts = "ui-sans-serif, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
const style = [
  `text{font-family:${fonts};font-size:12px;fill:#24292f}`,
  '.title{font-size:15px;font-weight:600}',
  '.name{font-weight:600;text-anchor:middle}',
  '.tick{fill:#57606a;text-anchor:end}',
  '.sign{font-weight:700;text-anchor:middle}',
  '.said{paint-order:stroke;stroke:#fff;stroke-opacity:.8;stroke-width:4px;stroke-linejoin:round}',
  '.life{stroke:#c3c9d0;stroke-dasharray:3 3}',
  '.way{stroke:#3b4350;stroke-width:1.4;fill:none;marker-end:url(#head)}',
].join('');

// Measures in px, and characters of a line of the title and of notes at most.
const [margin, signColumn, laneMin, rowHeight, lineHeight, titleHeight] = [20, 30, 110, 38, 16, 20];
const [titleSize, textSize, lineMax] = [15, 12, 96];
/** The reader's font may be wider than the one that `textWidth` has in mind, and bold letters are wider still. */
const [wide, bold] = [1.1, 1.2];

/** Draws a sequence picture as SVG: lanes for the actors, arrows for the messages, coloured bands and signs for what is marked. */
export function sequenceSvg(picture: SequencePicture): string {
  const { lanes, rows } = picture;
  const title = wrapped(picture.title, lineMax);
  const names = lanes.map((name) => name.split(/(?=\.)/));
  const nameWidth = Math.max(0, ...names.flat().map((line) => textWidth(line, textSize) * bold));
  const laneWidth = Math.max(laneMin, nameWidth + 28);
  const ticks = rows.map((row) => (row.kind === 'message' ? textWidth(tickText(row.tick), textSize) : 0));
  const tickColumn = margin + signColumn + Math.max(0, ...ticks) * wide + 12;
  const laneX = (lane: number) => (lane < 0 ? tickColumn - 4 : tickColumn + laneWidth * (lane + 0.5));
  const headTop = margin + title.length * titleHeight + 8;
  const headHeight = 14 + lineHeight * Math.max(1, ...names.map((lines) => lines.length));

  let [bottom, tick] = [headTop + headHeight + 14, -1];
  let right = Math.max(
    tickColumn + laneWidth * lanes.length,
    ...title.map((line) => margin + textWidth(line, titleSize) * bold),
  );
  const bands: { readonly y: number; readonly height: number; readonly mark: SequenceMark }[] = [];
  const drawn = rows.flatMap((row) => {
    const lines = row.kind === 'note' ? wrapped(row.text, lineMax) : [row.text];
    const height = row.kind === 'note' ? lines.length * lineHeight + 12 : rowHeight - 4;
    const [x, y] =
      row.kind === 'note'
        ? [tickColumn, bottom + 18]
        : [Math.min(laneX(row.from), laneX(row.to)) + 8, bottom + 19];
    if (row.mark) bands.push({ y: bottom, height, mark: row.mark });
    bottom += height + 4;
    right = Math.max(right, ...lines.map((line) => x + textWidth(line, textSize) * wide));
    const said = lines.map((line, index) =>
      textElement({ class: 'said', x, y: y + index * lineHeight }, line),
    );
    if (row.kind === 'note') return said;
    const first = row.tick !== tick;
    tick = row.tick;
    return [
      ...(first ? [textElement({ class: 'tick', x: tickColumn - 12, y: y + 10 }, tickText(tick))] : []),
      way(row, laneX, y + 7),
      ...said,
    ];
  });

  const legendTop = bottom + 20;
  const marks = marksOf(picture);
  const width = Math.ceil(right + margin);
  const height = legendTop + marks.length * lineHeight + margin - lineHeight / 2;
  const page = element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' },
    tooltip(picture.title),
    element('style', {}, style),
    arrowHead,
    element('rect', { width, height, fill: '#fff' }),
    ...title.map((line, index) =>
      textElement({ class: 'title', x: margin, y: margin + 14 + index * titleHeight }, line),
    ),
    ...bands.map(({ mark, ...place }) =>
      element('rect', { x: margin, ...place, width: width - 2 * margin, rx: 4, fill: colours[mark].band }),
    ),
    ...lanes.map((_, lane) => {
      const x = laneX(lane);
      return element('line', { class: 'life', x1: x, x2: x, y1: headTop + headHeight, y2: bottom });
    }),
    ...names.map((lines, lane) => head(lines, laneX(lane), headTop, laneWidth - 14, headHeight)),
    ...drawn,
    ...bands.map(({ y, height, mark }) => sign(mark, y + height / 2 + 4)),
    ...marks.flatMap((mark, index) => {
      const y = legendTop + index * lineHeight;
      return [sign(mark, y), textElement({ x: margin + 26, y }, markWords[mark])];
    }),
  );
  return `${page}\n`;
}

const tickText = (tick: number): string => `tick ${tick}`;

const arrowHead = element(
  'defs',
  {},
  element(
    'marker',
    { id: 'head', viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 8, markerHeight: 8, orient: 'auto' },
    element('path', { d: 'M0,0.5L8,4L0,7.5Z', fill: '#3b4350' }),
  ),
);

/** The arrow of a message; one to its own sender leaves the lane and returns. */
function way({ from, to }: SequenceMessage, laneX: (lane: number) => number, y: number): string {
  const d = from === to ? `M${laneX(to)},${y - 4}h20q5,0 5,4t-5,4h-20` : `M${laneX(from)},${y}H${laneX(to)}`;
  return element('path', { class: 'way', d });
}

const sign = (mark: SequenceMark, y: number): string =>
  textElement({ class: 'sign', x: margin + 12, y, style: `fill:${colours[mark].sign}` }, markSigns[mark]);

/** The box with the name of a lane, one line for each part of the name. */
function head(lines: readonly string[], x: number, y: number, width: number, height: number): string {
  const first = y + height / 2 + 4 - ((lines.length - 1) * lineHeight) / 2;
  return [
    element('rect', { x: x - width / 2, y, width, height, rx: 5, fill: '#f3f5f7', stroke: '#b9bfc6' }),
    ...lines.map((line, index) => textElement({ class: 'name', x, y: first + index * lineHeight }, line)),
  ].join('');
}
