import { EMPTY, filter, map, merge, type Observable } from 'rxjs';
import { parseSynchronization } from '../../../actors/chiplet/interchiplet/synchronization-file.ts';
import type { SyncFile } from '../../../actors/chiplet/system/cycle-barrier.ts';
import type { SyncArrive, SyncFinish, SyncRelease } from '../../../actors/chiplet/system/meeting-messages.ts';
import type { SystemConfig } from '../../../machines/chiplet/system-config.ts';
import { type Judge, judged, type RunStreams } from '../../property.ts';
import type { SystemProperty } from './context.ts';

/*
 * Chiplets that meet every so many cycles (chiplet specification 10; 14, B1 to B4). In a system whose chiplets do not meet nothing is looked at.
 */

/** A message or probe, with the receiver, or who shows. */
interface Seen {
  readonly actor: string;
  readonly event: SyncArrive | SyncFinish | SyncRelease | SyncFile | Counted;
}

/** An event for a part of a chiplet that names a cycle. */
interface Counted {
  readonly type: 'counted';
  readonly chiplet: number;
  /** Cycles that the chiplet has counted when it is delivered. */
  readonly cycles: number;
}

type Found = (actors: readonly string[], why: string) => void;

const gateOf = ({ x, y }: SystemConfig['chiplets'][number]): string => `Chip[${x}][${y}].Gate`;

/** A property of meetings. */
const ofMeetings = (
  sentence: string,
  begin: (config: SystemConfig, found: Found, run: RunStreams) => Judge<Seen>,
): SystemProperty => ({
  sentence,
  observe: (run, { config }) =>
    config.syncFile.enabled ? judged(seenIn(run, config), (found) => begin(config, found, run)) : EMPTY,
});

function seenIn(run: RunStreams, { chiplets }: SystemConfig): Observable<Seen> {
  const numbers = new Map(chiplets.map((one, index) => [gateOf(one).replace(/Gate$/, ''), index]));
  const part = /^(Chip\[\d+\]\[\d+\]\.)(?!Gate$)/;
  const messages$ = run.messages$.pipe(
    map(({ message: { event }, to }): Seen => {
      const own = part.exec(to);
      const { cycle } = event as { readonly cycle?: unknown };
      if (own === null || typeof cycle !== 'number') return { actor: to, event: event as Seen['event'] };
      // A turn of a core is the end of its cycle, all else the beginning of the one that it names.
      const cycles = event.type === 'core.turn' ? cycle : cycle - 1;
      return { actor: to, event: { type: 'counted', chiplet: numbers.get(own[1]!)!, cycles } };
    }),
  );
  const probes$ = run.probes$.pipe(map(({ probe, actor }) => ({ actor, event: probe as SyncFile })));
  return merge(messages$, probes$).pipe(filter(({ event }) => /^(sync\.|counted$)/.test(event.type)));
}

/** Cycles of the meetings, one after the other. */
function* meetings({ syncFile: { S, I } }: SystemConfig): Generator<number, never> {
  const intervals = typeof I === 'number' ? [I] : I;
  for (let [cycle, generation] = [S, 0]; ; generation++) {
    yield cycle;
    cycle += intervals[Math.min(generation, intervals.length - 1)]!;
  }
}

const nobodyPassesEarly = ofMeetings(
  'nobody passes a meeting before all have arrived or finished',
  ({ chiplets }, found) => {
    const arrived = new Map<number, Set<number>>();
    const finished = new Set<number>();
    return {
      see({ actor, event }) {
        if (event.type === 'sync.arrive')
          arrived.set(event.generation, (arrived.get(event.generation) ?? new Set()).add(event.chiplet));
        else if (event.type === 'sync.finish') finished.add(event.chiplet);
        else if (event.type === 'sync.release') {
          const here = arrived.get(event.generation);
          const late = chiplets.filter((_, index) => !here?.has(index) && !finished.has(index)).map(gateOf);
          if (late.length > 0)
            found([actor, ...late], `${actor} passes meeting ${event.generation} without ${late.join(', ')}`);
        }
      },
    };
  },
);

const eachPassesOnce = ofMeetings(
  'each chiplet passes each of its meetings once',
  ({ chiplets }, found, run) => {
    const open = new Map<string, number>();
    return {
      see({ actor, event }) {
        if (event.type === 'sync.arrive') open.set(gateOf(chiplets[event.chiplet]!), event.generation);
        if (event.type !== 'sync.release') return;
        if (open.get(actor) !== event.generation)
          found([actor], `${actor} passes meeting ${event.generation} again, or without having come`);
        open.delete(actor);
      },
      end: () => {
        if (!run.quiet) return;
        for (const [chiplet, generation] of open)
          found([chiplet], `${chiplet} never passes meeting ${generation}`);
      },
    };
  },
);

const countersKeepPace = ofMeetings(
  'meetings are an interval apart, and between two of them all chiplets count the cycles of that interval',
  (config, found) => {
    const schedule = meetings(config);
    const cycles = [0, schedule.next().value];
    /** The cycle of a meeting; 0 for the one before the first. */
    const meeting = (generation: number): number => {
      while (cycles.length <= generation + 1) cycles.push(schedule.next().value);
      return cycles[generation + 1]!;
    };
    const passed = config.chiplets.map(() => 0);
    const finished = new Set<number>();
    const gates = new Map(config.chiplets.map((one, index) => [gateOf(one), index]));
    return {
      see({ actor, event }) {
        if (event.type === 'sync.release') {
          const next = meeting(event.generation + 1);
          if (event.cycle !== next)
            found([actor], `the next meeting is in cycle ${event.cycle}, not in ${next}`);
          passed[gates.get(actor)!] = event.generation + 1;
        } else if (event.type === 'sync.finish') finished.add(event.chiplet);
        else if (event.type === 'counted' && !finished.has(event.chiplet)) {
          const generation = passed[event.chiplet]!;
          const [from, to] = [meeting(generation - 1), meeting(generation)];
          if (event.cycles < from || event.cycles >= to)
            found([actor], `${actor} counts cycle ${event.cycles} between the meetings ${from} and ${to}`);
        }
      },
    };
  },
);

const fileHoldsItsLines = ofMeetings(
  'the synchronisation file never has more than two lines and one a chiplet',
  ({ chiplets }, found) => ({
    see({ actor, event }) {
      if (event.type !== 'sync.file') return;
      const lines = event.text.trimEnd().split('\n').length;
      if (lines > chiplets.length + 2)
        found([actor], `the file has ${lines} lines for ${chiplets.length} chiplets`);
      else parseSynchronization(event.text, 'the synchronisation file', chiplets.length);
    },
  }),
);

/** What holds where chiplets meet, B1 to B4. */
export const meetingProperties: readonly SystemProperty[] = [
  nobodyPassesEarly,
  eachPassesOnce,
  countersKeepPace,
  fileHoldsItsLines,
];
