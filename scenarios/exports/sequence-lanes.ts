import { markSigns, marksOf, markWords, type SequencePicture } from './sequence-picture.ts';
import { clipped } from './text-lines.ts';

/** Characters for the tick, its mark and the spaces after them. */
const tickWidth = 8;
/** Characters of a lane at least and at most, and of all lanes together at most. */
const [laneMin, laneMax, lanesMax] = [8, 16, 44];
/** Lines of a lane's name at most. */
const nameLinesMax = 4;

/** Draws a sequence picture as text of at most `width` columns: lanes on the left, what the messages say on the right. */
export function sequenceLanes(picture: SequencePicture, width = 100): readonly string[] {
  const { lanes, rows } = picture;
  const lane = Math.min(laneMax, Math.max(laneMin, Math.floor(lanesMax / Math.max(1, lanes.length))));
  const textAt = tickWidth + lane * lanes.length + 1;
  const middle = (index: number) => lane * index + (lane >> 1);
  const lines = (): string[] => {
    const empty = new Array<string>(lane * lanes.length).fill(' ');
    for (const index of lanes.keys()) empty[middle(index)] = '│';
    return empty;
  };
  const drawn = rows.map((row) => {
    const sign = row.mark ? markSigns[row.mark] : ' ';
    if (row.kind === 'note') return `${' '.repeat(5)} ${sign} ${row.text}`;
    const cells = lines();
    drawArrow(cells, row.from < 0 ? -1 : middle(row.from), middle(row.to));
    return `${String(row.tick).padStart(5)} ${sign} ${cells.join('')} ${row.text}`;
  });
  const heads = lanes.map((name) => nameLines(name, lane - 1));
  const height = Math.max(1, ...heads.map((head) => head.length));
  const header = Array.from({ length: height }, (_, line) => {
    const words = heads.map((head) => centred(head[line - height + head.length] ?? '', lane)).join('');
    return `${(line === height - 1 ? ' tick' : '').padEnd(tickWidth)}${words}`;
  });
  const legend = marksOf(picture)
    .filter((mark) => mark !== 'failure')
    .map((mark) => `${markSigns[mark]} ${markWords[mark]}`);
  const columns = Math.max(width, textAt);
  const indent = ' '.repeat(6);
  const told = packed(legend, columns - indent.length, '   ').map((line) => indent + line);
  return [...header, ...drawn, ...told].map((line) => clipped(line.trimEnd(), columns));
}

/** Pieces in lines of at most `width` characters, as many side by side as fit. */
function packed(pieces: readonly string[], width: number, gap: string): readonly string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    const wider = `${last}${gap}${piece}`;
    if (last !== undefined && wider.length <= width) lines[lines.length - 1] = wider;
    else lines.push(piece);
  }
  return lines;
}

/** Draws an arrow into the characters of a row; -1 is the left edge. */
function drawArrow(cells: string[], from: number, to: number): void {
  if (from === to) {
    cells[to] = '●';
    return;
  }
  const step = from < to ? 1 : -1;
  for (let at = from + step; at !== to; at += step) cells[at] = cells[at] === '│' ? '┼' : '─';
  if (from >= 0) cells[from] = step > 0 ? '├' : '┤';
  cells[to - step] = step > 0 ? '▶' : '◀';
}

/** A name in lines of at most `width` characters, broken before dots where that is possible. */
function nameLines(name: string, width: number): readonly string[] {
  const parts = name.split(/(?=\.)/).flatMap((one) => one.match(new RegExp(`.{1,${width}}`, 'g')) ?? []);
  return packed(parts, width, '').slice(-nameLinesMax);
}

function centred(text: string, width: number): string {
  return text.padStart(text.length + Math.ceil((width - text.length) / 2)).padEnd(width);
}
