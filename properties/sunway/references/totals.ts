import type { DescriptorIssue } from '../../../actors/sunway/messages.ts';
import type { CoreRuns, CoreWaits } from '../../../actors/sunway/probes.ts';
import type { LockstepEvent, Probe } from '../../../kernel/message.ts';
import type { SunwayResult } from '../../../machines/sunway.ts';
import { firstDifference } from '../../with-reference.ts';
import type { Follower, Following, Heard } from './follower.ts';

/** What each wait is counted under. */
const kinds: Readonly<Record<string, 'transfers' | 'barriers' | 'locks' | 'hosts'>> = {
  ...{ wait: 'transfers', arrive: 'barriers', lock: 'locks', meet: 'hosts', append: 'hosts' },
};

/** Figures of the result, added up a second time. */
class TotalsFollower implements Follower {
  readonly watches = ['descriptor.issue', 'core.waits', 'core.runs', 'ldm.conflict', 'packet.enter'];
  readonly #isFlit: boolean;
  readonly #issued: Record<string, number> = {};
  readonly #waits = { transfers: 0, barriers: 0, locks: 0, hosts: 0 };
  readonly #waiting = new Map<number, readonly [keyof SunwayResult['totals']['waits'], number]>();
  #bytes = 0;
  #conflicts = 0;

  constructor(isFlit: boolean) {
    this.#isFlit = isFlit;
  }

  hear(event: LockstepEvent, { to }: Heard): void {
    const { kind, len } = event as DescriptorIssue;
    if (event.type !== 'descriptor.issue' || kind.endsWith('Barrier') || !to.includes('.Tbox[')) return;
    this.#issued[kind] = (this.#issued[kind] ?? 0) + 1;
    this.#bytes += len;
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
      ) ?? firstDifference(this.#issued, totals.kinds, '.kinds')
    );
  }
}

/** The totals of a node. */
export const totals: Following = ({ config }) => new TotalsFollower(config.fidelity === 'flit');
