import { type DelayLine, isAcknowledged } from './latency-records.ts';
import { readLines } from './located-line.ts';
import { type Place, placeOfNode, placeWords } from './place.ts';

const form = 'cycle src_x src_y dst_x dst_y desc count lat0 lat1 [lat2 lat3]';

const nodeForm = 'cycle src dst desc count lat0 lat1 [lat2 lat3]';

/** Lines of `delayInfo.txt` (chiplet specification 9.6); with the width of a grid nodes instead of places. */
export const delayTextOf =
  (width?: number) =>
  ({ cycle, source, target, description, latencies }: DelayLine): string =>
    [
      cycle,
      placeWords(source, width),
      placeWords(target, width),
      description,
      latencies.length,
      ...latencies,
    ].join(' ');

/** A line of `delayInfo.txt`. */
export const delayText = delayTextOf();

/**
 * The lines of a `delayInfo.txt`; with the width of a grid nodes instead of places.
 *
 * Errors: `TraceError` with line and column; also for a count other than 2, or 4 where `desc` has an acknowledgement.
 */
export const parseDelay = (text: string, file: string, width?: number): readonly DelayLine[] =>
  readLines(text, file, width === undefined ? form : nodeForm, (line) => {
    const place = (name: string): Place =>
      width === undefined ? line.place(name) : placeOfNode(line.whole(name), width);
    const cycle = line.whole('cycle');
    const source = place('the source');
    const target = place('the target');
    const description = line.whole('desc', 0, 0xffffffff);
    const count = line.whole('count', 1);
    const expected = isAcknowledged({ description }) ? 4 : 2;
    if (count !== expected)
      line.refuse(`found a count of ${count}, expected ${expected} latencies for desc ${description}`);
    const latencies = Array.from({ length: count }, (_, at) => line.whole(`lat${at}`));
    return { cycle, source, target, description, latencies };
  });
