import { judging, timingCoordinatorName } from './context.ts';

/** A latency record is of the round's file and serves one transaction (chiplet specification 9.5). */
export const recordsServeOnce = () =>
  judging({
    sentence: 'a latency record serves one transaction',
    watches: ['round.load', 'record.used'],
    judges: ({ type }) => type === 'record.used',
    /** Lines of the file that have not served. */
    begin: (): { lines: Record<number, true> } => ({ lines: {} }),
    see(unused, { from, to: actor, event }, tell) {
      if (event.type === 'round.load') {
        if (actor === timingCoordinatorName)
          unused.lines = Object.fromEntries(event.records.map(({ line }) => [line, true]));
        return;
      }
      if (!unused.lines[event.line])
        tell([from], `record ${event.line} serves again, or is none of this round`);
      delete unused.lines[event.line];
    },
  });
