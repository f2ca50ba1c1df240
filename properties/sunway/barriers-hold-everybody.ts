import { groupIn, sunwayProperty, tidIn } from './context.ts';
import { timesOf } from './references/times.ts';

type Line = { readonly kind: 'row' | 'column' | 'pair'; readonly index: number; readonly mask: number };

/** One barrier: how often each member has come and left. */
interface Barrier {
  readonly came: Record<number, number>;
  readonly left: Record<number, number>;
  /** Members that have come and not left, and, while there are some, when the last one came. */
  inside: number;
  last: number;
}

interface Memory {
  /** By core group, kind, line and mask. */
  readonly barriers: Record<string, Barrier>;
  /** By core group: the CPEs that are members of none any more. */
  readonly offline: Record<number, Record<number, true>>;
  /** Members that are inside of some barrier, and cycles since the first of them came: without any there is no time. */
  inside: number;
  now: number;
}

/** The CPEs that a hardware barrier joins (Sunway specification 6.2). */
function membersOf({ kind, index, mask }: Line): readonly number[] {
  if (kind === 'pair') return [index, mask];
  const members: number[] = [];
  for (let bit = 0; bit < 8; bit++)
    if (Math.floor(mask / 2 ** bit) % 2 === 1)
      members.push(kind === 'row' ? 8 * index + bit : 8 * bit + index);
  return members;
}

function barrierOf({ barriers }: Memory, cgn: number, { kind, index, mask }: Line): Barrier {
  const key = `${cgn} ${kind} ${index} ${mask}`;
  barriers[key] ??= { came: {}, left: {}, inside: 0, last: 0 };
  return barriers[key];
}

function come(memory: Memory, barrier: Barrier, tid: number): void {
  const times = (barrier.came[tid] ?? 0) + 1;
  barrier.came[tid] = times;
  if (times > (barrier.left[tid] ?? 0)) enter(memory, barrier, 1);
  if (barrier.inside > 0) barrier.last = memory.now;
}

/** The round that a member leaves. */
function leave(memory: Memory, barrier: Barrier, tid: number): number {
  const round = (barrier.left[tid] ?? 0) + 1;
  barrier.left[tid] = round;
  if (round <= (barrier.came[tid] ?? 0)) enter(memory, barrier, -1);
  return round;
}

function enter(memory: Memory, barrier: Barrier, members: 1 | -1): void {
  barrier.inside += members;
  memory.inside += members;
  if (barrier.inside === 0) barrier.last = 0;
  if (memory.inside === 0) memory.now = 0;
}

/** Nobody leaves a hardware barrier before all its members have come, and all leave in time (Sunway specification 6.2, 9.4; 12, P6, P7). */
export const barriersHoldEverybody = sunwayProperty(
  'nobody leaves a barrier before all its members have come, and then all leave within its latency',
  ['sync.arrive', 'sync.release', 'sync.offline'],
  ({ config }) => {
    const { base, hop } = timesOf(config).sync;
    const slowest = base + 6 * hop + config.fuzz.maxJitter;
    return {
      begin: (): Memory => ({ barriers: {}, offline: {}, inside: 0, now: 0 }),
      advance(memory: Memory, ticks) {
        if (memory.inside > 0) memory.now += ticks;
        return undefined;
      },
      see(memory: Memory, event, to, from) {
        if (event.type === 'sync.offline') {
          memory.offline[groupIn(to)] ??= {};
          for (const tid of event.tids) memory.offline[groupIn(to)]![tid] = true;
          for (const barrier of Object.values(memory.barriers))
            if (barrier.inside > 0) barrier.last = memory.now;
          return undefined;
        }
        if (event.type === 'sync.arrive') {
          come(memory, barrierOf(memory, groupIn(to), event), event.tid);
          return undefined;
        }
        const cgn = groupIn(from);
        const barrier = barrierOf(memory, cgn, event);
        const passed = memory.now - barrier.last;
        const round = leave(memory, barrier, tidIn(to));
        const late = membersOf(event).filter(
          (one) => one < config.cpesPerCg && !memory.offline[cgn]?.[one] && (barrier.came[one] ?? 0) < round,
        );
        const name = `${event.kind} barrier ${event.index} with mask ${event.mask}`;
        if (late.length > 0)
          return {
            actors: [to],
            why: `it leaves round ${round} of the ${name}, to which CPE ${late.join(', ')} has not come`,
          };
        if (passed <= slowest) return undefined;
        return {
          actors: [to],
          why: `it leaves the ${name} ${passed} cycles after the last member came, expected at most ${slowest}`,
        };
      },
    };
  },
);
