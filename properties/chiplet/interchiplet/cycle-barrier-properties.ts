import { filter, map, merge, type Observable } from 'rxjs';
import type {
  SyncArrive,
  SyncFile,
  SyncFinish,
  SyncRelease,
} from '../../../actors/chiplet/interchiplet/cycle-barrier.ts';
import type { ChipletCycle } from '../../../actors/chiplet/interchiplet/paced-chiplet.ts';
import { parseSynchronization } from '../../../actors/chiplet/interchiplet/synchronization-file.ts';
import { judged, type Property, property, type RunStreams } from '../../property.ts';

/** What properties of chiplets at a cycle barrier know before a run. */
export interface PaceContext {
  /** Names of the chiplets in their order. */
  readonly chiplets: readonly string[];
  /** The first S. */
  readonly cycle: number;
  /** Intervals after each meeting; the last one stays. */
  readonly intervals: readonly number[];
}

interface Seen {
  readonly to: string;
  readonly event: SyncArrive | SyncFinish | SyncRelease | SyncFile | ChipletCycle;
}

const seenIn = (run: RunStreams): Observable<Seen> =>
  merge(
    run.messages$.pipe(map(({ message, to }) => ({ to, event: message.event }))),
    run.probes$.pipe(map(({ probe, actor }) => ({ to: actor, event: probe }))),
  ).pipe(filter(({ event }) => /^(sync|chiplet\.cycle)/.test(event.type))) as Observable<Seen>;

/** B1 (chiplet specification 14). */
const nobodyPassesEarly = property<PaceContext>(
  'nobody passes a meeting before all have arrived or finished',
  (run, { chiplets }) =>
    judged(seenIn(run), (found) => {
      const arrived = new Map<number, Set<number>>();
      const finished = new Set<number>();
      return {
        see({ to, event }) {
          if (event.type === 'sync.arrive')
            arrived.set(event.generation, (arrived.get(event.generation) ?? new Set()).add(event.chiplet));
          else if (event.type === 'sync.finish') finished.add(event.chiplet);
          else if (event.type === 'sync.release') {
            const here = arrived.get(event.generation);
            const late = chiplets.filter((_, index) => !here?.has(index) && !finished.has(index));
            if (late.length > 0)
              found([to, ...late], `${to} passes meeting ${event.generation} without ${late.join(', ')}`);
          }
        },
      };
    }),
);

/** B2. */
const eachPassesOnce = property<PaceContext>(
  'each chiplet passes each of its meetings once',
  (run, { chiplets }) =>
    judged(seenIn(run), (found) => {
      const open = new Map<string, number>();
      return {
        see({ to, event }) {
          if (event.type === 'sync.arrive') open.set(chiplets[event.chiplet]!, event.generation);
          if (event.type !== 'sync.release') return;
          if (open.get(to) !== event.generation)
            found([to], `${to} passes meeting ${event.generation} again, or without having come`);
          open.delete(to);
        },
        end: () => {
          if (!run.quiet) return;
          for (const [chiplet, generation] of open)
            found([chiplet], `${chiplet} never passes meeting ${generation}`);
        },
      };
    }),
);

/** B3. */
const meetingsKeepPace = property<PaceContext>(
  'meetings are an interval apart, and so are chiplets at most',
  (run, { chiplets, cycle, intervals }) =>
    judged(seenIn(run), (found) => {
      let [last, next] = [0, cycle];
      let generation = 0;
      const counters = chiplets.map(() => 0);
      const running = new Set(counters.keys());
      return {
        see({ to, event }) {
          if (event.type === 'sync.release') {
            if (event.generation === generation) {
              [last, next] = [next, next + intervals[Math.min(generation, intervals.length - 1)]!];
              generation++;
            }
            if (event.cycle !== next)
              found([to], `the next meeting is in cycle ${event.cycle}, not in ${next}`);
          } else if (event.type === 'sync.finish') running.delete(event.chiplet);
          else if (event.type === 'chiplet.cycle') {
            counters[event.chiplet] = event.cycle;
            const others = [...running].map((index) => counters[index]!);
            const spread = Math.max(...others) - Math.min(...others);
            if (spread > next - last)
              found([to], `${spread} cycles lie between chiplets, the interval is ${next - last}`);
          }
        },
      };
    }),
);

/** B4. */
const fileHoldsItsLines = property<PaceContext>(
  'the synchronisation file never has more than two lines and one a chiplet',
  (run, { chiplets }) =>
    judged(seenIn(run), (found) => ({
      see({ to, event }) {
        if (event.type !== 'sync.file') return;
        const lines = event.text.trimEnd().split('\n').length;
        if (lines > chiplets.length + 2)
          found([to], `the file has ${lines} lines for ${chiplets.length} chiplets`);
        else parseSynchronization(event.text, 'the synchronisation file', chiplets.length);
      },
    })),
);

/** The properties of chiplets at a cycle barrier, B1 to B4 (chiplet specification 14). */
export const cycleBarrierProperties: readonly Property<PaceContext>[] = [
  nobodyPassesEarly,
  eachPassesOnce,
  meetingsKeepPace,
  fileHoldsItsLines,
];
