import { KernelError } from './errors.ts';
import { patternTest } from './faults-pattern.ts';
import { oneOf, onlyKeys } from './known-keys.ts';
import type { LockstepEvent } from './message.ts';
import type { Placement } from './wiring.ts';

/** Which parties may crash, and what becomes of them. */
export interface Crashes {
  /** Parties that may be down at once, at least 1. */
  readonly max: number;
  /** True when a party that is down may come back; default false. */
  readonly recover?: boolean | undefined;
  /** Keys of the context that survive a crash, since they were saved; the rest begins anew. None when absent. */
  readonly keeps?: readonly string[] | undefined;
  /** Names of the parties that may crash, with `*` for any characters but a dot; all when absent. */
  readonly of?: readonly string[] | undefined;
}

/**
 * How an asynchronous network treats what is posted (specification of protocols, 1). All keys have a default: an unordered network that loses and doubles nothing.
 *
 * Details: a party to which a message comes that changes nothing in it, and lets it send nothing, has not received it: in an unordered network such a message stays under
 * way; in `perChannel` it is taken off its channel, but where it may be delivered again, and stays there.
 */
export interface Network {
  /** `unordered` (default): any message under way may be next. `perChannel`: only the oldest of each ordered pair (sender, receiver). */
  readonly order?: 'unordered' | 'perChannel' | undefined;
  /**
   * True: a message that was delivered stays under way and may be delivered again. Equal messages are one; in `perChannel` only where nothing is between them.
   *
   * Gotchas: in `perChannel` the message that was delivered stays the oldest, and what is behind it waits until it is lost: with `lossy`, that is.
   */
  readonly duplicating?: boolean | undefined;
  /** True: each message under way may be lost, of a channel in order the oldest one; a number: at most so many are. What comes from the outside is not lost. */
  readonly lossy?: boolean | number | undefined;
  /** How often the parties may be split in two; while they are, messages between the halves wait. A split heals some time. */
  readonly partitions?: number | undefined;
  readonly crashes?: Crashes | undefined;
}

/** Event types of the steps of a network that are no deliveries. They come from the outside. */
export const networkSteps = {
  /** To a party: it is down from now on. */
  crash: 'network.crash',
  /** To a party that is down: it comes back. */
  recover: 'network.recover',
  /** To the receiver of a message: it is lost. */
  drop: 'network.drop',
  /** To the party at address 0, like those below: the parties are split, `side` has the bit of the address of each party on the other side. */
  split: 'network.split',
  /** The parties are whole again. */
  heal: 'network.heal',
  /** Nothing of this happens any more. */
  rest: 'network.rest',
} as const;

/** The step that splits the parties. */
export interface NetworkSplit {
  readonly type: typeof networkSteps.split;
  readonly side: number;
}

/** The step that loses a message. */
export interface NetworkDrop {
  readonly type: typeof networkSteps.drop;
  readonly from: number;
  readonly event: LockstepEvent;
}

/** Parties that may be split in two: the number of ways to do so doubles with each. */
const splitPartiesMax = 12;

/** A network with its defaults filled in, for the parties of a wiring. */
export class NetworkRules {
  /** Only the oldest message of each channel may be delivered. */
  readonly ordered: boolean;
  readonly duplicating: boolean;
  /** A message of which nothing comes stays under way, so that its delivery is no step; otherwise it takes it off its channel. */
  readonly keepsIdle: boolean;
  /** Messages that may be lost; without limit: infinity. */
  readonly lossesMax: number;
  readonly splitsMax: number;
  readonly crashes: Crashes | undefined;
  /** By address of a party: true when it may crash. */
  readonly mayCrash: readonly boolean[];
  /** The ways to split the parties in two: the bits of the addresses on the side that the party at address 0 is not on. */
  readonly sides: readonly number[];
  /** How many parties there are. */
  readonly parties: number;
  /** The bits of the addresses of all parties. */
  readonly #everybody: number;

