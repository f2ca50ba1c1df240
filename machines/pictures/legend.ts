import { textElement, textWidth } from '../svg.ts';
import { ink } from './palette.ts';

/** One entry of a legend: its words, and what draws its sign into a box of 14 x 14 px. */
export interface LegendEntry {
  readonly words: string;
  sign(x: number, y: number): string;
}

const [fontSize, lineHeight, signWidth, gap] = [12, 20, 20, 18];
/** The reader's font may be wider than the one that `textWidth` has in mind. */
export const wide = 1.1;

/** Lays entries out in lines of at most `width` px, each as wide as its words; gives what is drawn, its height and its width in px. */
export function legend(
  entries: readonly LegendEntry[],
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): { readonly drawn: readonly string[]; readonly height: number; readonly width: number } {
  let [atX, atY, widest] = [0, 0, 0];
  const drawn = entries.flatMap(({ words, sign }) => {
    const own = signWidth + textWidth(words, fontSize) * wide;
    if (atX > 0 && atX + own > width) [atX, atY] = [0, atY + lineHeight];
    const place = { x: x + atX, y: y + atY };
    atX += own + gap;
    widest = Math.max(widest, atX - gap);
    return [
      sign(place.x, place.y),
      textElement({ x: place.x + signWidth, y: place.y + 11, 'font-size': fontSize, fill: ink }, words),
    ];
  });
  return { drawn, height: entries.length === 0 ? 0 : atY + lineHeight, width: widest };
}
