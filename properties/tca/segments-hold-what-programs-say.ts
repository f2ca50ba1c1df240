import { addressOf } from '../../actors/tca/address-map.ts';
import type { Pending } from '../../kernel/explore/observer.ts';
import type { GasnetOperation, GasnetOperations } from '../../machines/tca/gasnet-operations.ts';
import { type TcaKnown, tcaProperty } from './context.ts';
import { differencesOf, readBytes, type WrittenBytes, writeBytes } from './written-bytes.ts';

type Region = 'cpu' | 'gpu' | 'private';
type Place = readonly [node: number, region: Region, offset: number];
/** A program of one node. */
type TcaProgram = Extract<TcaKnown['programs'], readonly unknown[]>[number];
type Together = Extract<GasnetOperation, { readonly synchronised: boolean }>;

const pageBytes = 4096;
const pages = (bytes: number): number => Math.ceil(bytes / pageBytes) * pageBytes;

/** A part of a node's memory for programs. */
interface Part {
  readonly name: string;
  readonly first: number;
  readonly bytes: number;
}

/**
 * The parts of a node's memory (TCA specification 12.1): the segment in CPU memory lies behind rings, send buffers and what the library prepares, and has half of the
 * rest.
 */
function partsOf(config: TcaKnown['config'], node: number): Readonly<Record<Region, Part>> {
  const { nodes, cpuBytes, gpuBytes } = config;
  const { slots, slotBytes, sendBufferBytes } = config.gasnet!;
  const first = pages(nodes * 4 * slots * slotBytes + 2 * sendBufferBytes) + 2 * pages(slotBytes);
  const bytes = Math.floor((cpuBytes - first) / 2 / pageBytes) * pageBytes;
  return {
    cpu: { name: 'segment in CPU memory', first: addressOf(node, 'cpu', first), bytes },
    gpu: { name: 'segment in GPU memory', first: addressOf(node, 'gpu', 0), bytes: gpuBytes },
    private: {
      name: 'private memory',
      first: addressOf(node, 'cpu', first + bytes),
      bytes: cpuBytes - first - bytes,
    },
  };
}

const pattern = (seed: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, k) => 41 * seed + 7 * k + Math.floor(k / 32));

/** Who accesses a byte in a phase: a rank from 1 on, all of them together, or several that nothing orders. */
const [allTogether, several] = [254, 255];

/**
 * One memory that carries the lists out, phase by phase, rank by rank: nothing is under way in it.
 *
 * Details: what one rank writes and another one writes or reads in the same phase depends on an order that no barrier gives, be it one of the calls or one that replies make. Such bytes, and what
 * is made of them, are `unsure`.
 */
class Sequential {
  readonly written: WrittenBytes = {};
  /** By byte: 1 where it depends on an order. */
  readonly unsure: WrittenBytes = {};
  readonly #parts: readonly Readonly<Record<Region, Part>>[];
  /** Who writes and reads in the present phase, as far as it is only looked at. */
  #accesses: { readonly writers: WrittenBytes; readonly readers: WrittenBytes } | undefined;
  /** Bytes that are unsure whatever the present phase writes there. */
  #doubted: WrittenBytes = {};
  #rank = 0;
  /** True when the call at hand has read something unsure. */
  #isUnsure = false;

  constructor(parts: readonly Readonly<Record<Region, Part>>[]) {
    this.#parts = parts;
  }

  /** Carries out the lists of all ranks up to each barrier; what they do together comes behind all others of a phase. */
  run(lists: readonly (readonly GasnetOperation[])[]): void {
    const phases = lists.map((list) => {
      const parts: GasnetOperation[][] = [[]];
      for (const one of list) {
        if (one.op === 'barrier') parts.push([]);
        else parts.at(-1)!.push(one);
      }
      return parts;
    });
    for (let number = 0; number < phases[0]!.length; number++) {
      const lists = phases.map((parts) => parts[number] ?? []);
      const accesses = { writers: {}, readers: {} };
      this.#accesses = accesses;
      this.#phase(lists);
      this.#accesses = undefined;
      this.#doubt(accesses.writers, accesses.readers);
      this.#phase(lists);
    }
  }

