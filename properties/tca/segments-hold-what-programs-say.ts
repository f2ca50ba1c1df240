import { addressOf } from '../../actors/tca/address-map.ts';
import type { GasnetOperation, GasnetOperations } from '../../machines/tca/gasnet-operations.ts';
import { judged, property } from '../property.ts';
import { said, type TcaContext } from './context.ts';
import { WrittenBytes } from './written-bytes.ts';

type Region = 'cpu' | 'gpu' | 'private';
type Place = readonly [node: number, region: Region, offset: number];
type Memories = readonly Readonly<Record<Region, Uint8Array>>[];
type Together = Extract<GasnetOperation, { readonly synchronised: boolean }>;

const pageBytes = 4096;
const pages = (bytes: number): number => Math.ceil(bytes / pageBytes) * pageBytes;

/** Where the segment in CPU memory begins, and how long it is: behind rings, send buffers and what the library prepares; half of the rest (TCA specification 12.1). */
function segmentIn({ nodes, cpuBytes, gasnet }: TcaContext['config']): {
  readonly first: number;
  readonly bytes: number;
} {
  const { slots, slotBytes, sendBufferBytes } = gasnet!;
  const first = pages(nodes * 4 * slots * slotBytes + 2 * sendBufferBytes) + 2 * pages(slotBytes);
  return { first, bytes: Math.floor((cpuBytes - first) / 2 / pageBytes) * pageBytes };
}

const pattern = (seed: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, k) => 41 * seed + 7 * k + Math.floor(k / 32));

/** One memory that carries the lists out, phase by phase, rank by rank: nothing is under way in it. */
class Sequential {
  readonly #memories: Memories;

  constructor(memories: Memories) {
    this.#memories = memories;
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
      for (const parts of phases)
        for (const one of parts[number] ?? []) if (!('synchronised' in one)) this.#do(one);
      const all = phases.map((parts) =>
        (parts[number] ?? []).filter((one): one is Together => 'synchronised' in one),
      );
      for (const turn of all[0]!.keys()) this.#together(all.map((one) => one[turn]!));
    }
  }

  #read([node, region, offset]: Place, size: number): Uint8Array {
    return this.#memories[node]![region].slice(offset, offset + size);
  }

  #write([node, region, offset]: Place, bytes: Uint8Array): void {
    this.#memories[node]![region].set(bytes, offset);
  }

  #do(one: GasnetOperation): void {
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

function firstDifference(seen: Uint8Array, expected: Uint8Array): number {
  for (let k = 0; k < expected.length; k++) if (seen[k] !== expected[k]) return k;
  return -1;
}

/** The schedules of a scenario share what must be left. */
const known = new WeakMap<TcaContext['config'], Memories>();

function expectedOf(config: TcaContext['config'], programs: readonly GasnetOperations[]): Memories {
  const kept = known.get(config);
  if (kept) return kept;
  const { first, bytes } = segmentIn(config);
  const memories = Array.from({ length: config.nodes }, () => ({
    cpu: new Uint8Array(bytes),
    gpu: new Uint8Array(config.gpuBytes),
    private: new Uint8Array(config.cpuBytes - first - bytes),
  }));
  new Sequential(memories).run(programs.map(({ gasnet }) => gasnet));
  known.set(config, memories);
  return memories;
}

/**
 * Calls of GASNet that are data leave the bytes that a sequential memory has, and no others (TCA specification 19: I12, I13, I14, I15).
 *
 * Gotchas: programs whose result depends on an order are not for it: what a phase writes, others read after its barrier.
 */
export const segmentsHoldWhatProgramsSay = property<TcaContext>(
  'segments and private memories hold what the calls of GASNet put there one after the other, and nothing else',
  (run, { config, programs }) =>
    judged(said(run, 'memory.visible'), (found) => {
      const written = new WrittenBytes();
      return {
        see({ event: { addr, data } }) {
          written.write(addr, data);
        },
        end() {
          if (!run.quiet || !config.gasnet || !Array.isArray(programs)) return;
          if (!programs.every((one): one is GasnetOperations => 'gasnet' in one)) return;
          const { first, bytes } = segmentIn(config);
          for (const [node, { cpu, gpu, private: own }] of expectedOf(config, programs).entries())
            for (const [name, base, expected] of [
              ['segment in CPU memory', addressOf(node, 'cpu', first), cpu],
              ['segment in GPU memory', addressOf(node, 'gpu', 0), gpu],
              ['private memory', addressOf(node, 'cpu', first + bytes), own],
            ] as const) {
              const seen = written.read(base, expected.length);
              const at = firstDifference(seen, expected);
              if (at >= 0)
                found(
                  [`Node[${node}].Gasnet`],
                  `byte ${at} of its ${name} is ${seen[at]}, not ${expected[at]}`,
                );
            }
        },
      };
    }),
);
