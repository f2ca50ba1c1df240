/** A memory on which accesses are tried out one after another. */
export interface Replay {
  /** True when the access can come next and, wherever it comes, changes nothing: then it may as well come now. */
  idle(access: number): boolean;
  /** Carries an access out; false when it cannot come next. */
  take(access: number): boolean;
  /** Takes back the last one that was carried out. */
  undo(access: number): void;
  /** What the memory holds, exactly. */
  readonly key: string;
}

/** A search for an order in which accesses may have happened one after another. */
export interface Search {
  /** For each access those that must come before it; all others follow from these. */
  readonly justBefore: readonly (readonly number[])[];
  /** False for an access that may be left out. */
  readonly needed: (access: number) => boolean;
  readonly replay: Replay;
  /** Accesses that are tried before it gives up. */
  readonly budget: number;
}

/** An order; undefined when there is none; or how far the search came before its budget was used up. */
export type SearchResult = readonly number[] | undefined | { readonly steps: number };

/**
 * Looks for an order of accesses that keeps the given one and that the memory allows (Wing, Gong: "Testing and verifying concurrent objects", 1993;
 * remembering what failed, as Lowe: "Testing for linearizability", 2017).
 *
 * Details: how it can go on depends on which accesses were taken and on what the memory holds. Which were taken is told exactly by those that could come next,
 * so a key is short, however long the history; such a state is tried once. Accesses that never change anything are taken as soon as they can be: any order
 * that has one later stays right when it is moved forward.
 */
export function searchOrder({ justBefore, needed, replay, budget }: Search): SearchResult {
  const progress = new Progress(justBefore, needed);
  const failed = new Set<string>();
  const branches: { readonly taken: number; readonly ways: readonly number[]; next: number }[] = [];
  let steps = 0;

  const take = (access: number) => {
    steps++;
    progress.take(access);
  };
  const takeIdle = () => {
    for (let i = 0; i < progress.ready.length; ) {
      const access = progress.ready[i]!;
      if (replay.idle(access) && replay.take(access)) {
        take(access);
        i = 0;
      } else i++;
    }
  };
  const backTo = (taken: number) => {
    while (progress.order.length > taken) replay.undo(progress.untake());
  };

  for (;;) {
    takeIdle();
    if (progress.left === 0) return progress.order;
    if (steps > budget) return { steps };
    const key = `${progress.ready.join()} ${replay.key}`;
    if (!failed.has(key)) {
      failed.add(key);
      branches.push({ taken: progress.order.length, ways: [...progress.ready], next: 0 });
    }
    for (;;) {
      const branch = branches.at(-1);
      if (branch === undefined) return undefined;
      backTo(branch.taken);
      while (branch.next < branch.ways.length && !replay.take(branch.ways[branch.next]!)) branch.next++;
      if (branch.next < branch.ways.length) {
        take(branch.ways[branch.next++]!);
        break;
      }
      branches.pop();
    }
  }
}

/** Which accesses were taken, and which could come next. */
class Progress {
  /** Those taken, in their order. */
  readonly order: number[] = [];
  /** Those that could come next, ascending. */
  readonly ready: number[] = [];
  /** How many are still needed. */
  left = 0;
  readonly #needed: (access: number) => boolean;
  readonly #justAfter: number[][];
  readonly #missing: number[];

  constructor(justBefore: readonly (readonly number[])[], needed: (access: number) => boolean) {
    this.#needed = needed;
    this.#justAfter = justBefore.map(() => []);
    this.#missing = justBefore.map((before) => before.length);
    for (const [access, before] of justBefore.entries()) {
      if (before.length === 0) this.ready.push(access);
      if (needed(access)) this.left++;
      for (const earlier of before) this.#justAfter[earlier]!.push(access);
    }
  }

  take(access: number): void {
    this.order.push(access);
    this.ready.splice(this.ready.indexOf(access), 1);
    for (const later of this.#justAfter[access]!) if (--this.#missing[later]! === 0) this.#insert(later);
    if (this.#needed(access)) this.left--;
  }

  untake(): number {
    const access = this.order.pop()!;
    for (const later of this.#justAfter[access]!)
      if (this.#missing[later]!++ === 0) this.ready.splice(this.ready.indexOf(later), 1);
    this.#insert(access);
    if (this.#needed(access)) this.left++;
    return access;
  }

  #insert(access: number): void {
    let at = this.ready.length;
    while (at > 0 && this.ready[at - 1]! > access) at--;
    this.ready.splice(at, 0, access);
  }
}