  #phase(lists: readonly (readonly GasnetOperation[])[]): void {
    for (const [rank, list] of lists.entries()) {
      this.#rank = rank + 1;
      for (const one of list) if (!('synchronised' in one)) this.#do(one);
    }
    this.#rank = allTogether;
    const all = lists.map((list) => list.filter((one): one is Together => 'synchronised' in one));
    for (const turn of all[0]!.keys()) this.#together(all.map((one) => one[turn]!));
  }

  /** What one writes and another one accesses depends on their order. */
  #doubt(writers: WrittenBytes, readers: WrittenBytes): void {
    this.#doubted = {};
    for (const [number, page] of Object.entries(writers)) {
      const read = readers[Number(number)];
      for (const [k, writer] of page.entries()) {
        const reader = read?.[k] ?? 0;
        if (writer === 0 || (writer !== several && (reader === 0 || reader === writer))) continue;
        for (const marked of [this.#doubted, this.unsure]) {
          marked[Number(number)] ??= new Uint8Array(page.length);
          marked[Number(number)]![k] = 1;
        }
      }
    }
  }

  /** Notes who accesses bytes. */
  #note(accessed: WrittenBytes, first: number, size: number): void {
    const before = readBytes(accessed, first, size);
    writeBytes(
      accessed,
      first,
      before.map((who) => (who === 0 || who === this.#rank ? this.#rank : several)),
    );
  }

  #read([node, region, offset]: Place, size: number): Uint8Array {
    const first = this.#parts[node]![region].first + offset;
    if (this.#accesses) this.#note(this.#accesses.readers, first, size);
    else if (readBytes(this.unsure, first, size).includes(1)) this.#isUnsure = true;
    return readBytes(this.written, first, size);
  }

  #write([node, region, offset]: Place, bytes: Uint8Array): void {
    const first = this.#parts[node]![region].first + offset;
    if (this.#accesses) {
      this.#note(this.#accesses.writers, first, bytes.length);
      return;
    }
    writeBytes(this.written, first, bytes);
    const doubted = readBytes(this.#doubted, first, bytes.length);
    writeBytes(
      this.unsure,
      first,
      doubted.map((one) => (one === 1 || this.#isUnsure ? 1 : 0)),
    );
  }

  #do(one: GasnetOperation): void {
    this.#isUnsure = false;
    switch (one.op) {
      case 'write':
        this.#write(one.to, Uint8Array.from(one.bytes));
        return;
      case 'fill':
        this.#write(one.to, pattern(one.seed, one.size));
        return;
      case 'put':
      case 'get':
        for (let block = 0; block < one.count; block++)
          this.#write(
            shifted(one.to, block * one.toStride),
            this.#read(shifted(one.from, block * one.fromStride), one.size),
          );
        return;
      case 'memset':
        this.#write(one.to, new Uint8Array(one.size).fill(one.value));
        return;
      case 'putValue':
        this.#write(one.to, littleEndian(one.value, one.size));
        return;
      case 'getValue': {
        const eight = new Uint8Array(8);
        eight.set(this.#read(one.from, one.size));
        this.#write(one.to, eight);
        return;
      }
      case 'putVector':
      case 'getVector': {
        const bytes = one.from.flatMap(([at, size]) => [...this.#read(at, size)]);
        for (const [at, size] of one.to) this.#write(at, Uint8Array.from(bytes.splice(0, size)));
        return;
      }
      case 'putStrided':
      case 'getStrided': {
        const { from, to, levels } = one;
        const offsets = (strides: readonly number[]): readonly number[] =>
          strides.reduceRight<readonly number[]>(
            (all, stride, level) =>
              all.flatMap((offset) =>
                Array.from({ length: levels[level + 1]! }, (_, k) => offset + k * stride),
              ),
            [0],
          );
        const [sources, targets] = [offsets(from.strides), offsets(to.strides)];
        for (const [k, offset] of sources.entries())
          this.#write(shifted(to.at, targets[k]!), this.#read(shifted(from.at, offset), levels[0]!));
        return;
      }
      case 'message':
        if (one.kind !== 'short') this.#write(one.to, this.#read(one.from!, one.size));
        else this.#write(one.to, Uint8Array.from(one.args.flatMap((word) => [...littleEndian(word, 4)])));
        return;
      case 'copy':
        this.#write(one.to, this.#read(one.from, one.size));
    }
  }

  #together(all: readonly Together[]): void {
    this.#isUnsure = false;
    const { op, root, size } = all[0]!;
    const nodes = all.length;
    const sources = all.map(({ from }) => this.#read(from, size * nodes));
    const part = (rank: number, k: number): Uint8Array => sources[rank]!.slice(k * size, (k + 1) * size);
    const joined = (parts: readonly Uint8Array[]): Uint8Array =>
      Uint8Array.from(parts.flatMap((one) => [...one]));
    const summed = (ranks: number): Uint8Array =>
      Uint8Array.from({ length: size }, (_, k) =>
        sources.slice(0, ranks).reduce((sum, source) => sum + source[k]!, 0),
      );
    for (const [rank, { to }] of all.entries())
      switch (op) {
        case 'broadcast':
          this.#write(to, part(root, 0));
          break;
        case 'gather':
          if (rank === root) this.#write(to, joined(sources.map((_, k) => part(k, 0))));
          break;
        case 'scatter':
          this.#write(to, part(root, rank));
          break;
        case 'gatherAll':
          this.#write(to, joined(sources.map((_, k) => part(k, 0))));
          break;
        case 'exchange':
          this.#write(to, joined(sources.map((_, k) => part(k, rank))));
          break;
        case 'reduce':
          if (rank === root) this.#write(to, summed(nodes));
          break;
        case 'scan':
          this.#write(to, summed(rank + 1));
      }
  }
}

const shifted = ([node, region, offset]: Place, bytes: number): Place => [node, region, offset + bytes];

const littleEndian = (value: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, k) => Number((BigInt(value) >> BigInt(8 * k)) & 255n));

/** The schedules of a scenario share what must be left. */
const known = new WeakMap<TcaKnown['config'], Sequential>();

function expectedOf(config: TcaKnown['config'], programs: readonly GasnetOperations[]): Sequential {
  const kept = known.get(config);
  if (kept) return kept;
  const memory = new Sequential(Array.from({ length: config.nodes }, (_, node) => partsOf(config, node)));
  memory.run(programs.map(({ gasnet }) => gasnet));
  known.set(config, memory);
  return memory;
}

/**
 * Calls of GASNet that are data leave the bytes that a sequential memory has, and no others (TCA specification 19: I12, I13, I14, I15).
 *
 * Gotchas: bytes that depend on an order which no barrier gives are not judged: what a phase writes, others access after its barrier.
 */
export const segmentsHoldWhatProgramsSay = ({ config, programs }: TcaKnown) => {
  const given: readonly TcaProgram[] = config.gasnet && Array.isArray(programs) ? programs : [];
  const lists = given.filter((one): one is GasnetOperations => 'gasnet' in one);
  // Who ends the job does not look what else has come; a put that is done when its source is free may be that.
  const isCut =
    config.gasnet?.completion === 'local' &&
    lists.some(({ gasnet }) => gasnet.some(({ op }) => op === 'exit'));
  const areLists = lists.length > 0 && lists.length === given.length && !isCut;
  const wrongIn = (written: WrittenBytes): readonly Pending[] => {
    if (!areLists) return [];
    const { written: expected, unsure } = expectedOf(config, lists);
    const differences = differencesOf(written, expected, unsure);
    return Array.from({ length: config.nodes }, (_, node) =>
      Object.values(partsOf(config, node)).flatMap(({ name, first, bytes }) => {
        const at = differences.find((address) => address >= first && address < first + bytes);
        if (at === undefined) return [];
        const actor = `Node[${node}].Gasnet`;
        const [seen, wanted] = [written, expected].map((one) => readBytes(one, at, 1)[0]);
        const why = `byte ${at - first} of its ${name} is ${seen}, not ${wanted}`;
        return [{ key: `${actor} ${name}`, actors: [actor], why }];
      }),
    ).flat();
  };
  return tcaProperty({
    sentence:
      'segments and private memories hold what the calls of GASNet put there one after the other, and nothing else',
    watches: areLists ? ['memory.visible'] : [],
    begin: (): WrittenBytes => ({}),
    see(written, { event: { addr, data } }) {
      writeBytes(written, addr, data);
    },
    atRest: (written, found) => {
      for (const { actors, why } of wrongIn(written)) found(actors, why);
    },
    pending: wrongIn,
  });
};
