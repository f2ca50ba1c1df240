import type { DescriptorIssue } from '../../../actors/sunway/messages.ts';
import type { PacketArrive, PacketEnter } from '../../../actors/sunway/network/packet.ts';
import type { CoreRuns, CoreWaits } from '../../../actors/sunway/probes.ts';
import type { LockstepEvent, Probe } from '../../../kernel/message.ts';
import type { SunwayResult } from '../../../machines/sunway.ts';
import { firstDifference } from '../../with-reference.ts';
import type { Follower, Following, Heard } from './follower.ts';

/** What each wait is counted under. */
const kinds: Readonly<Record<string, 'transfers' | 'barriers' | 'locks' | 'hosts'>> = {
  ...{ wait: 'transfers', arrive: 'barriers', lock: 'locks', meet: 'hosts', append: 'hosts' },
};

/** What routers count, before any flit. */
const noFlits = { L: 0, N: 0, S: 0, E: 0, W: 0, delivered: 0, fromMemory: 0 };
/** By the port of a router that a packet comes in by: the way that the neighbour has sent it (Sunway specification 8.5). */
const sentTo = ['L', 'S', 'N', 'W', 'E'] as const;

/** Figures of the result, added up a second time. */
class TotalsFollower implements Follower {
  readonly watches = [
    'descriptor.issue',
    'core.waits',
    'core.runs',
    'ldm.conflict',
    'packet.enter',
    'packet.arrive',
  ];
  readonly #isFlit: boolean;
  readonly #issued: Record<string, number> = {};
  readonly #waits = { transfers: 0, barriers: 0, locks: 0, hosts: 0 };
  readonly #waiting = new Map<number, readonly [keyof SunwayResult['totals']['waits'], number]>();
  /** Flits by the name of a router. */
  readonly #flits = new Map<string, typeof noFlits>();
  #bytes = 0;
  #conflicts = 0;

  constructor(isFlit: boolean) {
    this.#isFlit = isFlit;
  }

  hear(event: LockstepEvent, { from, to }: Heard): void {
    if (event.type === 'packet.enter') {
      const { port, packet } = event as PacketEnter;
      if (routerIn(from)) this.#count(from, sentTo[port]!, packet);
      else this.#count(to, port === 0 ? 'L' : 'fromMemory', packet);
    } else if (event.type === 'packet.arrive')
      this.#count(from, to.includes('.Tbox[') ? 'delivered' : 'W', (event as PacketArrive).packet);
    const { kind, len } = event as DescriptorIssue;
    if (event.type !== 'descriptor.issue' || kind.endsWith('Barrier') || !to.includes('.Tbox[')) return;
    this.#issued[kind] = (this.#issued[kind] ?? 0) + 1;
    this.#bytes += len;
  }

  #count(name: string, what: keyof typeof noFlits, { flits }: PacketEnter['packet']): void {
    const router = routerIn(name);
    if (router === undefined) return;
    const counts = this.#flits.get(router) ?? { ...noFlits };
    counts[what] += flits;
    this.#flits.set(router, counts);
  }

  look(probe: Probe, tick: number): void {
    const { core } = probe as CoreRuns;
    if (probe.type === 'ldm.conflict') this.#conflicts++;
    else if (probe.type === 'core.waits') {
      const kind = kinds[(probe as CoreWaits).on.op];
      if (kind) this.#waiting.set(core, [kind, tick]);
    } else {
      const [kind, since] = this.#waiting.get(core) ?? [];
      if (kind) this.#waits[kind] += tick - since!;
      this.#waiting.delete(core);
    }
  }

  difference(result: () => SunwayResult): string | undefined {
    const { totals } = result();
    const transfers = Object.values(this.#issued).reduce((sum, one) => sum + one, 0);
    const expected = { transfers, bytes: this.#bytes, kinds: this.#issued, waits: this.#waits };
    return (
      firstDifference(
        totals,
        { ...expected, ...(this.#isFlit && { ldmConflicts: this.#conflicts }) },
        '.totals',
      ) ??
      firstDifference(this.#issued, totals.kinds, '.kinds') ??
      firstDifference(
        totals.mesh,
        totals.mesh?.map(({ group, router }) => this.#flits.get(`Cg[${group}].Router[${router}]`) ?? noFlits),
        '.mesh',
      )
    );
  }
}

/** The router that a part belongs to. */
const routerIn = (name: string): string | undefined => /^Cg\[\d+\]\.Router\[\d+\]/.exec(name)?.[0];

/** The totals of a node. */
export const totals: Following = ({ config }) => new TotalsFollower(config.fidelity === 'flit');
