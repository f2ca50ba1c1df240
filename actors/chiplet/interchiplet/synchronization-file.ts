import { TraceError } from './located-line.ts';
import { type Place, samePlace } from './place.ts';

/** What the synchronisation file says: the cycle S of the next meeting, the interval I after it, and who is there (chiplet specification 10). */
export interface SynchronizationView {
  readonly cycle: number;
  readonly interval: number;
  readonly arrived: readonly Place[];
}

/** The text of a synchronisation file: S, I, and a line for each chiplet that has arrived. */
export const synchronizationText = ({ cycle, interval, arrived }: SynchronizationView): string =>
  [cycle, interval, ...arrived.map(({ x, y }) => `${x}, ${y}`)].map((line) => `${line}\n`).join('');

const help = 'line 1: cycle of the next meeting; line 2: interval; then one chiplet a line: x, y';

/**
 * Reads a synchronisation file; between x and y stand a comma, a full-width comma or blanks.
 *
 * Errors: `TraceError` with line and column; also for a chiplet that stands there twice, and for more lines than `chipletCount` + 2.
 */
export function parseSynchronization(
  text: string,
  file: string,
  chipletCount = Number.POSITIVE_INFINITY,
): SynchronizationView {
  const lines = text.split(/\r?\n/);
  while (lines.at(-1)?.trim() === '') lines.pop();
  const refuse = (line: number, what: string): never => {
    throw new TraceError(file, line, 1, what, help);
  };
  const whole = (line: number, name: string, least: number): number => {
    const found = lines[line - 1]?.trim() ?? '';
    const value = Number(found);
    if (/^\d+$/.test(found) && Number.isSafeInteger(value) && value >= least) return value;
    const told = line > lines.length ? 'the end of the file' : JSON.stringify(found);
    return refuse(line, `found ${told}, expected ${name}, a whole number from ${least}`);
  };
  const cycle = whole(1, 'the cycle of the next meeting', 0);
  const interval = whole(2, 'the interval', 1);
  const arrived: Place[] = [];
  for (const [index, line] of lines.slice(2).entries()) {
    const match = /^\s*(\d{1,2})\s*[,\uff0c\s]\s*(\d{1,2})\s*$/.exec(line);
    if (!match) return refuse(index + 3, `found ${JSON.stringify(line)}, expected a chiplet`);
    const place = { x: Number(match[1]), y: Number(match[2]) };
    if (arrived.some((one) => samePlace(one, place)))
      refuse(index + 3, `found the chiplet ${place.x}, ${place.y} again, expected each once`);
    arrived.push(place);
  }
  if (arrived.length > chipletCount)
    refuse(chipletCount + 3, `found ${arrived.length} chiplets, expected at most ${chipletCount}`);
  return { cycle, interval, arrived };
}
