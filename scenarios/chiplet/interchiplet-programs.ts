import type { Place } from '../../actors/chiplet/interchiplet/place.ts';
import type { Script } from '../../actors/chiplet/interchiplet/script.ts';

/** A chiplet program that is built in: the steps of the process at a place, from its arguments without the two of the place. */
export type BuiltInProgram = (place: Place, args: readonly string[]) => Script;

/** Elements of a side of the sample's matrices, and bytes of an element (chiplet specification 11). */
const side = 100;
const elementBytes = 8;
/** Elements of the result that each GPU chiplet sends back: the top left 10 x 10. */
const resultElements = 100;

const workers: readonly Place[] = [
  { x: 0, y: 1 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
];
const matrixBytes = side * side * elementBytes;
const resultBytes = resultElements * elementBytes;

/** The sample's CPU chiplet: A to each GPU chiplet, B to each, one result back from each, added up. */
const matmulHost: BuiltInProgram = () => [
  ...[0, 1].flatMap(() => workers.map(({ x, y }) => ['send', x, y, matrixBytes] as const)),
  ...workers.map(({ x, y }) => ['recv', x, y, resultBytes] as const),
  ['compute', 2 * resultElements],
];

/** The sample's GPU chiplet: two matrices in, a dot product of `side` steps for each of the threads at once, the result out. */
const matmulWorker: BuiltInProgram = () => [
  ['recv', 0, 0, matrixBytes],
  ['recv', 0, 0, matrixBytes],
  ['compute', 2 * side],
  ['send', 0, 0, resultBytes],
];

/** Built-in programs by the base name of their command (chiplet specification 9.8). */
export const builtInPrograms: Readonly<Record<string, BuiltInProgram>> = {
  matmul_c: matmulHost,
  matmul_cu: matmulWorker,
};
