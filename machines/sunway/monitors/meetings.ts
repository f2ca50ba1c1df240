import type { BarrierKind } from '../../../actors/sunway/messages.ts';
import { shareGroup } from '../../../actors/sunway/shared/share-group.ts';
import { type CpeGroup, groupMembers } from '../../../actors/sunway/sync/group.ts';
import type { SunwayConfig } from '../config.ts';
import { type CoreId, cpeCore, groupOf, mpeCore } from './race/race-event.ts';

/** A group that meets: equal names stand for equal members. */
export interface NamedGroup {
  readonly name: string;
  readonly members: readonly CoreId[];
}

/** What a node's cores can meet in, as far as the CPEs are there. */
export class Meetings {
  readonly #config: SunwayConfig;
  readonly #offline = new Set<CoreId>();
  readonly #known = new Map<string, NamedGroup>();

  constructor(config: SunwayConfig) {
    this.#config = config;
  }

  /** These CPEs take part in nothing any more. */
  leave(cores: readonly CoreId[]): void {
    for (const core of cores) this.#offline.add(core);
    this.#known.clear();
  }

  /** The group that a call of a core synchronises (Sunway specification 5.3, 6.2); undefined for a call that is no synchronisation. */
  ofCall(core: CoreId, name: string, tid: number | undefined): NamedGroup | undefined {
    const key = `${name} ${tid ?? ''} ${core}`;
    const known = this.#known.get(key);
    if (known) return known;
    const members = this.#membersOf(core, name, tid);
    if (!members) return undefined;
    const found = named(members.filter((one) => !this.#offline.has(one)));
    this.#known.set(key, found);
    return found;
  }

  /** The group of a hardware barrier. */
  ofPrimitive(group: number, kind: BarrierKind, index: number, mask: number): NamedGroup {
    const line = Array.from({ length: 8 }, (_, bit) => bit).filter((bit) => (mask >> bit) & 1);
    const tids =
      kind === 'pair'
        ? [index, mask]
        : line.map((bit) => (kind === 'row' ? 8 * index + bit : 8 * bit + index));
    return named(this.#there(tids, group));
  }

  #membersOf(core: CoreId, name: string, tid: number | undefined): readonly CoreId[] | undefined {
    const { cgs, sldm } = this.#config;
    const group = groupOf(core);
    const host = mpeCore(group);
    const own = core - cpeCore(0, group);
    const groups = Array.from({ length: cgs }, (_, cgn) => cgn);
    switch (name) {
      case 'ssync_peer':
        return this.#there([own, tid ?? own], group);
      case 'ssync_sldm':
        return this.#there(groupMembers(shareGroup(sldm.mode), own), group);
      case 'ssync_master_spe':
        return [core, host];
      case 'sync_master_spe':
        return [cpeCore(tid ?? 0, group), host];
      case 'ssync_master_array':
      case 'sync_master_array':
        return [...this.#there(groupMembers('array', 0), group), host];
      case 'ssync_node':
        return groups.flatMap((cgn) => this.#there(groupMembers('array', 0), cgn));
      case 'sync_node':
        return groups.map((cgn) => mpeCore(cgn));
      default:
        return name.startsWith('ssync_')
          ? this.#there(this.#barrierMembers(name.slice('ssync_'.length) as CpeGroup, own), group)
          : undefined;
    }
  }

  #barrierMembers(group: CpeGroup, tid: number): readonly number[] {
    const halves = group === 'col_left' || group === 'col_right';
    const members = groupMembers(group, tid);
    if (!halves || this.#config.sync.colLeftRight === 'manual') return members;
    return members.filter((one) => one < 32 === (group === 'col_left'));
  }

  #there(tids: readonly number[], group: number): readonly CoreId[] {
    return tids.filter((tid) => tid < this.#config.cpesPerCg).map((tid) => cpeCore(tid, group));
  }
}

const named = (members: readonly CoreId[]): NamedGroup => {
  const sorted = [...new Set(members)].sort((a, b) => a - b);
  return { name: sorted.join(' '), members: sorted };
};
