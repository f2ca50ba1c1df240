import { lineBytes, type OracleOp, type OracleProgram } from './oracle-program.ts';
import type { Pick } from './plain-node.ts';

/* Programs drawn at random: right ones made of the protocols that people write, the same with something left out, and anything at all. */

/** CPEs of a program. */
export const programCpes = 4;
const everybody: readonly number[] = Array.from({ length: programCpes }, (_, tid) => tid);

/** LDM that programs use: buffers, then words. */
export const areaBytes = 4096;
const [wordsAt, flagsAt] = [2048, 3072];
/** Main memory that programs use. */
export const memoryBytes = 1024;

const bufferBytes = 16;
type Tagged = OracleOp & { readonly id?: number };

/** A program that grows. Each protocol takes buffers, words and memory of its own until all have met; then they are used again. */
class Draft {
  readonly program: Tagged[][] = everybody.map(() => []);
  readonly pick: Pick;
  /** Whether memory is reached through data caches; else past them. */
  readonly cached: boolean;
  /** Calls whose receivers go on behind a group sync without having waited: right by the lenient rules alone. */
  habits = 0;
  #buffers = 0;
  #words = 0;
  #memory = 0;
  #flags = 0;
  #ids = 0;
  /** By CPE and word: how often it has been counted in since the program set it. */
  readonly #counts = new Map<string, number>();

  constructor(pick: Pick) {
    this.pick = pick;
    this.cached = pick(3) === 0;
  }

  add(tid: number, ...ops: readonly OracleOp[]): void {
    this.program[tid]!.push(...ops);
  }

  /** The same operation of several CPEs, which stands or falls together. */
  together(tids: readonly number[], op: OracleOp): void {
    const id = this.id();
    for (const tid of tids) this.add(tid, { ...op, id });
  }

  id(): number {
    return this.#ids++;
  }

  sync(tids: readonly number[] = everybody): void {
    this.together(tids, { op: 'sync', tids });
  }

  buffer(): number {
    return bufferBytes * this.#buffers++;
  }
  word(): number {
    return wordsAt + 4 * this.#words++;
  }
  flag(): number {
    return flagsAt + 4 * this.#flags++;
  }
  /** What CPEs change through caches lies in lines of its own. */
  memory(): number {
    return (this.cached ? lineBytes : bufferBytes) * this.#memory++;
  }

  /** A load or store of memory. */
  memoryAccess(tid: number, kind: 'load' | 'store', at: number): void {
    const op = this.cached
      ? (`cached${kind === 'load' ? 'Load' : 'Store'}` as const)
      : (`memory${kind === 'load' ? 'Load' : 'Store'}` as const);
    this.add(tid, { op, at: at + 8 * this.pick(2), bytes: 8 });
  }
  /** What a CPE has changed gets into memory, and what it will read comes from there. */
  evict(tid: number, at: number): void {
    if (this.cached) this.add(tid, { op: 'evict', at, bytes: bufferBytes });
  }

  /** Some CPEs in any order. */
  some(count: number): readonly number[] {
    const left = [...everybody];
    return Array.from({ length: count }, () => left.splice(this.pick(left.length), 1)[0]!);
  }

