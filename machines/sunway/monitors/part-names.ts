import { type CoreId, cpeCore, mpeCore } from './race/race-event.ts';

/** A core or the LDM of one, as the name of a part tells it. */
export interface NamedPart {
  readonly part: 'Cpe' | 'Ldm' | 'Mpe';
  readonly core: CoreId;
}

/** Reads names of parts, `Cg[0].Ldm[5]`; each is taken apart once. */
export class PartNames {
  readonly #known = new Map<string, NamedPart | null>();

  /** The part of this name, undefined when it belongs to no core. */
  of(name: string): NamedPart | undefined {
    let known = this.#known.get(name);
    if (known === undefined) {
      known = taken(name);
      this.#known.set(name, known);
    }
    return known ?? undefined;
  }
}

function taken(name: string): NamedPart | null {
  const found = /^Cg\[(\d+)\]\.(?:(Cpe|Ldm)\[(\d+)\]|Mpe)$/.exec(name);
  if (!found) return null;
  const group = Number(found[1]);
  if (found[2] === undefined) return { part: 'Mpe', core: mpeCore(group) };
  return { part: found[2] === 'Cpe' ? 'Cpe' : 'Ldm', core: cpeCore(Number(found[3]), group) };
}

/** The core that messages and probes number: 64 CPEs a core group, -1 and below for host processes. */
export const coreOfNumber = (core: number): CoreId =>
  core < 0 ? mpeCore(-1 - core) : cpeCore(core % 64, Math.floor(core / 64));
