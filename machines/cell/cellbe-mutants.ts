import type { EibSpec } from '../../actors/cell/eib/eib-spec.ts';
import { RingDesk, type RingStart } from '../../actors/cell/eib/ring-desk.ts';
import type { EibParts } from './cellbe-parts.ts';

/** Leaves the last link out of the path. */
class ShortPathDesk extends RingDesk {
  protected override blank(): RingDesk {
    return new ShortPathDesk(this.spec);
  }
  protected override pathLinks(dir: number, from: number, hops: number): number[] {
    return super.pathLinks(dir, from, hops - 1);
  }
}

/** Starts one cycle too early after another start. */
class HastyDesk extends RingDesk {
  protected override blank(): RingDesk {
    return new HastyDesk(this.spec);
  }
  protected override get startGap(): number {
    return Math.max(0, super.startGap - 1);
  }
}

/** Lets one packet too many ride on a ring. */
class CrowdedDesk extends RingDesk {
  protected override blank(): RingDesk {
    return new CrowdedDesk(this.spec);
  }
  protected override hasRoom(riding: readonly { readonly hops: number }[], hops: number): boolean {
    return super.hasRoom(riding.slice(1), hops);
  }
}

/** Reserves the path of the fourth packet of the run and forgets to start it. */
class LosingDesk extends RingDesk {
  protected override blank(): RingDesk {
    return new LosingDesk(this.spec);
  }
  override decide(t: number): readonly RingStart[] {
    const before = this.rowPackets.reduce((sum, packets) => sum + packets, 0);
    return super.decide(t).filter((_, index) => before + index !== 3);
  }
}

const desks: Readonly<
  Record<string, { readonly sentence: string; readonly make: (spec: EibSpec) => RingDesk }>
> = {
  'eib-short-path': {
    sentence: 'the last link of a path is not reserved',
    make: (spec) => new ShortPathDesk(spec),
  },
  'eib-hasty-start': {
    sentence: 'a ring starts a packet one cycle too early after another',
    make: (spec) => new HastyDesk(spec),
  },
  'eib-crowded-ring': {
    sentence: 'a ring carries one packet too many',
    make: (spec) => new CrowdedDesk(spec),
  },
  'eib-lost-packet': {
    sentence: 'the fourth packet is granted and never sent',
    make: (spec) => new LosingDesk(spec),
  },
};

/** The fault catalogue of the bus: id and sentence (Cell specification 19, 21.4). */
export const cellbeMutants: ReadonlyMap<string, string> = new Map(
  Object.entries(desks).map(([id, { sentence }]) => [id, sentence]),
);

/** The parts with the mutants of these ids applied, the last of several; ids of other catalogues are passed over (Cell specification 21.4). */
export function mutatedEibParts(parts: EibParts, ids: readonly string[]): EibParts {
  const desk = ids.map((id) => desks[id]?.make).findLast((make) => make !== undefined);
  return desk === undefined ? parts : { ...parts, desk };
}
