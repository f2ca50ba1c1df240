/** Flags of barriers (TCA specification 12.6). */
export const barrierFlags = { named: 0, anonymous: 1, mismatch: 2 } as const;

/** What nodes know together of a barrier: its name if one has given it one, and whether they disagree. */
export interface Agreement {
  readonly id: number;
  readonly flags: number;
}

const has = ({ flags }: Agreement, flag: number): boolean => (flags & flag) !== 0;

/** What two nodes know together: an anonymous one goes along with any name, two names do not go together (TCA specification 12.6). */
export function agreed(a: Agreement, b: Agreement): Agreement {
  const { anonymous, mismatch } = barrierFlags;
  if (has(a, mismatch)) return a;
  if (has(b, mismatch)) return b;
  if (has(a, anonymous)) return b;
  if (has(b, anonymous) || a.id === b.id) return a;
  return { id: 0, flags: mismatch };
}

/** Rounds of a dissemination among so many nodes. */
export const barrierRounds = (nodes: number): number => Math.ceil(Math.log2(nodes));

/** To whom a node speaks in a round; it hears from the one as far on the other side. */
export const barrierPartner = (rank: number, round: number, nodes: number): number =>
  (rank + 2 ** round) % nodes;

/** The barrier of a node: between phases, or under way in one. */
export interface Barrier {
  /** Phases begun. */
  phase: number;
  /** What this node has said in the phase; null when it has not. */
  notified: Agreement | null;
  /** What it knows so far, and of how many rounds. */
  known: Agreement;
  round: number;
  /** What has been heard and not used, by phase and round. */
  heard: Record<string, Agreement>;
}

/** A node before its first barrier. */
export const noBarrier = (): Barrier => ({
  phase: 0,
  notified: null,
  known: { id: 0, flags: 0 },
  round: 0,
  heard: {},
});

/** The name under which a node keeps what it heard. */
export const heardKey = (phase: number, round: number): string => `${phase} ${round}`;