  /** Errors: KRN016 for keys and values that a network does not have, parties that nobody is, keys that no party remembers, or more parties than can be split. */
  constructor(network: Network, parties: readonly (Placement | undefined)[]) {
    const { order = 'unordered', duplicating = false, lossy = false, partitions = 0, crashes } = network;
    // A network that does less than was meant would pass for a sound protocol.
    onlyKeys('network', network, ['order', 'duplicating', 'lossy', 'partitions', 'crashes'], 'KRN016');
    oneOf('network.order', order, ['unordered', 'perChannel'], 'KRN016');
    oneOf('network.duplicating', duplicating, [false, true], 'KRN016');
    if (typeof lossy !== 'number') oneOf('network.lossy', lossy, [false, true, 'or a number'], 'KRN016');
    if (crashes) {
      onlyKeys('network.crashes', crashes, ['max', 'recover', 'keeps', 'of'], 'KRN016');
      oneOf('network.crashes.recover', crashes.recover ?? false, [false, true], 'KRN016');
    }
    this.ordered = order === 'perChannel';
    this.duplicating = duplicating;
    this.keepsIdle = !this.ordered || duplicating;
    this.lossesMax = typeof lossy === 'number' ? lossy : lossy ? Number.POSITIVE_INFINITY : 0;
    this.splitsMax = partitions;
    this.crashes = crashes;
    count('lossy', typeof lossy === 'number' ? lossy : 0, 0);
    count('partitions', partitions, 0);
    if (crashes) count('crashes.max', crashes.max, 1);
    const names = parties.flatMap((party) => party?.name ?? []);
    for (const pattern of crashes?.of ?? [])
      if (!names.some(patternTest(pattern))) oneOf('network.crashes.of', pattern, names, 'KRN016');
    const tests = crashes?.of?.map(patternTest) ?? [() => true];
    this.mayCrash = parties.map(
      (party) => crashes !== undefined && party !== undefined && tests.some((test) => test(party.name)),
    );
    const remembered = new Set(parties.flatMap((party, at) => (this.mayCrash[at] ? keysOf(party!) : [])));
    for (const key of crashes?.keeps ?? []) oneOf('network.crashes.keeps', key, [...remembered], 'KRN016');
    if (partitions > 0 && parties.length > splitPartiesMax)
      throw new KernelError(
        'KRN016',
        'network',
        `found partitions among ${parties.length} parties, expected at most ${splitPartiesMax}`,
      );
    this.parties = parties.length;
    this.#everybody = 2 ** parties.length - 1;
    const ways = partitions > 0 ? 2 ** (parties.length - 1) - 1 : 0;
    this.sides = Array.from({ length: ways }, (_, way) => 2 * (way + 1));
  }

  /** True when a split is between two parties; what comes from the outside reaches everybody. */
  separates(split: number, from: number, to: number): boolean {
    if (split === 0 || from < 0 || from >= 32 || to >= 32) return false;
    return ((split >>> from) & 1) !== ((split >>> to) & 1);
  }

  /** A split after two parties have changed places. */
  exchanged(split: number, one: number, other: number): number {
    const apart = ((split >>> one) ^ (split >>> other)) & 1;
    const swapped = split ^ (apart << one) ^ (apart << other);
    // The party at address 0 is on the side without bits.
    return swapped & 1 ? swapped ^ this.#everybody : swapped;
  }

  /** The bits of the parties that a split cuts off from one of them. */
  cutOffFrom(split: number, party: number): number {
    return (split >>> party) & 1 ? split ^ this.#everybody : split;
  }

  /** What of a context survives a crash. */
  saved(context: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const kept: Record<string, unknown> = {};
    for (const key of this.crashes?.keeps ?? []) if (key in context) kept[key] = context[key];
    return kept;
  }
}

/** What a party remembers: a context keeps its keys for life. */
function keysOf({ machine, input }: Placement): readonly string[] {
  const { context = {} } = machine.config as { context?: unknown };
  try {
    return Object.keys((typeof context === 'function' ? context({ input }) : context) as object);
  } catch {
    // Told where the party comes to life.
    return [];
  }
}

function count(key: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw new KernelError(
      'KRN016',
      `network.${key}`,
      `found ${value}, expected a whole number from ${least}`,
    );
}