  /** A CPE's word will be counted in. */
  counts(tid: number, word: number | null, times = 1): void {
    if (word === null) return;
    const key = `${tid} ${word}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times);
  }

  /** A CPE waits for all that its word will have been counted in until now. */
  waits(tid: number, word: number): void {
    this.add(tid, { op: 'wait', word, value: this.#counts.get(`${tid} ${word}`) ?? 0 });
  }
  reached(tid: number, word: number): number {
    return this.#counts.get(`${tid} ${word}`) ?? 0;
  }

  load(tid: number, at: number, owner = tid): void {
    this.add(tid, { op: 'load', tid: owner, at, bytes: bufferBytes });
  }
  store(tid: number, at: number, owner = tid): void {
    this.add(tid, { op: 'store', tid: owner, at, bytes: bufferBytes });
  }

  remotePut(
    tid: number,
    to: number,
    own: number,
    other: number,
    local: number | null,
    remote: number | null,
  ): void {
    this.counts(tid, local);
    this.counts(to, remote);
    this.add(tid, { op: 'remotePut', own, other, tid: to, bytes: bufferBytes, local, remote });
  }
  remoteGet(
    tid: number,
    from: number,
    own: number,
    other: number,
    local: number | null,
    remote: number | null,
  ): void {
    this.counts(tid, local);
    this.counts(from, remote);
    this.add(tid, { op: 'remoteGet', own, other, tid: from, bytes: bufferBytes, local, remote });
  }
  move(tid: number, op: 'get' | 'put', ldm: number, memory: number, word: number | null): void {
    this.counts(tid, word);
    this.add(tid, { op, ldm, memory, bytes: bufferBytes, word });
  }

  /** Everybody meets: what was used may be used again, and words are set anew or counted on. */
  meet(): void {
    this.sync();
    if (this.pick(2) === 0) {
      for (const [key, count] of this.#counts) {
        const [tid, word] = key.split(' ').map(Number);
        if (count > 0) this.add(tid!, { op: 'set', word: word!, value: 0 });
      }
      this.#counts.clear();
      this.sync();
    }
    this.#buffers = 0;
    this.#memory = 0;
    this.#words = 0;
  }
}

type Protocol = (draft: Draft) => void;

/** A value, a token, and somebody who gets the value when the token has come. */
const token: Protocol = (d) => {
  const [a, b] = d.some(2) as [number, number];
  const [value, mark, into] = [d.buffer(), d.buffer(), d.buffer()];
  const [come, got] = [d.word(), d.word()];
  d.store(a, value);
  d.remotePut(a, b, mark, mark, null, come);
  d.waits(b, come);
  d.remoteGet(b, a, into, value, got, null);
  d.waits(b, got);
  d.load(b, into);
};

/** Several send to one, who waits for all of them on one counter. */
const counter: Protocol = (d) => {
  const [target, ...senders] = d.some(2 + d.pick(3)) as [number, ...number[]];
  const come = d.word();
  const slots = senders.map((sender) => {
    const [own, slot] = [d.buffer(), d.buffer()];
    d.store(sender, own);
    d.remotePut(sender, target, own, slot, null, come);
    return slot;
  });
  d.waits(target, come);
  for (const slot of slots) d.load(target, slot);
};

/** Two that answer each other; nobody waits for its own side. */
const pingPong: Protocol = (d) => {
  const [a, b] = d.some(2) as [number, number];
  const ball = d.buffer();
  const come = d.word();
  for (let round = 1 + d.pick(3); round > 0; round--)
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      d.store(from, ball);
      d.remotePut(from, to, ball, ball, null, come);
      d.waits(to, come);
      d.load(to, ball);
    }
};

/** Sums go up a tree, each parent waiting for its children, and the result comes down as a broadcast. */
const tree: Protocol = (d) => {
  const [root, left, right, leaf] = d.some(4) as [number, number, number, number];
  const [own, result] = [d.buffer(), d.buffer()];
  const [come, known, sent] = [d.word(), d.word(), d.word()];
  const up = (child: number, parent: number): number => {
    const slot = d.buffer();
    d.store(child, own);
    d.remotePut(child, parent, own, slot, null, come);
    return slot;
  };
  const fromLeaf = up(leaf, right);
  d.waits(right, come);
  d.load(right, fromLeaf);
  const slots = [up(left, root), up(right, root)];
  d.waits(root, come);
  for (const slot of slots) d.load(root, slot);
  d.store(root, own);
  d.add(root, {
    op: 'broadcast',
    from: own,
    to: result,
    bytes: bufferBytes,
    tids: everybody,
    local: sent,
    remote: known,
  });
  d.counts(root, sent);
  for (const tid of everybody) d.counts(tid, known);
  for (const tid of everybody) {
    d.waits(tid, known);
    d.load(tid, result);
  }
  d.waits(root, sent);
  d.store(root, own);
};

/** Items go through stages; each stage gives its place free before the next item comes. */
const pipeline: Protocol = (d) => {
  const stages = d.some(2 + d.pick(3));
  const [place, out, mark, marked] = [d.buffer(), d.buffer(), d.buffer(), d.buffer()];
  const [come, free] = [d.word(), d.word()];
  const items = 1 + d.pick(3);
  for (let item = 0; item < items; item++)
    for (const [k, stage] of stages.entries()) {
      const [before, after] = [stages[k - 1], stages[k + 1]];
      if (before !== undefined) {
        d.waits(stage, come);
        d.load(stage, place);
        d.remotePut(stage, before, mark, marked, null, free);
      }
      if (after !== undefined) {
        // The place is free, and what went there has left.
        if (item > 0) d.waits(stage, free);
        d.store(stage, out);
        d.remotePut(stage, after, out, place, null, come);
      }
    }
  for (const [k, stage] of stages.entries()) if (k + 1 < stages.length) d.waits(stage, free);
};

/** Neighbours store their margins to each other through the window, and raise flags. */
const halo: Protocol = (d) => {
  const [a, b] = d.some(2) as [number, number];
  const [margin, ready, taken] = [d.buffer(), d.flag(), d.flag()];
  const rounds = 1 + d.pick(2);
  for (let round = 1; round <= rounds; round++) {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      if (round > 1) d.add(from, { op: 'look', tid: from, at: taken, value: round - 1 });
      d.store(from, margin, to);
      d.add(from, { op: 'raise', tid: to, at: ready, value: round });
    }
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      d.add(from, { op: 'look', tid: from, at: ready, value: round });
      d.load(from, margin);
      d.add(from, { op: 'raise', tid: to, at: taken, value: round });
    }
  }
};

/** Several change one place in memory by turns. */
const turns: Protocol = (d) => {
  const tids = d.some(2 + d.pick(3));
  const [place, mine] = [d.memory(), d.buffer()];
  const moved = d.word();
  const [lock, byDma] = [d.pick(2), d.pick(2) === 0];
  for (const tid of tids) {
    const id = d.id();
    d.add(tid, { op: 'lock', lock, id });
    if (byDma) {
      d.move(tid, 'get', mine, place, moved);
      d.waits(tid, moved);
      d.store(tid, mine);
      d.move(tid, 'put', mine, place, moved);
      d.waits(tid, moved);
    } else {
      d.memoryAccess(tid, 'load', place);
      d.memoryAccess(tid, 'store', place);
      d.evict(tid, place);
    }
    d.add(tid, { op: 'unlock', lock, id });
  }
};

/** All store, meet, get from their neighbour, and meet before they store again. */
const exchange: Protocol = (d) => {
  const tids = d.pick(2) === 0 ? everybody : d.some(2 + d.pick(2));
  const members = [...tids].sort((a, b) => a - b);
  const [own, into] = [d.buffer(), d.buffer()];
  const got = d.word();
  for (const tid of tids) d.store(tid, own);
  d.sync(members);
  for (const [k, tid] of tids.entries()) {
    d.remoteGet(tid, tids[(k + 1) % tids.length]!, into, own, got, null);
    d.waits(tid, got);
    d.load(tid, into);
  }
  d.sync(members);
  for (const tid of tids) d.store(tid, own);
};

/** Two buffers: one is filled while the other is worked on. */
const doubleBuffer: Protocol = (d) => {
  const [tid] = d.some(1) as [number];
  const buffers = [d.buffer(), d.buffer()];
  const [arrived, sent] = [
    [d.word(), d.word()],
    [d.word(), d.word()],
  ];
  const blocks = 2 + d.pick(2);
  const places = Array.from({ length: blocks }, () => d.memory());
  const fetch = (k: number): void => {
    if (k >= 2) d.waits(tid, sent[k % 2]!);
    d.move(tid, 'get', buffers[k % 2]!, places[k]!, arrived[k % 2]!);
  };
  fetch(0);
  for (let k = 0; k < blocks; k++) {
    if (k + 1 < blocks) fetch(k + 1);
    d.waits(tid, arrived[k % 2]!);
    d.store(tid, buffers[k % 2]!);
    d.move(tid, 'put', buffers[k % 2]!, places[k]!, sent[k % 2]!);
  }
  for (const word of sent) d.waits(tid, word);
};

/** A put to memory, and a token for somebody else who gets it from there. */
const throughMemory: Protocol = (d) => {
  const [a, b] = d.some(2) as [number, number];
  const [own, mark, into] = [d.buffer(), d.buffer(), d.buffer()];
  const place = d.memory();
  const [put, come, got] = [d.word(), d.word(), d.word()];
  d.store(a, own);
  d.move(a, 'put', own, place, put);
  d.waits(a, put);
  d.remotePut(a, b, mark, mark, null, come);
  d.waits(b, come);
  d.move(b, 'get', into, place, got);
  d.waits(b, got);
  d.load(b, into);
  if (d.pick(2) === 0) return;
  // The answer makes a round trip for what was put.
  d.remotePut(b, a, mark, mark, null, come);
  d.waits(a, come);
  d.move(a, 'get', own, place, put);
  d.waits(a, put);
};

/** A value in memory, and a token for somebody else who reads it and changes it; then the first one reads it again, or gets it. */
const handedOn: Protocol = (d) => {
  const [a, b] = d.some(2) as [number, number];
  const [place, mark, into] = [d.memory(), d.buffer(), d.buffer()];
  const [come, got] = [d.word(), d.word()];
  const hand = (from: number, to: number): void => {
    d.evict(from, place);
    d.remotePut(from, to, mark, mark, null, come);
    d.waits(to, come);
  };
  d.memoryAccess(a, 'store', place);
  d.memoryAccess(a, 'load', place);
  hand(a, b);
  d.memoryAccess(b, 'load', place);
  if (d.pick(2) === 0) d.memoryAccess(b, 'store', place);
  hand(b, a);
  if (d.pick(2) === 0) {
    d.memoryAccess(a, 'load', place);
    d.evict(a, place);
    return;
  }
  d.move(a, 'get', into, place, got);
  d.waits(a, got);
};

/** What one CPE puts by DMA, or stores, is read by another one that has had an older line of it. */
const readAnew: Protocol = (d) => {
  const [a, b] = d.some(2) as [number, number];
  const [place, mark, own] = [d.memory(), d.buffer(), d.buffer()];
  const [come, put] = [d.word(), d.word()];
  d.memoryAccess(b, 'load', place);
  d.evict(b, place);
  d.remotePut(b, a, mark, mark, null, come);
  d.waits(a, come);
  if (d.pick(2) === 0) {
    d.move(a, 'put', own, place, put);
    d.waits(a, put);
  } else {
    d.add(a, { op: d.cached ? 'cachedStore' : 'memoryStore', at: place, bytes: bufferBytes });
    d.evict(a, place);
  }
  d.remotePut(a, b, mark, mark, null, come);
  d.waits(b, come);
  d.memoryAccess(b, 'load', place);
  d.evict(b, place);
};

/** Two that read parts of one line of which nobody changes any, while a third one changes another part and tells nobody. */
const besideEachOther: Protocol = (d) => {
  const [a, b] = d.some(2) as [number, number];
  const place = d.memory();
  const pair = [a, b].sort((x, y) => x - y);
  for (let round = 0; round < 2; round++) {
    d.add(a, { op: d.cached ? 'cachedLoad' : 'memoryLoad', at: place, bytes: 8 });
    d.memoryAccess(b, 'load', place);
    if (round === 0) d.add(b, { op: d.cached ? 'cachedStore' : 'memoryStore', at: place + 8, bytes: 8 });
    d.evict(b, place);
    d.sync(pair);
  }
  d.evict(a, place);
};

/** Transfers that a barrier operation puts in order. */
const ordered: Protocol = (d) => {
  const [a, b, c] = d.some(3) as [number, number, number];
  if (d.pick(2) === 0) {
    const [own, into] = [d.buffer(), d.buffer()];
    const [place, word] = [d.memory(), d.word()];
    d.move(a, 'put', own, place, null);
    d.add(a, { op: 'order', engine: d.pick(2) === 0 ? 'dma' : 'both' });
    d.move(a, 'get', into, place, word);
    d.waits(a, word);
    d.load(a, into);
    d.store(a, own);
    return;
  }
  const [own, first, second] = [d.buffer(), d.buffer(), d.buffer()];
  const come = d.word();
  const engine = d.pick(2) === 0 ? 'rma' : 'both';
  d.remotePut(a, b, own, first, null, come);
  d.add(a, { op: 'order', engine });
  if (d.pick(2) === 0) {
    // One counter: the first count is that of the first put.
    d.remotePut(a, b, own, second, null, come);
    d.add(b, { op: 'wait', word: come, value: d.reached(b, come) - 1 });
    d.load(b, first);
    d.waits(b, come);
    d.load(b, second);
    return;
  }
  // Who waits for the second one may touch what the first one has touched.
  d.remotePut(a, c, own, second, null, come);
  d.waits(c, come);
  d.remotePut(c, b, second, first, null, come);
  d.waits(b, come);
  d.load(b, first);
  d.load(c, second);
};

/** A broadcast whose receivers go on behind a group sync without waiting for it (lenient). */
const habit: Protocol = (d) => {
  const [root] = d.some(1) as [number];
  const [own, into] = [d.buffer(), d.buffer()];
  const [sent, come] = [d.word(), d.word()];
  const local = d.pick(2) === 0 ? come : sent;
  d.store(root, own);
  // Everybody has set its word, and has done with the buffer.
  d.sync();
  const from = d.pick(2) === 0 ? own : into;
  const before = d.reached(root, local);
  d.add(root, { op: 'broadcast', from, to: into, bytes: bufferBytes, tids: everybody, local, remote: come });
  for (const tid of everybody) d.counts(tid, come);
  d.counts(root, local);
  // Where one word counts both sides, this is one of two.
  d.add(root, { op: 'wait', word: local, value: before + 1 });
  d.sync();
  for (const tid of everybody) d.load(tid, into);
  d.habits++;
};

/** Somebody reads the word of another CPE until it has come so far. */
const polled: Protocol = (d) => {
  const [a, b, c] = d.some(3) as [number, number, number];
  const place = d.buffer();
  const come = d.word();
  d.remotePut(a, b, place, place, null, come);
  d.add(c, { op: 'poll', tid: b, word: come, value: d.reached(b, come) });
  d.load(c, place, b);
  if (d.pick(2) === 0) {
    d.waits(b, come);
    d.load(b, place);
  }
};

/** Blocking calls between two meetings. */
const blocking: Protocol = (d) => {
  const [a, b] = d.some(2) as [number, number];
  const pair = [a, b].sort((x, y) => x - y);
  const [own, into, place] = [d.buffer(), d.buffer(), d.memory()];
  const move = { bytes: bufferBytes, blocking: true } as const;
  d.add(a, { op: 'put', ldm: own, memory: place, word: null, ...move });
  d.store(a, own);
  d.sync(pair);
  d.add(b, { op: 'get', ldm: into, memory: place, word: null, ...move });
  d.load(b, into);
  d.add(b, { op: 'remoteGet', own: into, other: own, tid: a, local: null, remote: null, ...move });
  d.load(b, into);
  d.sync(pair);
  d.store(a, own);
};

const protocols: readonly Protocol[] = [
  token,
  counter,
  pingPong,
  tree,
  pipeline,
  halo,
  turns,
  exchange,
  doubleBuffer,
  throughMemory,
  handedOn,
  readAnew,
  besideEachOther,
  ordered,
  habit,
  polled,
  blocking,
];

/** Those that touch memory by loads and stores. */
const ofMemory: readonly Protocol[] = [turns, handedOn, readAnew, readAnew, besideEachOther];

/** A program of some protocols, in which nothing races; `habits` counts those that only the lenient rules accept. */
export interface RightProgram {
  readonly program: OracleProgram;
  readonly habits: number;
}

/** Draws a program that is right. */
export function rightProgram(pick: Pick): RightProgram {
  const draft = new Draft(pick);
  // Words and buffers are laid out, and set, before anybody reaches into another LDM.
  draft.sync();
  for (let epochs = 1 + pick(2); epochs > 0; epochs--) {
    for (let more = 1 + pick(3); more > 0; more--) {
      const among = draft.cached && pick(2) === 0 ? ofMemory : protocols;
      among[pick(among.length)]!(draft);
    }
    draft.meet();
  }
  return { program: draft.program, habits: draft.habits };
}

/** What can be left out of a program so that it still comes to its end, most of the time. */
const guards = new Set<OracleOp['op']>(['wait', 'look', 'poll', 'order', 'sync', 'lock', 'evict']);

/** The same without one wait, look, barrier, lock or eviction, or with a wait for one fewer; undefined where there is none. */
export function spoiltProgram(program: OracleProgram, pick: Pick): OracleProgram {
  const all = program.flatMap((ops, tid) =>
    ops.flatMap((op, index) =>
      guards.has(op.op) && !(op.op === 'sync' && index === 0) ? [{ op, tid, index }] : [],
    ),
  );
  const evictions = all.filter(({ op }) => op.op === 'evict');
  const among = evictions.length > 0 && pick(2) === 0 ? evictions : all;
  const chosen = among[pick(among.length)]!;
  const fewer = chosen.op.op === 'wait' && chosen.op.value > 1 && pick(4) === 0;
  return program.map((ops, tid) =>
    ops.flatMap((op, index) => {
      const isIt = tid === chosen.tid && index === chosen.index;
      if (isIt && fewer && op.op === 'wait') return [{ ...op, value: op.value - 1 }];
      const goes = chosen.op.id === undefined ? isIt : op.id === chosen.op.id;
      return goes && !fewer ? [] : [op];
    }),
  );
}

/** Anything at all: a few CPEs, buffers, words and places that everybody uses. */
export function anyProgram(pick: Pick): OracleProgram {
  const cpes = 2 + pick(2);
  const length = 2 + pick(7);
  const tid = (): number => pick(cpes);
  const at = (): number => 8 * pick(4);
  const word = (): number => wordsAt + 4 * pick(2);
  const orNone = (): number | null => (pick(4) === 0 ? null : word());
  const bytes = (): number => 8 * (1 + pick(2));
  const cached = pick(3) === 0;
  const touch = (): OracleOp => {
    const load = pick(2) === 0;
    if (!cached) return { op: load ? 'memoryLoad' : 'memoryStore', at: at(), bytes: bytes() };
    // Some of them reach into the second line.
    const where = { at: at() + 48 * pick(2), bytes: bytes() };
    return pick(3) === 0 ? { op: 'evict', ...where } : { op: load ? 'cachedLoad' : 'cachedStore', ...where };
  };
  const group = (): readonly number[] => {
    const chosen = everybody.slice(0, cpes);
    if (cpes > 2 && pick(2) === 0) chosen.splice(pick(cpes), 1);
    return chosen;
  };
  const op = (own: number): OracleOp => {
    switch (pick(cached ? 17 : 14)) {
      case 0:
      case 1:
        return {
          op: pick(2) === 0 ? 'load' : 'store',
          tid: pick(3) === 0 ? tid() : own,
          at: at(),
          bytes: bytes(),
        };
      case 2:
        return touch();
      case 3:
        return {
          op: 'get',
          ldm: at(),
          memory: at(),
          bytes: bytes(),
          word: orNone(),
          blocking: pick(4) === 0,
        };
      case 4:
        return {
          op: 'put',
          ldm: at(),
          memory: at(),
          bytes: bytes(),
          word: orNone(),
          blocking: pick(4) === 0,
        };
      case 5:
      case 6:
        return {
          op: pick(3) === 0 ? 'remoteGet' : 'remotePut',
          own: at(),
          other: at(),
          tid: tid(),
          bytes: bytes(),
          local: orNone(),
          remote: orNone(),
          blocking: pick(5) === 0,
        };
      case 7: {
        const tids = everybody.slice(0, cpes).filter((one) => one !== own || pick(4) > 0);
        const from = at();
        const to = pick(3) === 0 ? from : at();
        return { op: 'broadcast', from, to, bytes: bytes(), tids, local: orNone(), remote: orNone() };
      }
      case 8:
      case 9:
        return { op: 'wait', word: word(), value: 1 + pick(3) };
      case 10:
        return { op: 'set', word: word(), value: pick(5) === 0 ? 1 : 0 };
      case 11:
        return pick(2) === 0
          ? { op: 'order', engine: (['dma', 'rma', 'both'] as const)[pick(3)]! }
          : { op: 'sync', tids: group() };
      case 12:
        return pick(2) === 0
          ? { op: 'raise', tid: tid(), at: 64 + 4 * pick(2), value: 1 }
          : { op: 'look', tid: tid(), at: 64 + 4 * pick(2), value: pick(2) };
      case 14:
      case 15:
      case 16:
        return touch();
      default:
        return pick(2) === 0
          ? { op: 'add', at: 64 }
          : { op: 'poll', tid: tid(), word: word(), value: pick(3) };
    }
  };
  const program = Array.from({ length: cpes }, (_, own) => Array.from({ length }, () => op(own)));
  // Barriers are met by all of a group: each is put into the programs of all its members.
  const meetings = program.flatMap((ops) => ops.filter((one) => one.op === 'sync'));
  const without = program.map((ops) => ops.filter((one) => one.op !== 'sync') as OracleOp[]);
  meetings.forEach((meeting, k) => {
    for (const [own, ops] of without.entries())
      if (meeting.tids.includes(own)) ops.splice(Math.min(ops.length, 1 + k * 2 + pick(2)), 0, meeting);
  });
  return without;
}
