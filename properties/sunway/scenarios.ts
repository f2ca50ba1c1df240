import fc from 'fast-check';
import type { WrittenScenario } from '../../scenarios/written.ts';

/*
 * Scenarios of a core group that must go well, and end with the same memory, whatever the schedule: all CPEs carry out the same phases, in
 * which each touches its own part of main memory and LDM alone, or what a barrier, a lock or a reply word has handed to it. Phases that reach
 * into the LDM of others begin and end with a barrier of the array.
 */

/** Far above what a generated program takes: one that never ends is found soon. */
const lastTick = 2_000_000;
/** Bytes of each buffer in LDM, and of each of the places that a CPE has in main memory. */
const bufferBytes = 256;
const placesOfCpe = 8;
const partBytes = placesOfCpe * bufferBytes;
const buffers = ['first', 'second', 'third', 'fourth'] as const;
/** Elements that reductions combine. */
const unitsMax = 16;

type Argument = number | string | null | object;
type Call = readonly [string, ...Argument[]];
type Step = Call | { readonly on: readonly number[]; readonly do: readonly Call[] };

/** A parameter with its usual value, towards which it shrinks, or now and then one of these. */
const now = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: fc.constant(usual) },
    fc.constantFrom(...others),
  );

const machine = fc.record({
  cpesPerCg: fc.constantFrom(4, 8, 16),
  fidelity: now<'tlm' | 'functional'>('tlm', 'functional'),
  maxJitter: now(0, 1, 17, 300),
  reorder: fc.boolean(),
});

const buffer = fc.nat(buffers.length - 1);
const place = fc.nat(placesOfCpe - 1);

/** A piece of a buffer: whole or some words of it, all or in blocks. */
const piece = fc.record({
  words: fc.oneof(fc.constant(bufferBytes / 4), fc.integer({ min: 1, max: bufferBytes / 4 })),
  blocks: fc.constantFrom(1, 1, 2, 4),
  gap: fc.integer({ min: 1, max: 16 }),
});

/** Gets and puts of several buffers under way together. */
const move = fc.record({
  kind: fc.constant('move' as const),
  put: fc.boolean(),
  pieces: fc.array(fc.record({ piece, place }), { minLength: 1, maxLength: buffers.length }),
  firstBuffer: buffer,
});

/** What is put is fetched again, with a barrier operation in between and no wait. */
const bounce = fc.record({
  kind: fc.constant('bounce' as const),
  from: buffer,
  to: fc.integer({ min: 1, max: buffers.length - 1 }),
  place,
  all: fc.boolean(),
  awaited: fc.boolean(),
  piece,
});

/** A value from CPE to CPE. */
const pass = fc.record({
  kind: fc.constant('pass' as const),
  get: fc.boolean(),
  peer: fc.integer({ min: 1, max: 15 }),
  from: buffer,
  to: fc.integer({ min: 1, max: buffers.length - 1 }),
  words: fc.integer({ min: 1, max: bufferBytes / 4 }),
});

/** A value from one CPE to the array, from one of each row to the row, or from main memory to all. */
const cast = fc.record({
  kind: fc.constant('cast' as const),
  form: fc.constantFrom('array', 'row', 'memory', 'collective'),
  root: fc.nat(15),
  from: buffer,
  to: fc.integer({ min: 1, max: buffers.length - 1 }),
  words: fc.integer({ min: 1, max: bufferBytes / 4 }),
});

/** CPEs that come at unlike times meet. */
const meet = fc.record({
  kind: fc.constant('meet' as const),
  barrier: fc.constantFrom('ssync_array', 'ssync_row', 'ssync_col', 'ssync_2spe'),
  skew: fc.constantFrom(0, 3, 40),
});

/** CPEs take turns with a word of main memory. */
const turns = fc.record({
  kind: fc.constant('turns' as const),
  group: fc.constantFrom('array', 'node'),
  skew: fc.constantFrom(0, 7),
});

/** A reduction over the array: sum, exclusive or, least or greatest. */
const reduce = fc.record({
  kind: fc.constant('reduce' as const),
  from: buffer,
  to: fc.integer({ min: 1, max: buffers.length - 1 }),
  units: fc.integer({ min: 1, max: unitsMax }),
  scratchUnits: fc.integer({ min: 1, max: unitsMax }),
  operation: fc.constantFrom(1, 4, 6, 7),
});

const mark = fc.record({
  kind: fc.constant('mark' as const),
  buffer,
  word: fc.nat(bufferBytes / 4 - 1),
  value: fc.nat(1000),
});

