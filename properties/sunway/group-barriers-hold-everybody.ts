import { judged, property } from '../property.ts';
import { groupIn, type SunwayPropertyContext, said } from './context.ts';

/** CPEs of an array, and what hosts are called: they come after all CPEs of the node. */
const arrayCpes = 64;
const hostOf = (cgn: number): number => -1 - cgn;

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
  readonly came: Map<number, number>;
  readonly left: Map<number, number>;
}

/** A barrier of a group is one barrier of all its members, whatever it is made of (Sunway specification 6.2; 12, P8). */
export const groupBarriersHoldEverybody = property<SunwayPropertyContext>(
  'nobody goes on behind the barrier of a group before all of the group have come to it',
  (run, { config }) =>
    judged(said(run, 'call.begin', 'call.end', 'sync.offline', 'node.leave'), (found) => {
      const barriers = new Map<string, Passed>();
      /** The barrier at which a core is. */
      const at = new Map<number, Passed>();
      const gone = new Set<number>();

      const cpesOf = (cgn: number): readonly number[] =>
        everyTid.filter((tid) => tid < config.cpesPerCg).map((tid) => arrayCpes * cgn + tid);

      function membersOf(core: number, name: string, other: number): readonly number[] | undefined {
        if (core < 0) {
          const cgn = -1 - core;
          if (name === 'sync_master_spe') return [core, arrayCpes * cgn + other];
          if (name === 'sync_master_array') return [core, ...cpesOf(cgn)];
          return name === 'sync_node'
            ? Array.from({ length: config.cgs }, (_, one) => hostOf(one))
            : undefined;
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
            return [hostOf(cgn), ...cpesOf(cgn)];
          case 'ssync_node':
            return Array.from({ length: config.cgs }, (_, one) => cpesOf(one)).flat();
          default: {
            const group = name === 'ssync_sldm' ? shareBarriers[config.sldm.mode]! : name.slice(6);
            const header = config.sync.colLeftRight === 'header' ? halfColumns[group] : undefined;
            const joins = header ?? together[group];
            return joins && cpesOf(cgn).filter((one) => joins(tid, one % arrayCpes));
          }
        }
      }

      return {
        see({ to, event }) {
          switch (event.type) {
            case 'sync.offline':
              for (const tid of event.tids) gone.add(arrayCpes * groupIn(to) + tid);
              return;
            case 'node.leave':
              if (event.who === 'host') gone.add(hostOf(event.cgn));
              else for (const core of cpesOf(event.cgn)) gone.add(core);
              return;
            case 'call.begin': {
              const { core, name } = event;
              const members = membersOf(core, name, Number(event.arguments['tid'] ?? -1));
              if (members === undefined) return;
              const key = [...members].sort((a, b) => a - b).join(' ');
              const barrier = barriers.get(key) ?? { members, came: new Map(), left: new Map() };
              barriers.set(key, barrier);
              barrier.came.set(core, (barrier.came.get(core) ?? 0) + 1);
              at.set(core, barrier);
              return;
            }
            default: {
              const { core, name, code } = event;
              const barrier = at.get(core);
              at.delete(core);
              if (barrier === undefined) return;
              const round = (barrier.left.get(core) ?? 0) + 1;
              barrier.left.set(core, round);
              // A call that was refused has joined nobody.
              if (code !== 0) return;
              const late = barrier.members.filter(
                (one) => !gone.has(one) && (barrier.came.get(one) ?? 0) < round,
              );
              if (late.length > 0)
                found(
                  [to],
                  `it goes on behind ${name}, round ${round}, to which ${late.map(coreName).join(', ')} has not come`,
                );
            }
          }
        },
      };
    }),
);

const coreName = (core: number): string =>
  core < 0
    ? `the host of core group ${-1 - core}`
    : `CPE ${core % arrayCpes} of core group ${Math.floor(core / arrayCpes)}`;
