import type { SystemPrograms } from '../../../machines/chiplet/system-config.ts';
import { type Bytes, type Dimensions, load, plainKernel, runPlain, store } from '../plain/plain-threads.ts';
import { toldMark } from '../told-kernels.arbitrary.ts';
import { judging, type SystemContext } from './context.ts';

/** Kernels of which this says what they do begin with this word; their parameters are `in`, `out` and `sums`. */
export const plainName = /^plain/;

/** One launch of such a kernel by a host, and what it reads back. */
export interface Launched {
  readonly kernel: string;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly cluster?: Dimensions | undefined;
  readonly values: readonly number[];
  readonly sums: readonly number[];
  /** Words of 32 bits that are read back of each buffer, by the name under which they are told. */
  readonly read: readonly {
    readonly name: string;
    readonly buffer: 'out' | 'sums';
    readonly count: number;
  }[];
}

export type Steps = Extract<SystemPrograms['hosts'][string], { readonly steps: unknown }>['steps'];

/** The launches in the steps of a host: buffers are named as the kernel and its parameter. */
export function launchesIn(steps: Steps): readonly Launched[] {
  return steps.flatMap((step): readonly Launched[] => {
    if (step.op !== 'launch' || !plainName.test(step.kernel)) return [];
    const { kernel, grid, block, cluster } = step;
    const filled = (name: string): readonly number[] =>
      steps.flatMap((one) =>
        one.op === 'copyIn' && one.to === `${kernel}.${name}` && Array.isArray(one.values)
          ? one.values.map(Number)
          : [],
      );
    const read = steps.flatMap((one) => {
      const buffer = one.op === 'copyOut' && /\.(out|sums)$/.exec(one.from)?.[1];
      if (one.op !== 'copyOut' || !buffer || !one.from.startsWith(`${kernel}.`)) return [];
      return [{ name: one.as, buffer: buffer as 'out' | 'sums', count: one.count }];
    });
    return [{ kernel, grid, block, cluster, values: filled('in'), sums: filled('sums'), read }];
  });
}

export const places = { in: 0x100_0000n, out: 0x200_0000n, sums: 0x300_0000n };

/** What the plain threads of a host come to. */
interface PlainHost {
  /** What it must read back, by name. */
  readonly outputs: ReadonlyMap<string, readonly number[]>;
  /** Instructions that the threads of each launch carry out; undefined for a kernel that says itself what it leaves. */
  readonly instructions: readonly (number | undefined)[];
}

const known = new WeakMap<object, PlainHost>();

/** The words that a kernel leaves by its own remark; undefined where it has none. */
const toldWords = (text: string): readonly number[] | undefined =>
  text
    .split('\n')
    .find((line) => line.startsWith(toldMark))
    ?.slice(toldMark.length)
    .split(' ')
    .map(Number);

/** What the plain threads of the launches of a host come to. */
export function plainHost(texts: readonly string[], steps: Steps): PlainHost {
  const kept = known.get(steps);
  if (kept) return kept;
  const outputs = new Map<string, readonly number[]>();
  const instructions: (number | undefined)[] = [];
  for (const { kernel, grid, block, values, sums, read } of launchesIn(steps)) {
    const text = texts.find((one) => one.includes(`.entry ${kernel}(`))!;
    const told = toldWords(text);
    if (told) {
      instructions.push(undefined);
      for (const { name, buffer } of read) outputs.set(name, buffer === 'out' ? told : sums);
      continue;
    }
    const memory: Bytes = new Map();
    const fill = (first: bigint, words: readonly number[]) => {
      for (const [at, one] of words.entries()) store(memory, first + BigInt(4 * at), 'u32', BigInt(one));
    };
    fill(places.in, values);
    fill(places.sums, sums);
    const [blocks, threads] = [grid, block].map(([x, y, z]) => x * y * z) as [number, number];
    const carriedOut = runPlain(
      plainKernel(text, kernel),
      { blocks, threads, grid, block, parameters: places },
      memory,
    );
    instructions.push(carriedOut);
    for (const { name, buffer, count } of read)
      outputs.set(
        name,
        Array.from({ length: count }, (_, at) =>
          Number(load(memory, places[buffer] + BigInt(4 * at), 'u32')),
        ),
      );
  }
  const made = { outputs, instructions };
  known.set(steps, made);
  return made;
}

