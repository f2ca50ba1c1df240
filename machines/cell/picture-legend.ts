import { element, textElement, textWidth } from '../svg.ts';
import type { LoggedRun } from './transfers-of-log.ts';

/** One sign of the legend: how wide it is in px, how it is drawn at a place, and up to two lines of words. */
interface Sign {
  readonly width: number;
  readonly draw: (x: number, y: number) => string;
  readonly words: readonly string[];
}

const LEFT = 14;
const ROW_HEIGHT = 36;

const TRANSFER: Sign = {
  width: 30,
  draw: (x, y) =>
    element('rect', { class: 'block', x, y: y - 10, width: 30, height: 26, rx: 3 }) +
    element('path', { class: 'byte', d: `M${x + 10} ${y - 9}v24M${x + 20} ${y - 9}v24` }) +
    element('path', { class: 'way', 'stroke-width': 1.4, d: `M${x + 6} ${y - 5}v12` }) +
    element('circle', { class: 'mark', cx: x + 6, cy: y - 4, r: 3 }) +
    element('path', { class: 'mark', d: `M${x + 2.5} ${y + 7}h7l-3.5 6z` }),
  words: ['transfer: dot = sender, arrow = receiver, all', 'nodes between them held; one byte a cycle'],
};

const WAITING: Sign = { width: 30, draw: bar(''), words: ['waiting, with the', 'number of cycles'] };

const ISSUED: Sign = {
  width: 8,
  draw: (x, y) => element('circle', { class: 'mark', cx: x + 4, cy: y + 3, r: 3.2 }),
  words: ['request', 'issued'],
};

const SELF: Sign = {
  width: 12,
  draw: (x, y) =>
    element('circle', { class: 'mark', cx: x + 6, cy: y + 3, r: 2.2 }) +
    element('circle', { class: 'way', cx: x + 6, cy: y + 3, r: 5, 'stroke-width': 1.2 }),
  words: ['sender is', 'the receiver'],
};

const EMPTY: Sign = {
  width: 10,
  draw: (x, y) => element('path', { class: 'way', d: `M${x + 5} ${y - 2}l5 5l-5 5l-5 -5z` }),
  words: ['transfer of no', 'bytes complete'],
};

const CUT: Sign = { width: 30, draw: bar(' open'), words: ['dashed edge: cut', 'by the end of the run'] };

const EXCEPTION: Sign = {
  width: 10,
  draw: (x, y) => element('path', { class: 'fault', d: `M${x} ${y - 2}l10 10m0 -10l-10 10` }),
  words: ['exception', 'of a program'],
};

function bar(state: string): Sign['draw'] {
  return (x, y) => element('rect', { class: `bar${state}`, x, y: y - 3, width: 30, height: 12 });
}

/** A part of a picture and the room it takes. */
export interface DrawnPart {
  readonly svg: string;
  /** In px. */
  readonly height: number;
}

/** Draws what the marks of a space-time picture mean, in rows of at most `width` px from `top` on; only marks that the run has. */
export function legendMarks(run: LoggedRun, width: number, top: number): DrawnPart {
  let x = LEFT;
  let y = top;
  const drawn = signsOf(run).map(({ width: signWidth, draw, words }) => {
    const wordsWidth = Math.max(...words.map((line) => textWidth(line, 10)));
    const needed = signWidth + 8 + wordsWidth + 12;
    if (x > LEFT && x + needed > width) {
      x = LEFT;
      y += ROW_HEIGHT;
    }
    const wordsLeft = x + signWidth + 8;
    const lines = words.map((line, index) =>
      textElement({ class: 'small', x: wordsLeft, y: y + 19 + index * 13 }, line),
    );
    const sign = draw(x, y + 19);
    x += needed;
    return sign + lines.join('');
  });
  return { svg: element('g', { class: 'legend c0' }, ...drawn), height: y + ROW_HEIGHT + 14 - top };
}

function signsOf({ transfers, exceptions }: LoggedRun): Sign[] {
  const signs = [TRANSFER, WAITING, ISSUED];
  if (transfers.some(({ sender, receiver, size }) => sender === receiver && size > 0)) signs.push(SELF);
  if (transfers.some(({ state }) => state === 'empty')) signs.push(EMPTY);
  if (transfers.some(({ state }) => state === 'waiting' || state === 'running')) signs.push(CUT);
  if (exceptions.length > 0) signs.push(EXCEPTION);
  return signs;
}
