import type { Descriptor, DescriptorKind } from '../../../actors/sunway/descriptor.ts';
import { isBarrier } from '../../../actors/sunway/engine/queues.ts';
import type { CoreRuns, CoreWaits } from '../../../actors/sunway/probes.ts';
import type { Probe } from '../../../kernel/message.ts';
import type { Run } from '../../../kernel/run.ts';
import type { SunwayConfig } from '../config.ts';
import type { RouterFlits } from './mesh-flits.ts';

/** What cores wait for, as figures tell it. */
export type Awaited = 'transfers' | 'barriers' | 'locks' | 'hosts';

/** What a node did in a run, added up over all cores. */
export interface NodeTotals {
  /** Transfers that engines were given, barrier operations left out. */
  readonly transfers: number;
  /** How many there were of each kind: `dmaGet`, `rmaBcast`. */
  readonly kinds: Readonly<Partial<Record<DescriptorKind, number>>>;
  /** Their bytes; those of a broadcast once. */
  readonly bytes: number;
  /** Cycles that CPEs waited, by what for. */
  readonly waits: Readonly<Record<Awaited, number>>;
  /** Fidelity `flit`: how often an access of a CPE had to try again, since its engine touched the same bytes (Sunway specification 8.7). */
  readonly ldmConflicts?: number;
  /** Fidelity `flit`: what went through the ports of the routers. */
  readonly mesh?: readonly RouterFlits[];
}

const awaitedBy: Partial<Record<CoreWaits['on']['op'], Awaited>> = {
  wait: 'transfers',
  arrive: 'barriers',
  lock: 'locks',
  meet: 'hosts',
  append: 'hosts',
};

/**
 * Adds up what a run does. Use `attach` before the first step.
 *
 * Details: a wait counts when it ends, so that cores which wait for ever add nothing.
 */
export class TotalsMeter {
  readonly #begun = new Map<number, { readonly awaited: Awaited; readonly at: number }>();
  readonly #waits: Record<Awaited, number> = { transfers: 0, barriers: 0, locks: 0, hosts: 0 };
  readonly #isFlit: boolean;
  readonly #kinds: Partial<Record<DescriptorKind, number>> = {};
  #transfers = 0;
  #bytes = 0;
  #conflicts = 0;

  constructor({ fidelity }: Pick<SunwayConfig, 'fidelity'>) {
    this.#isFlit = fidelity === 'flit';
  }

  /** Listens to a run. */
  attach(run: Pick<Run, 'messages$' | 'probes$'>): void {
    run.messages$.subscribe(({ message: { event } }) => {
      // The type of the message says that it is a descriptor.
      if (event.type === 'descriptor.issue') this.#issue(event as unknown as Descriptor);
    });
    run.probes$.subscribe(({ tick, probe }) => this.probe(tick, probe));
  }

  /** What was counted so far. */
  get totals(): NodeTotals {
    const { transfers, bytes, waits } = {
      transfers: this.#transfers,
      bytes: this.#bytes,
      waits: this.#waits,
    };
    const kinds = { ...this.#kinds };
    return {
      transfers,
      kinds,
      bytes,
      waits: { ...waits },
      ...(this.#isFlit && { ldmConflicts: this.#conflicts }),
    };
  }

  /** Takes a probe. */
  probe(tick: number, probe: Probe): void {
    if (probe.type === 'ldm.conflict') this.#conflicts++;
    else if (probe.type === 'core.waits') {
      const { core, on } = probe as CoreWaits;
      const awaited = awaitedBy[on.op];
      if (awaited) this.#begun.set(core, { awaited, at: tick });
    } else if (probe.type === 'core.runs') {
      const { core } = probe as CoreRuns;
      const begun = this.#begun.get(core);
      if (!begun) return;
      this.#begun.delete(core);
      this.#waits[begun.awaited] += tick - begun.at;
    }
  }

  #issue(descriptor: Descriptor): void {
    if (isBarrier(descriptor)) return;
    this.#transfers++;
    this.#kinds[descriptor.kind] = (this.#kinds[descriptor.kind] ?? 0) + 1;
    this.#bytes += descriptor.len;
  }
}