const phase = fc.oneof(
  { weight: 3, arbitrary: move },
  { weight: 2, arbitrary: bounce },
  { weight: 2, arbitrary: pass },
  { weight: 3, arbitrary: cast },
  { weight: 2, arbitrary: meet },
  { weight: 2, arbitrary: turns },
  { weight: 1, arbitrary: reduce },
  { weight: 1, arbitrary: mark },
);

type Value<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Phase = Value<typeof phase>;
type Piece = Value<typeof piece>;

/** Generated scenarios of a core group of 4 to 16 CPEs (Sunway specification 6.2 to 6.7, 6.11). */
export const sunwayScenarios: fc.Arbitrary<WrittenScenario> = fc
  .tuple(machine, fc.nat(250), fc.array(phase, { maxLength: 7 }))
  .map(([{ cpesPerCg, fidelity, maxJitter, reorder }, fill, phases]) => {
    const writer = new PhaseWriter(cpesPerCg);
    for (const one of phases) writer.write(one);
    return {
      name: 'generated: phases',
      config: {
        cpesPerCg,
        memoryMiB: 1,
        ...(fidelity !== 'tlm' && { fidelity }),
        ...((maxJitter > 0 || reorder) && { fuzz: { maxJitter, reorder } }),
      },
      programs: {
        memory: { bytes: writer.memoryBytes, fill },
        statics: { ...Object.fromEntries(buffers.map((name) => [name, bufferBytes])), turn: 4, scratch: 64 },
        replies: Object.keys(noCounts),
        slave: phases.length > 0 ? writer.program : [],
      },
      until: lastTick,
    };
  });

const noCounts = { moved: 0, sent: 0, come: 0, copied: 0 };
type Reply = keyof typeof noCounts;

/** Writes phases as operations, and counts what each reply word will have come to. */
class PhaseWriter {
  readonly #cpes: number;
  readonly #steps: Step[] = [];
  readonly #counts: Record<Reply, number> = { ...noCounts };

  constructor(cpes: number) {
    this.#cpes = cpes;
  }

  /** Bytes of main memory: a part for each CPE, one that all read, and the word that goes from one to the other. */
  get memoryBytes(): number {
    return this.#turnAt + 128;
  }

  /** All operations; in the end each CPE puts its buffers where nothing else was put. */
  get program(): readonly Step[] {
    return [
      ...(Object.keys(noCounts) as Reply[]).map((word): Call => ['rplySet', word, 0]),
      ...buffers.map((name, at): Call => ['dma_get', name, this.#own(at), bufferBytes]),
      ['ssync_array'],
      ...this.#steps,
      ['ssync_array'],
      ...buffers.map((name, at): Call => ['dma_put', this.#own(placesOfCpe + at), name, bufferBytes]),
    ];
  }

  write(phase: Phase): void {
    switch (phase.kind) {
      case 'move':
        this.#move(phase);
        break;
      case 'bounce':
        this.#bounce(phase);
        break;
      case 'pass':
        this.#pass(phase);
        break;
      case 'cast':
        this.#cast(phase);
        break;
      case 'meet':
        this.#late(phase.skew);
        this.#add([phase.barrier]);
        break;
      case 'turns':
        this.#late(phase.skew);
        this.#add(
          [`smutex_lock_${phase.group}`],
          ['dma_get', 'turn', { memory: this.#turnAt }, 4],
          ['dma_put', { memory: this.#turnAt }, 'turn', 4],
          [`smutex_unlock_${phase.group}`],
        );
        break;
      case 'reduce': {
        const [from, to] = pairOf(phase);
        const { units, operation, scratchUnits } = phase;
        this.#among(['scoll_redurt', from, to, units, 0, operation, 'scratch', scratchUnits]);
        break;
      }
      case 'mark':
        this.#add([
          'st',
          { of: buffers[phase.buffer]!, plus: 4 * phase.word },
          'i32',
          { number: phase.value, perCpe: 1 },
        ]);
    }
  }

  get #sharedAt(): number {
    // A part of a CPE has its places, and one more for each buffer in the end.
    return this.#cpes * this.#stride;
  }

  get #stride(): number {
    return partBytes + buffers.length * bufferBytes;
  }

  get #turnAt(): number {
    return this.#sharedAt + bufferBytes;
  }

  /** A place of the CPE itself. */
  #own(place: number): Argument {
    return { memory: place * bufferBytes, perCpe: this.#stride };
  }

  #add(...steps: readonly Step[]): void {
    this.#steps.push(...steps);
  }

  /** Between barriers of the array, for what reaches into the LDM of others. */
  #among(...steps: readonly Step[]): void {
    this.#add(['ssync_array'], ...steps, ['ssync_array']);
  }

