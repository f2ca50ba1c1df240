import { countTicks, grapeProperty, inputName, levelsOf, reductionName, type Tell } from './context.ts';

/** A transfer under way: the cycle from which on the port will be free when nothing has to be waited for. */
interface Transfer {
  free: number;
  /** Cycles in which it waited for external memory or for the port of broadcast memory. */
  waited: number;
  /** The cycle for which a word was asked. */
  asked: number;
  /** Cycles that the words of the present index came late, at most. */
  late: number;
}

interface Memory {
  input: Transfer;
  /** Records that the input port brings. */
  records: number;
  reduction: Transfer;
  tick: number;
}

const begun = (free: number): Transfer => ({ free, waited: 0, asked: 0, late: 0 });

function compare(name: string, { free, waited, late }: Transfer, cycle: number, found: Tell): void {
  const expected = free + waited + late;
  if (cycle !== expected) found([name], `${name} is free from cycle ${cycle} on, not from ${expected}`);
}

/** How long a port is busy: header, words and latency; words and levels of the tree (GRAPE specification 6.3, IDP and RRN). */
export const transfersTakeTheirCycles = grapeProperty(
  'a port is busy as long as its header, words and latency take',
  [
    'idp.start',
    'idp.packets',
    'em.opened',
    'em.read',
    'em.word',
    'idp.done',
    'rrn.start',
    'bm.read',
    'bm.word',
    'rrn.done',
  ],
  (): Memory => ({ input: begun(0), records: 0, reduction: begun(0), tick: 0 }),
  ({ config: { nBB, idpHeader, idpLatency, levelCycles, outCycles } }) => ({
    advance: countTicks,
    see(memory, { event }, found) {
      const { input, reduction, tick } = memory;
      // What is begun or asked for, is so for the cycle after the one in which it is said.
      const begins = tick + 1;
      switch (event.type) {
        case 'idp.start':
          memory.records = event.mode === 0 ? nBB : 1;
          memory.input = begun(begins + idpHeader + idpLatency);
          return;
        case 'em.opened':
          input.free += memory.records * event.units.length;
          return;
        case 'idp.packets': {
          const cycles = event.packets.map(
            ({ long, words, pause }, at) =>
              idpHeader +
              (long ? words.length : Math.ceil(words.length / 2)) +
              (at + 1 < event.packets.length ? pause : 0),
          );
          memory.input = begun(cycles.reduce((sum, one) => sum + one, begins + idpLatency));
          return;
        }
        case 'em.read':
          input.asked = tick;
          return;
        case 'em.word':
          input.waited += tick - input.asked;
          return;
        case 'idp.done':
          compare(inputName, input, tick + event.after, found);
          return;
        case 'rrn.start': {
          const { n, op } = event;
          memory.reduction = begun(begins + levelsOf(op, nBB) * levelCycles + n * outCycles);
          return;
        }
        case 'bm.read':
          if (begins > reduction.asked) {
            reduction.waited += reduction.late;
            reduction.late = 0;
          }
          reduction.asked = begins;
          return;
        case 'bm.word':
          reduction.late = Math.max(reduction.late, tick - reduction.asked);
          return;
        case 'rrn.done':
          compare(reductionName, reduction, tick + event.after, found);
          return;
      }
    },
  }),
);
