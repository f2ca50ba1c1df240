import { timingOf } from '../../machines/sunway/timing.ts';
import { judged, property } from '../property.ts';
import { groupIn, type SunwayPropertyContext, said, tidIn } from './context.ts';

type Line = { readonly kind: 'row' | 'column' | 'pair'; readonly index: number; readonly mask: number };

/** The CPEs that a hardware barrier joins (Sunway specification 6.2). */
function membersOf({ kind, index, mask }: Line): readonly number[] {
  if (kind === 'pair') return [index, mask];
  const members: number[] = [];
  for (let bit = 0; bit < 8; bit++)
    if (Math.floor(mask / 2 ** bit) % 2 === 1)
      members.push(kind === 'row' ? 8 * index + bit : 8 * bit + index);
  return members;
}

/** Nobody leaves a hardware barrier before all its members have come, and all leave in time (Sunway specification 6.2, 9.4; 12, P6, P7). */
export const barriersHoldEverybody = property<SunwayPropertyContext>(
  'nobody leaves a barrier before all its members have come, and then all leave within its latency',
  (run, { config }) =>
    judged(said(run, 'sync.arrive', 'sync.release', 'sync.offline'), (found) => {
      /** By core group, kind, line and mask: how often each member has come and left, and when the last one came. */
      const barriers = new Map<
        string,
        { came: Map<number, number>; left: Map<number, number>; last: number }
      >();
      const offline = new Map<number, Set<number>>();
      const { base, hop } = timingOf(config).sync;
      const slowest = base + 6 * hop + config.fuzz.maxJitter;
      const of = (cgn: number, line: Line) => {
        const key = `${cgn} ${line.kind} ${line.index} ${line.mask}`;
        const known = barriers.get(key) ?? { came: new Map(), left: new Map(), last: 0 };
        barriers.set(key, known);
        return known;
      };
      return {
        see({ tick, from, to, event }) {
          if (event.type === 'sync.offline') {
            const gone = offline.get(groupIn(to)) ?? new Set<number>();
            for (const tid of event.tids) gone.add(tid);
            offline.set(groupIn(to), gone);
            for (const barrier of barriers.values()) barrier.last = tick;
            return;
          }
          if (event.type === 'sync.arrive') {
            const barrier = of(groupIn(to), event);
            barrier.came.set(event.tid, (barrier.came.get(event.tid) ?? 0) + 1);
            barrier.last = tick;
            return;
          }
          const cgn = groupIn(from);
          const barrier = of(cgn, event);
          const tid = tidIn(to);
          const round = (barrier.left.get(tid) ?? 0) + 1;
          barrier.left.set(tid, round);
          const late = membersOf(event).filter(
            (one) =>
              one < config.cpesPerCg && !offline.get(cgn)?.has(one) && (barrier.came.get(one) ?? 0) < round,
          );
          const name = `${event.kind} barrier ${event.index} with mask ${event.mask}`;
          if (late.length > 0)
            found(
              [to],
              `it leaves round ${round} of the ${name}, to which CPE ${late.join(', ')} has not come`,
            );
          else if (tick - barrier.last > slowest)
            found(
              [to],
              `it leaves the ${name} ${tick - barrier.last} cycles after the last member came, expected at most ${slowest}`,
            );
        },
      };
    }),
);
