import type { SunwayConfig } from '../../machines/sunway/config.ts';
import { groupIn, sunwayProperty } from './context.ts';

/** CPEs of an array, and what hosts are called: they come after all CPEs of the node. */
const arrayCpes = 64;
const hostOf = (cgn: number): number => -1 - cgn;
/** Hosts before CPEs, each in the order of their numbers. */
const rank = (core: number): number => (core < 0 ? -arrayCpes - core : core);

const everyTid = Array.from({ length: arrayCpes }, (_, tid) => tid);
const row = (tid: number): number => Math.floor(tid / 8);
const column = (tid: number): number => tid % 8;
const rowPair = (tid: number): number => Math.floor(tid / 16);

/** Whom the barrier of a name joins, as a question about two CPEs of one array (Sunway specification 6.2). */
const together: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '2spe': (a, b) => Math.floor(a / 2) === Math.floor(b / 2),
  '1spc': (a, b) => rowPair(a) === rowPair(b) && Math.floor(column(a) / 2) === Math.floor(column(b) / 2),
  '8spe': (a, b) => row(a) === row(b),
  row: (a, b) => row(a) === row(b),
  col: (a, b) => column(a) === column(b),
  col_left: (a, b) => column(a) === column(b),
  col_right: (a, b) => column(a) === column(b),
  '2spc': (a, b) => rowPair(a) === rowPair(b) && column(a) < 4 === column(b) < 4,
  '16spe': (a, b) => rowPair(a) === rowPair(b),
  '4spc': (a, b) => rowPair(a) === rowPair(b),
  '32spe': (a, b) => a < 32 === b < 32,
  '8spc': (a, b) => a < 32 === b < 32,
  array: () => true,
};

/** Barriers of half columns by the header, which names rows (15, C1). */
const halfColumns: typeof together = {
  col_left: (a, b) => column(a) === column(b) && row(a) < 4 && row(b) < 4,
  col_right: (a, b) => column(a) === column(b) && row(a) > 3 && row(b) > 3,
};

/** The barrier of the share group by share mode (6.6). */
const shareBarriers = ['1spc', '2spc', '4spc', '8spc', 'array', 'array'] as const;

/** How often each member has come to a barrier and gone on. */
interface Passed {
  readonly members: readonly number[];
  readonly came: Record<number, number>;
  readonly left: Record<number, number>;
}

interface Memory {
  /** By the numbers of its members. */
  readonly barriers: Record<string, Passed>;
  /** The barrier at which a core is, and the calls that it has begun since, of which those that are no barriers are empty texts: a host that waits handles signals. */
  readonly at: Record<number, string[]>;
  readonly gone: Record<number, true>;
}

const cpesOf = (cgn: number, { cpesPerCg }: SunwayConfig): readonly number[] =>
  everyTid.filter((tid) => tid < cpesPerCg).map((tid) => arrayCpes * cgn + tid);

/** Whom a call of a core joins; undefined for one that is no barrier. */
function membersOf(
  core: number,
  name: string,
  other: number,
  config: SunwayConfig,
): readonly number[] | undefined {
  if (core < 0) {
    const cgn = -1 - core;
    if (name === 'sync_master_spe') return [core, arrayCpes * cgn + other];
    if (name === 'sync_master_array') return [core, ...cpesOf(cgn, config)];
    return name === 'sync_node' ? Array.from({ length: config.cgs }, (_, one) => hostOf(one)) : undefined;
  }
  if (!name.startsWith('ssync_')) return undefined;
  const cgn = Math.floor(core / arrayCpes);
  const tid = core % arrayCpes;
  switch (name) {
    case 'ssync_peer':
      return [core, arrayCpes * cgn + other];
    case 'ssync_master_spe':
      return [hostOf(cgn), core];
    case 'ssync_master_array':
      return [hostOf(cgn), ...cpesOf(cgn, config)];
    case 'ssync_node':
      return Array.from({ length: config.cgs }, (_, one) => cpesOf(one, config)).flat();
    default: {
      const group = name === 'ssync_sldm' ? shareBarriers[config.sldm.mode]! : name.slice(6);
      const header = config.sync.colLeftRight === 'header' ? halfColumns[group] : undefined;
      const joins = header ?? together[group];
      return joins && cpesOf(cgn, config).filter((one) => joins(tid, one % arrayCpes));
    }
  }
}

/** A barrier of a group is one barrier of all its members, whatever it is made of (Sunway specification 6.2; 12, P8). */
export const groupBarriersHoldEverybody = sunwayProperty(
  'nobody goes on behind the barrier of a group before all of the group have come to it',
  ['call.begin', 'call.end', 'sync.offline', 'node.leave'],
  ({ config }) => ({
    begin: (): Memory => ({ barriers: {}, at: {}, gone: {} }),
    judges: (event) =>
      event.type === 'call.begin' && membersOf(event.core, event.name, 0, config) !== undefined,
    see({ barriers, at, gone }: Memory, event, to) {
      switch (event.type) {
        case 'sync.offline':
          for (const tid of event.tids) gone[arrayCpes * groupIn(to) + tid] = true;
          return undefined;
        case 'node.leave':
          if (event.who === 'host') gone[hostOf(event.cgn)] = true;
          else for (const core of cpesOf(event.cgn, config)) gone[core] = true;
          return undefined;
        case 'call.begin': {
          const { core, name } = event;
          const members = membersOf(core, name, Number(event.arguments['tid'] ?? -1), config);
          if (members === undefined) {
            at[core]?.push('');
            return undefined;
          }
          // Whoever comes first, it is the same barrier.
          const sorted = [...members].sort((a, b) => rank(a) - rank(b));
          const key = sorted.join(' ');
          barriers[key] ??= { members: sorted, came: {}, left: {} };
          const { came } = barriers[key];
          came[core] = (came[core] ?? 0) + 1;
          at[core] = [...(at[core] ?? []), key];
          return undefined;
        }
        default: {
          const { core, name, code } = event;
          const barrier = barriers[at[core]?.pop() ?? ''];
          if (at[core]?.length === 0) delete at[core];
          if (barrier === undefined) return undefined;
          const { members, came, left } = barrier;
          const round = (left[core] ?? 0) + 1;
          left[core] = round;
          // A call that was refused has joined nobody.
          const late = code === 0 ? members.filter((one) => !gone[one] && (came[one] ?? 0) < round) : [];
          return late.length === 0
            ? undefined
            : {
                actors: [to],
                why: `it goes on behind ${name}, round ${round}, to which ${late.map(coreName).join(', ')} has not come`,
              };
        }
      }
    },
  }),
);

const coreName = (core: number): string =>
  core < 0
    ? `the host of core group ${-1 - core}`
    : `CPE ${core % arrayCpes} of core group ${Math.floor(core / arrayCpes)}`;