/** The first of two lists of 32-bit words that differ; -1 when none does. Which bits something has that is no number is left open (PTX ISA, NaN payloads). */
export function firstWrong(seen: readonly number[] | undefined, expected: readonly number[]): number {
  const lacks = (bits: number): boolean => ((bits >>> 23) & 255) === 255 && (bits & 0x7f_ffff) !== 0;
  /** The lower half of what is no number of 64 bits, as the plain threads write it, and as a kernel may. */
  const isOpen = (k: number): boolean =>
    k % 2 === 0 &&
    expected[k] === 0 &&
    expected[k + 1] === 0x7ff8_0000 &&
    (seen![k + 1]! & 0x7ff8_0000) === 0x7ff8_0000;
  return expected.findIndex((one, k) => {
    const word = seen?.[k];
    if (word === undefined) return true;
    return word >>> 0 !== one >>> 0 && !(lacks(word) && lacks(one)) && !isOpen(k);
  });
}

/** The thread that writes a word of a buffer `out`, one word a thread, and by what; undefined for other buffers and words. */
function writerOf(
  texts: readonly string[],
  launches: readonly Launched[],
  name: string,
  word: number,
): string | undefined {
  const launch = launches.find(({ read }) => read.some((one) => one.name === name && one.buffer === 'out'));
  if (!launch) return undefined;
  const { kernel, grid, block } = launch;
  const [blocks, threads] = [grid, block].map(([x, y, z]) => x * y * z) as [number, number];
  const text = texts.find((one) => one.includes(`.entry ${kernel}(`))!;
  // Each thread stores under `%own`, most kernels in one place.
  const stores = text.split('\n').flatMap((line, at) => {
    const found = /st\.global\S* \[%own\], [^;]+/.exec(line);
    return found ? [`\`${found[0]}\` (line ${at + 1})`] : [];
  });
  if (word >= blocks * threads || stores.length === 0) return undefined;
  const at = (index: number, [x, y]: Dimensions) =>
    `(${index % x},${Math.floor(index / x) % y},${Math.floor(index / (x * y))})`;
  const [blockIdx, threadIdx] = [at(Math.floor(word / threads), grid), at(word % threads, block)];
  return `blockIdx ${blockIdx}, threadIdx ${threadIdx} stores it with ${stores.join(' or ')}`;
}

/** Divergent code is what its threads do one by one, whatever the order of warps (chiplet specification 14, G1, G2, G5). */
export const kernelsDoWhatPlainThreadsDo = ({ config, programs }: SystemContext) =>
  judging({
    sentence: 'a kernel leaves in memory what its threads leave there one by one',
    watches: ['host.output'],
    about: ({ to }) => to,
    /** By host and name: what it has read back last. */
    begin: (): Record<string, readonly number[]> => ({}),
    see(outputs, { to: actor, event: { name, values } }) {
      outputs[`${actor} ${name}`] = values;
    },
    atRest(outputs, tell) {
      // Plain threads know the functions themselves, not the bits that a device approximates them by.
      if (!programs || config.approximations !== 'exact') return;
      const texts = programs.kernels.map(({ text = '' }) => text);
      for (const { program, x, y } of config.chiplets) {
        const host = programs.hosts[program];
        if (!host || !('steps' in host)) continue;
        for (const [name, expected] of plainHost(texts, host.steps).outputs) {
          const seen = outputs[`Chip[${x}][${y}].Host ${name}`];
          const wrong = firstWrong(seen, expected);
          if (wrong < 0) continue;
          const writer = seen && writerOf(texts, launchesIn(host.steps), name, wrong);
          tell(
            [`Chip[${x}][${y}]`],
            `word ${wrong} of ${name} is ${seen?.[wrong]}, not ${expected[wrong]}${writer ? `; ${writer}` : ''}`,
          );
        }
      }
    },
  });
