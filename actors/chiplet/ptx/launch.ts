import { blocksPerClusterMost } from './cluster.ts';
import type { Kernel } from './kernel.ts';
import { bitsOf, bytesOf, isReal } from './value-type.ts';
import { bytesOfValue } from './variables.ts';
import { Views } from './views.ts';

/** Numbers in three dimensions, x first. */
export type Dimensions = readonly [x: number, y: number, z: number];

/** A kernel with all that a launch gives it (chiplet specification 4.5). */
export interface Launch {
  readonly kernel: Kernel;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly dynamicSharedBytes: number;
  /** Blocks of a cluster in each direction; one where there are no clusters. */
  readonly cluster: Dimensions;
  readonly parameters: Views;
}

/** The value of a parameter: a number, or the bytes of a structure. */
export type LaunchValue = number | bigint | { readonly bytes: readonly number[] };

/** A launch that cannot be: the finding and what was expected. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
  readonly code = 'E-LAUNCH';
}

/** Threads that a block may have. */
export const threadsPerBlockMost = 1024;
/** Blocks of a grid in each direction (CUDA programming guide, technical specifications per compute capability). */
const gridMost: Dimensions = [2 ** 31 - 1, 65_535, 65_535];

/** Prepares a launch. Errors: `LaunchError` for dimensions or parameters that the kernel cannot take. */
export function launchOf(
  kernel: Kernel,
  grid: Dimensions,
  block: Dimensions,
  values: readonly LaunchValue[],
  dynamicSharedBytes = 0,
  cluster?: Dimensions,
): Launch {
  const wrong = [...grid, ...block].find((one) => !Number.isSafeInteger(one) || one < 1);
  const threads = block[0] * block[1] * block[2];
  if (wrong !== undefined || threads > threadsPerBlockMost)
    throw new LaunchError(
      `E-LAUNCH ${kernel.name}: found a grid of ${grid.join(' x ')} blocks of ${block.join(' x ')} threads, expected whole numbers from 1 and at most ${threadsPerBlockMost} threads a block`,
    );
  if (grid.some((one, at) => one > gridMost[at]!))
    throw new LaunchError(
      `E-LAUNCH ${kernel.name}: found a grid of ${grid.join(' x ')} blocks, expected at most ${gridMost.join(' x ')}`,
    );
  if (values.length !== kernel.parameters.length)
    throw new LaunchError(
      `E-LAUNCH ${kernel.name}: found ${values.length} parameters, expected ${kernel.parameters.length}: ${kernel.parameters.map(({ name, type }) => `${name} (.${type})`).join(', ') || 'none'}`,
    );
  const parameters = new Views(kernel.parameterBytes);
  for (const [at, { name, type, offset, bytes }] of kernel.parameters.entries()) {
    const value = values[at]!;
    if (typeof value === 'object') {
      if (value.bytes.length !== bytes)
        throw new LaunchError(
          `E-LAUNCH ${kernel.name}: found ${value.bytes.length} bytes for ${name}, expected ${bytes}`,
        );
      parameters.bytes.set(value.bytes, offset);
      continue;
    }
    if (bytes !== bytesOf(type))
      throw new LaunchError(
        `E-LAUNCH ${kernel.name}: found ${value} for ${name}, expected a structure of ${bytes} bytes`,
      );
    if (!(isReal(type) ? typeof value === 'number' : isWhole(value, bitsOf(type))))
      throw new LaunchError(
        `E-LAUNCH ${kernel.name}: found ${value} for ${name}, expected a whole number of ${bitsOf(type)} bits`,
      );
    const whole = isReal(type) ? 0n : BigInt(value);
    parameters.bytes.set(bytesOfValue(type, Number(value), whole), offset);
  }
  return {
    kernel,
    grid,
    block,
    dynamicSharedBytes,
    cluster: clusterOf(kernel, grid, cluster),
    parameters,
  };
}

/** True for whole numbers of so many bits, with or without sign: their bits are the same. */
function isWhole(value: number | bigint, bits: number): boolean {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return false;
  const whole = BigInt(value);
  return whole >= -(1n << BigInt(bits - 1)) && whole < 1n << BigInt(bits);
}

/** The clusters of a launch: those of the text, or those that are given. Errors: `LaunchError`. */
function clusterOf({ name, cluster: fixed }: Kernel, grid: Dimensions, given?: Dimensions): Dimensions {
  const said = (one: Dimensions): string => one.join(' x ');
  if (fixed === 'asked' && given === undefined)
    throw new LaunchError(
      `E-LAUNCH ${name}: found no size of clusters, expected one: the text has .explicitcluster`,
    );
  const wanted = typeof fixed === 'object' ? fixed : null;
  if (wanted !== null && given !== undefined && said(wanted) !== said(given))
    throw new LaunchError(
      `E-LAUNCH ${name}: found clusters of ${said(given)} blocks, expected ${said(wanted)}, which .reqnctapercluster fixes`,
    );
  const cluster = wanted ?? given ?? [1, 1, 1];
  const blocks = cluster[0] * cluster[1] * cluster[2];
  const fits = cluster.every((one, at) => Number.isSafeInteger(one) && one >= 1 && grid[at]! % one === 0);
  if (!fits || blocks > blocksPerClusterMost)
    throw new LaunchError(
      `E-LAUNCH ${name}: found clusters of ${said(cluster)} blocks in a grid of ${said(grid)}, expected a grid of whole clusters of at most ${blocksPerClusterMost} blocks`,
    );
  return cluster;
}

/** Blocks of a grid. */
export const blocksOf = ({ grid }: Pick<Launch, 'grid'>): number => grid[0] * grid[1] * grid[2];
