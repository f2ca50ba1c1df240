import type { WriteCommand } from '../../../actors/chiplet/interchiplet/commands.ts';
import { judged, property } from '../../property.ts';
import { type InterchipletContext, keyOf, rateOf, saidIn, timingDeskName } from './context.ts';

/**
 * C5: the trace has one line for each completed transaction, with the cycle of its WRITE in the clock of the network, a flit for each 64 bytes and one more
 * (chiplet specification 9.3, 9.5, 14).
 */
export const tracesHoldEveryTransaction = property<InterchipletContext>(
  'the trace has each completed transaction once, in the clock of the network',
  (run, context) =>
    judged(saidIn(run), (found) => {
      /** Lines that WRITEs ask for, as often as they do. */
      const wanted = new Map<string, number>();
      const writing = new Map<string, string>();
      let lines = 0;
      let completed = 0;
      let begun = false;
      const sum = (): void => {
        if (begun && writing.size === 0 && lines !== completed)
          found([timingDeskName], `the trace has ${lines} lines, ${completed} transactions were completed`);
      };
      const lineOf = (
        { source, target, description }: Pick<WriteCommand, 'source' | 'target' | 'description'>,
        cycle: number,
        flits: number,
      ): string => `${cycle} (${keyOf(source)}) to (${keyOf(target)}), ${flits} flits, desc ${description}`;
      return {
        see({ from, to, event }) {
          if (event.type === 'round.load' && to === timingDeskName) {
            sum();
            for (const one of [wanted, writing]) one.clear();
            lines = 0;
            completed = 0;
            begun = true;
          } else if (event.type === 'command.write') {
            const cycle = Math.floor((event.cycle / rateOf(context, from)) * context.networkRate);
            const line = lineOf(event, cycle, Math.ceil(event.bytes / 64) + 1);
            writing.set(from, line);
            wanted.set(line, (wanted.get(line) ?? 0) + 1);
          } else if (event.type === 'answer.sync') {
            if (writing.delete(to)) completed++;
          } else if (event.type === 'bench.add') {
            lines++;
            const line = lineOf(event.line, event.line.sourceCycle, event.line.flits);
            const left = wanted.get(line) ?? 0;
            if (left === 0) found([from], `the trace has ${line}, which no WRITE was`);
            wanted.set(line, left - 1);
          }
        },
        end: () => {
          if (run.quiet) sum();
        },
      };
    }),
);
