import { parseSynchronization } from '../../../actors/chiplet/interchiplet/synchronization-file.ts';
import type { SystemConfig } from '../../../machines/chiplet/system-config.ts';
import type { SystemProperty } from './context.ts';
import { chipletIn, judgingMeetings } from './context.ts';

/*
 * Chiplets that meet every so many cycles (chiplet specification 10; 14, B1 to B4).
 */

const gateOf = ({ x, y }: SystemConfig['chiplets'][number]): string => `Chip[${x}][${y}].Gate`;

/** Who has come: by meeting, the chiplets that are there; and those that have finished. */
interface Arrivals {
  readonly arrived: Record<number, Record<number, true>>;
  readonly finished: Record<number, true>;
}

const nobodyPassesEarly: SystemProperty = ({ config: { chiplets } }) =>
  judgingMeetings({
    sentence: 'nobody passes a meeting before all have arrived or finished',
    watches: ['sync.arrive', 'sync.finish', 'sync.release'],
    begin: (): Arrivals => ({ arrived: {}, finished: {} }),
    see({ arrived, finished }, { to: actor, event }, tell) {
      if (event.type === 'sync.finish') {
        finished[event.chiplet] = true;
        return;
      }
      const { generation } = event;
      arrived[generation] ??= {};
      const here = arrived[generation];
      if (event.type === 'sync.arrive') {
        here[event.chiplet] = true;
        return;
      }
      const late = chiplets.filter((_, index) => !here[index] && !finished[index]).map(gateOf);
      if (late.length > 0)
        tell([actor, ...late], `${actor} passes meeting ${generation} without ${late.join(', ')}`);
    },
  });

const eachPassesOnce: SystemProperty = ({ config: { chiplets } }) =>
  judgingMeetings({
    sentence: 'each chiplet passes each of its meetings once',
    watches: ['sync.arrive', 'sync.release'],
    about: ({ to, event }) => (event.type === 'sync.arrive' ? gateOf(chiplets[event.chiplet]!) : to),
    /** By gate: the meeting at which it stands. */
    begin: (): Record<string, number> => ({}),
    see(open, { to: actor, event }, tell) {
      if (event.type === 'sync.arrive') {
        open[gateOf(chiplets[event.chiplet]!)] = event.generation;
        return;
      }
      if (open[actor] !== event.generation)
        tell([actor], `${actor} passes meeting ${event.generation} again, or without having come`);
      delete open[actor];
    },
    atRest(open, tell) {
      for (const [chiplet, generation] of Object.entries(open))
        tell([chiplet], `${chiplet} never passes meeting ${generation}`);
    },
  });

/** How far each chiplet is, and which have finished. */
interface Progress {
  readonly passed: number[];
  readonly finished: Record<number, true>;
}

const countersKeepPace: SystemProperty = ({ config }) => {
  const cycleOf = (generation: number): number => cycleOfMeeting(config, generation);
  const numbers = new Map(config.chiplets.map((one, index) => [gateOf(one).replace(/Gate$/, ''), index]));
  const part = /^Chip\[\d+\]\[\d+\]\.(?=.)/;
  return judgingMeetings({
    sentence:
      'meetings are an interval apart, and between two of them all chiplets count the cycles of that interval',
    watches: [
      'sync.release',
      'sync.finish',
      'host.turn',
      'grid.launch',
      'grid.done',
      'grid.fault',
      'block.assign',
      'block.done',
      'core.fault',
      'core.turn',
      'memory.read',
      'memory.write',
      'memory.data',
      'mailbox.request',
      'mailbox.answer',
      'message.arrived',
    ],
    about: ({ to, event }) =>
      chipletIn(event.type === 'sync.finish' ? gateOf(config.chiplets[event.chiplet]!) : to),
    begin: (): Progress => ({ passed: config.chiplets.map(() => 0), finished: {} }),
    see({ passed, finished }, { to: actor, event }, tell) {
      if (event.type === 'sync.finish') {
        finished[event.chiplet] = true;
        return;
      }
      const chiplet = numbers.get(part.exec(actor)?.[0] ?? '');
      if (chiplet === undefined) return;
      if (event.type === 'sync.release') {
        const next = cycleOf(event.generation + 1);
        if (event.cycle !== next)
          tell([actor], `the next meeting is in cycle ${event.cycle}, not in ${next}`);
        passed[chiplet] = event.generation + 1;
        return;
      }
      // What a gate is handed counts when its receiver gets it.
      if (finished[chiplet] || actor.endsWith('.Gate')) return;
      // A turn of a core is the end of its cycle, all else the beginning of the one that it names.
      const cycles = event.type === 'core.turn' ? event.cycle : event.cycle - 1;
      const [from, to] = [cycleOf(passed[chiplet]! - 1), cycleOf(passed[chiplet]!)];
      if (cycles < from || cycles >= to)
        tell([actor], `${actor} counts cycle ${cycles} between the meetings ${from} and ${to}`);
    },
  });
};

/** The cycle of a meeting; 0 for the one before the first. */
function cycleOfMeeting({ syncFile: { S, I } }: SystemConfig, generation: number): number {
  if (generation < 0) return 0;
  const intervals = typeof I === 'number' ? [I] : I;
  const given = intervals.slice(0, generation).reduce((sum, interval) => sum + interval, 0);
  return S + given + Math.max(0, generation - intervals.length) * intervals.at(-1)!;
}

const fileHoldsItsLines: SystemProperty = ({ config: { chiplets } }) =>
  judgingMeetings({
    sentence: 'the synchronisation file never has more than two lines and one a chiplet',
    watches: ['sync.file'],
    about: () => [],
    begin: () => ({}),
    see(_nothing, { to: actor, event }, tell) {
      const lines = event.text.trimEnd().split('\n').length;
      if (lines > chiplets.length + 2)
        tell([actor], `the file has ${lines} lines for ${chiplets.length} chiplets`);
      else parseSynchronization(event.text, 'the synchronisation file', chiplets.length);
    },
  });

/** What holds where chiplets meet, B1 to B4. */
export const meetingProperties: readonly SystemProperty[] = [
  nobodyPassesEarly,
  eachPassesOnce,
  countersKeepPace,
  fileHoldsItsLines,
];
