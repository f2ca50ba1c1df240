import type { WriteCommand } from '../../../actors/chiplet/interchiplet/commands.ts';
import { count, type Tell } from '../../judging.ts';
import { type InterchipletContext, judging, keyOf, rateOf, timingCoordinatorName } from './context.ts';

interface Trace {
  /** Lines that WRITEs ask for, as often as they do. */
  wanted: Record<string, number>;
  /** Processes whose WRITE has no answer. */
  writing: Record<string, true>;
  lines: number;
  completed: number;
  begun: boolean;
}

const newTrace = (begun: boolean): Trace => ({ wanted: {}, writing: {}, lines: 0, completed: 0, begun });

function sum({ begun, writing, lines, completed }: Trace, tell: Tell): void {
  if (begun && Object.keys(writing).length === 0 && lines !== completed)
    tell([timingCoordinatorName], `the trace has ${lines} lines, ${completed} transactions were completed`);
}

const lineOf = (
  { source, target, description }: Pick<WriteCommand, 'source' | 'target' | 'description'>,
  cycle: number,
  flits: number,
): string => `${cycle} (${keyOf(source)}) to (${keyOf(target)}), ${flits} flits, desc ${description}`;

/**
 * C5: the trace has one line for each completed transaction, with the cycle of its WRITE in the clock of the network, a flit for each 64 bytes and one more
 * (chiplet specification 9.3, 9.5, 14).
 */
export const tracesHoldEveryTransaction = (context: InterchipletContext) =>
  judging({
    sentence: 'the trace has each completed transaction once, in the clock of the network',
    watches: ['round.load', 'command.write', 'answer.sync', 'bench.add'],
    judges: ({ type }) => type === 'command.write' || type === 'bench.add',
    begin: () => newTrace(false),
    see(trace, { from, to: actor, event }, tell) {
      const { wanted, writing } = trace;
      if (event.type === 'round.load') {
        if (actor !== timingCoordinatorName) return;
        sum(trace, tell);
        Object.assign(trace, newTrace(true));
      } else if (event.type === 'command.write') {
        const cycle = Math.floor((event.cycle / rateOf(context, from)) * context.networkRate);
        writing[from] = true;
        count(wanted, lineOf(event, cycle, Math.ceil(event.bytes / context.flitBytes) + 1), 1);
      } else if (event.type === 'answer.sync') {
        if (writing[actor]) trace.completed++;
        delete writing[actor];
      } else {
        trace.lines++;
        const line = lineOf(event.line, event.line.sourceCycle, event.line.flits);
        if (!wanted[line]) tell([from], `the trace has ${line}, which no WRITE was`);
        else count(wanted, line, -1);
      }
    },
    // The sums of a round are compared at its end.
    pending: () => [],
    atRest: sum,
  });