  /** CPEs of high numbers come later. */
  #late(cycles: number): void {
    if (cycles > 0) this.#add(['compute', { number: 1, perCpe: cycles }]);
  }

  #count(word: Reply, more = 1): Call {
    this.#counts[word] += more;
    return [word === 'moved' ? 'dma_wait_value' : 'rma_wait_value', word, this.#counts[word]];
  }

  /** A get or put of a piece, contiguous or in blocks with gaps, inside one place. */
  #transfer(put: boolean, name: string, place: number, { words, blocks, gap }: Piece): Call {
    const sides = put ? [this.#own(place), name] : [name, this.#own(place)];
    const blockWords = Math.floor(words / blocks);
    const gapWords = blocks > 1 ? Math.min(gap, Math.floor((bufferBytes / 4 - words) / (blocks - 1))) : 0;
    if (blockWords === 0 || gapWords === 0)
      return [put ? 'dma_iput' : 'dma_iget', ...sides, 4 * words, 'moved'];
    const bytes = 4 * blockWords * blocks;
    return [
      put ? 'dma_iput_stride' : 'dma_iget_stride',
      ...sides,
      bytes,
      4 * blockWords,
      4 * gapWords,
      'moved',
    ];
  }

  #move({ put, pieces, firstBuffer }: Extract<Phase, { kind: 'move' }>): void {
    // Puts that are under way together go to unlike places.
    const told = pieces.filter(
      ({ place }, k) => !put || pieces.findIndex((other) => other.place === place) === k,
    );
    this.#add(
      ...told.map(({ piece, place }, k) =>
        this.#transfer(put, buffers[(firstBuffer + k) % buffers.length]!, place, piece),
      ),
      this.#count('moved', told.length),
    );
    // The word of a put tells that its bytes were read: what touches the same places next is held back.
    if (put) this.#add(['dma_barrier']);
  }

  #bounce(phase: Extract<Phase, { kind: 'bounce' }>): void {
    const [from, to] = pairOf(phase);
    const { place, all, awaited, piece } = phase;
    const put = this.#transfer(true, from, place, piece);
    this.#add(put);
    if (awaited) this.#add(this.#count('moved'));
    this.#add([all ? 'dma_all_barrier' : 'dma_barrier'], this.#transfer(false, to, place, piece));
    this.#add(this.#count('moved', awaited ? 1 : 2));
  }

  #pass(phase: Extract<Phase, { kind: 'pass' }>): void {
    const [from, to] = pairOf(phase);
    const peer = { peer: phase.peer % this.#cpes || 1 };
    const bytes = 4 * phase.words;
    const transfer: Call = phase.get
      ? ['rma_iget', to, 'sent', bytes, peer, from, 'come']
      : ['rma_iput', from, 'sent', bytes, peer, to, 'come'];
    this.#among(transfer, this.#count('sent'), this.#count('come'));
  }

  #cast(phase: Extract<Phase, { kind: 'cast' }>): void {
    const [from, to] = pairOf(phase);
    const root = phase.root % this.#cpes;
    const bytes = 4 * phase.words;
    switch (phase.form) {
      case 'array':
        this.#among({ on: [root], do: [['rma_bcast', to, from, bytes, 'copied']] }, this.#count('copied'));
        break;
      case 'row': {
        const roots = everyTid(this.#cpes).filter((tid) => tid % 8 === root % 8);
        this.#among({ on: roots, do: [['rma_row_bcast', to, from, bytes, 'copied']] }, this.#count('copied'));
        break;
      }
      case 'memory': {
        const source = { memory: this.#sharedAt };
        this.#among({ on: [root], do: [['dma_ibcast', to, source, bytes, 'copied']] }, this.#count('copied'));
        break;
      }
      default:
        this.#among(['rma_bcast_coll', to, from, bytes, root]);
        break;
    }
  }
}

const everyTid = (cpes: number): readonly number[] => Array.from({ length: cpes }, (_, tid) => tid);

/** Two different buffers: the second is so many further than the first. */
const pairOf = ({ from, to }: { readonly from: number; readonly to: number }): readonly [string, string] => [
  buffers[from]!,
  buffers[(from + to) % buffers.length]!,
];
