import type { EibSpec } from '../../actors/cell/eib/eib-spec.ts';
import { RingScheduler, type RingStart } from '../../actors/cell/eib/ring-scheduler.ts';
import type { EibParts } from './cellbe-parts.ts';

/** Leaves the last link out of the path. */
class ShortPathScheduler extends RingScheduler {
  protected override blank(): RingScheduler {
    return new ShortPathScheduler(this.spec);
  }
  protected override pathLinks(dir: number, from: number, hops: number): number[] {
    return super.pathLinks(dir, from, hops - 1);
  }
}

/** Starts one cycle too early after another start. */
class HastyScheduler extends RingScheduler {
  protected override blank(): RingScheduler {
    return new HastyScheduler(this.spec);
  }
  protected override get startGap(): number {
    return Math.max(0, super.startGap - 1);
  }
}

/** Lets one packet too many ride on a ring. */
class CrowdedScheduler extends RingScheduler {
  protected override blank(): RingScheduler {
    return new CrowdedScheduler(this.spec);
  }
  protected override hasRoom(riding: readonly { readonly hops: number }[], hops: number): boolean {
    return super.hasRoom(riding.slice(1), hops);
  }
}

/** Reserves the path of the fourth packet of the run and forgets to start it. */
class LosingScheduler extends RingScheduler {
  protected override blank(): RingScheduler {
    return new LosingScheduler(this.spec);
  }
  override decide(t: number): readonly RingStart[] {
    const before = this.rowPackets.reduce((sum, packets) => sum + packets, 0);
    return super.decide(t).filter((_, index) => before + index !== 3);
  }
}

const schedulers: Readonly<
  Record<string, { readonly sentence: string; readonly make: (spec: EibSpec) => RingScheduler }>
> = {
  'eib-short-path': {
    sentence: 'the last link of a path is not reserved',
    make: (spec) => new ShortPathScheduler(spec),
  },
  'eib-hasty-start': {
    sentence: 'a ring starts a packet one cycle too early after another',
    make: (spec) => new HastyScheduler(spec),
  },
  'eib-crowded-ring': {
    sentence: 'a ring carries one packet too many',
    make: (spec) => new CrowdedScheduler(spec),
  },
  'eib-lost-packet': {
    sentence: 'the fourth packet is granted and never sent',
    make: (spec) => new LosingScheduler(spec),
  },
};

/** The fault catalogue of the bus: id and sentence (Cell specification 19, 21.4). */
export const cellbeMutants: ReadonlyMap<string, string> = new Map(
  Object.entries(schedulers).map(([id, { sentence }]) => [id, sentence]),
);

/** The parts with the mutants of these ids applied, the last of several; ids of other catalogues are passed over (Cell specification 21.4). */
export function mutatedEibParts(parts: EibParts, ids: readonly string[]): EibParts {
  const scheduler = ids.map((id) => schedulers[id]?.make).findLast((make) => make !== undefined);
  return scheduler === undefined ? parts : { ...parts, scheduler };
}
