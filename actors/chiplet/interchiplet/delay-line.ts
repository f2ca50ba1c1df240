import { type DelayLine, isAcknowledged } from './latency-records.ts';
import { readLines } from './located-line.ts';

const form = 'cycle src_x src_y dst_x dst_y desc count lat0 lat1 [lat2 lat3]';

/** A line of `delayInfo.txt` (chiplet specification 9.6). */
export const delayText = ({ cycle, source, target, description, latencies }: DelayLine): string =>
  [cycle, source.x, source.y, target.x, target.y, description, latencies.length, ...latencies].join(' ');

/**
 * The lines of a `delayInfo.txt`.
 *
 * Errors: `TraceError` with line and column; also for a count other than 2, or 4 where `desc` has an acknowledgement.
 */
export const parseDelay = (text: string, file: string): readonly DelayLine[] =>
  readLines(text, file, form, (line) => {
    const cycle = line.whole('cycle');
    const source = line.place('the source');
    const target = line.place('the target');
    const description = line.whole('desc', 0, 0xffffffff);
    const count = line.whole('count', 1);
    const expected = isAcknowledged({ description }) ? 4 : 2;
    if (count !== expected)
      line.refuse(`found a count of ${count}, expected ${expected} latencies for desc ${description}`);
    const latencies = Array.from({ length: count }, (_, at) => line.whole(`lat${at}`));
    return { cycle, source, target, description, latencies };
  });
