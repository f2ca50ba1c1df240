/** Something that happened, and its level: one more than the greatest of those before it whose order with it matters. */
interface Placed<T> {
  readonly one: T;
  readonly level: number;
}

/**
 * What happened in one tick, kept so that two orders come to the same where the difference does not matter: what one party does stays in its order, and so does what happens in one
 * unit that parties share; what is everybody's stays where it is among everything. (The normal form of Foata for traces.)
 */
export interface Tick<T> {
  /** By party. */
  readonly lanes: Record<string | number, Placed<T>[]>;
  /** By unit: the level of what happened last. */
  readonly units: Record<string | number, number>;
  /** The greatest level of all, and of what is everybody's. */
  top: number;
  last: number;
}

/** A tick in which nothing has happened. */
export const emptyTick = <T>(): Tick<T> => ({ lanes: {}, units: {}, top: 0, last: 0 });

/** The party of what keeps its place among everything. */
export const everybody = 0;

/** What something is about that is placed so (`Observer.about`): what has neither party nor unit in common comes to the same in either order. */
export const placeOf = (party: string | number, unit?: string | number): readonly string[] | undefined =>
  party === everybody ? undefined : [`party ${party}`, ...(unit === undefined ? [] : [`unit ${unit}`])];

/** Puts something in its place, by the party that did it and the unit, if any, in which it met others. */
export function place<T>(tick: Tick<T>, one: T, party: string | number, unit?: string | number): void {
  const { lanes, units, top, last } = tick;
  lanes[party] ??= [];
  const lane = lanes[party];
  const inUnit = unit === undefined ? 0 : (units[unit] ?? 0);
  const level = 1 + (party === everybody ? top : Math.max(last, lane.at(-1)?.level ?? 0, inUnit));
  lane.push({ one, level });
  if (unit !== undefined) units[unit] = level;
  if (party === everybody) tick.last = level;
  tick.top = Math.max(top, level);
}

/** What happened, level by level: an order that differs from the one in which it was placed only where it does not matter. */
export function inOrder<T>({ lanes, top }: Tick<T>): readonly T[] {
  const parties = Object.keys(lanes).sort();
  /** By level: how many are of lower ones, then where its next one goes. */
  const places = new Array<number>(top + 2).fill(0);
  let count = 0;
  for (const party of parties)
    for (const { level } of lanes[party]!) {
      places[level + 1]!++;
      count++;
    }
  for (let level = 1; level < places.length; level++) places[level]! += places[level - 1]!;
  const ordered = new Array<T>(count);
  for (const party of parties) for (const { one, level } of lanes[party]!) ordered[places[level]!++] = one;
  return ordered;
}
