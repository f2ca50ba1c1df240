import type { Descriptor } from '../../../actors/tca/descriptor.ts';
import type { TcaPrograms } from '../../../machines/tca/config.ts';
import type { DriverOperations } from '../../../machines/tca/driver-operations.ts';
import type { OperationList } from '../../../machines/tca/operations.ts';
import { addressAt, type DriverWorld, PlainDriver, wordAt } from './plain-driver.ts';
import type { PlainOperation, PlainProgram } from './processor-part.ts';

/** The program of a node, if it is data; undefined for code, and for calls of GASNet. */
export function plainProgram(
  programs: TcaPrograms,
  rank: number,
  world: DriverWorld,
): PlainProgram | undefined {
  if (!Array.isArray(programs)) return undefined;
  const given = programs[rank];
  if (given === undefined) return ofList([], rank, world);
  if (Array.isArray(given)) return ofList(given, rank, world);
  return 'driver' in given ? ofDriver(given, rank, world) : undefined;
}

function* ofList(
  list: OperationList,
  rank: number,
  world: DriverWorld,
): Generator<PlainOperation, void, unknown> {
  for (const one of list)
    switch (one.op) {
      case 'start':
        yield {
          op: 'start',
          channel: one.channel,
          chain: one.chain.map((each) => descriptorOf(each, rank, world)),
        };
        break;
      case 'pio':
        yield { op: 'pio', address: addressAt(...one.to), data: Uint8Array.from(one.bytes) };
        break;
      case 'copy':
        yield { op: 'copy', src: addressAt(...one.from), dst: addressAt(...one.to), bytes: one.size };
        break;
      default:
        yield one;
    }
}

type Listed = Extract<OperationList[number], { readonly op: 'start' }>['chain'][number];

function descriptorOf(one: Listed, rank: number, world: DriverWorld): Descriptor {
  const single = { count: 1, srcStride: 0, dstStride: 0 };
  if ('notify' in one) {
    const data = new Uint8Array(8).fill(1);
    return { src: 0, dst: wordAt(one.notify, rank, one.slot, world), size: 8, ...single, data };
  }
  if ('bytes' in one) {
    const data = Uint8Array.from(one.bytes);
    return { src: 0, dst: addressAt(...one.to), size: data.length, ...single, data };
  }
  const { from, to, size, count, fromStride: srcStride, toStride: dstStride, pipeline } = one;
  return { src: addressAt(...from), dst: addressAt(...to), size, count, srcStride, dstStride, pipeline };
}

function* ofDriver(
  { driver }: DriverOperations,
  rank: number,
  world: DriverWorld,
): Generator<PlainOperation, void, string | number | undefined> {
  const plain = new PlainDriver(world, rank);
  for (const one of driver) yield* plain.carriedOut(one);
}
