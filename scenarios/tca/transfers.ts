import { addressOf, notifyOffset } from '../../actors/tca/address-map.ts';
import type { Descriptor } from '../../actors/tca/descriptor.ts';
import type { NodeOperation, NodeProgram } from '../../actors/tca/node-program.ts';
import { channels } from '../../actors/tca/parameters.ts';
import { type Split, unitBytes } from '../../actors/tca/split.ts';
import type { TcaConfig } from '../../machines/tca/config.ts';

/** Equal blocks at equal distances, of which `count` 1 is a contiguous piece of memory. */
export interface Shape {
  /** Bytes of a block. */
  readonly size: number;
  readonly count: number;
  /** Bytes from one block to the next, where they are read and where they are written. */
  readonly srcStride: number;
  readonly dstStride: number;
}

/** A contiguous piece of memory. */
export const contiguous = (size: number): Shape => ({ size, count: 1, srcStride: 0, dstStride: 0 });

/** A plane of N x N doubles out of N^3: N rows of N, each N * N doubles from the next (TCA specification 14, figure 6). */
export const blockStride = (N: number): Shape => ({
  size: 8 * N,
  count: N,
  srcStride: 8 * N * N,
  dstStride: 8 * N * N,
});

/** Bytes that a shape moves. */
export const bytesOf = ({ size, count }: Shape): number => size * count;

/** Bytes of memory from its first byte to its last. */
export const spanOf = ({ size, count, srcStride, dstStride }: Shape): number =>
  size + (count - 1) * Math.max(srcStride, dstStride);

/** Where a shape is read and written. */
export interface Ends {
  readonly src: number;
  readonly dst: number;
}

/** A shape, where it is read and written. */
export interface Move extends Ends {
  readonly shape: Shape;
}

/** Descriptor of a whole shape. */
export const descriptorOf = ({ shape, src, dst }: Move): Descriptor => ({ src, dst, ...shape });

/** A word of the chip's internal RAM that goes to the notify board of a node. */
const notify = ({ cpuBytes }: TcaConfig, from: number, to: number, slot: number): Descriptor => ({
  src: 0,
  dst: addressOf(to, 'cpu', notifyOffset(cpuBytes, from, slot)),
  size: 8,
  count: 1,
  srcStride: 0,
  dstStride: 0,
  data: new Uint8Array(8),
});

/** Bytes of the packet that GASNet sends with a put (TCA specification 12.8). */
const packetBytes = 64;

/** The packet of a put: from internal RAM into CPU memory of the target, one place a source. */
const packet = (from: number, to: number): Descriptor => ({
  src: 0,
  dst: addressOf(to, 'cpu', from * packetBytes),
  size: packetBytes,
  count: 1,
  srcStride: 0,
  dstStride: 0,
  data: new Uint8Array(packetBytes),
});

/** What a transfer is split in: blocks, or pieces of 128 bytes (TCA specification 12.8). */
export const amountOf = ({ size, count }: Shape): { readonly amount: number; readonly unit: number } =>
  count > 1 ? { amount: count, unit: 1 } : { amount: size, unit: unitBytes };

/** The split that gives everything to one channel. */
export const onlyOn = (channel: number, shape: Shape): Split =>
  Array.from({ length: channels }, (_, one) => (one === channel ? amountOf(shape).amount : 0));

/** One channel of a put, with the chain it runs. */
export interface ChannelChain {
  readonly channel: number;
  readonly chain: readonly Descriptor[];
}

/**
 * The chains of a GASNet put (TCA specification 12.8): parts in address order, one a channel that has one; each followed by its notification, the
 * first with the packet in between.
 */
export function putChains(
  config: TcaConfig,
  from: number,
  to: number,
  move: Move,
  split: Split,
): readonly ChannelChain[] {
  const { shape, src, dst } = move;
  let done = 0;
  return split
    .map((part, channel) => {
      const { count, srcStride, dstStride } = shape;
      const [read, write] = count > 1 ? [done * srcStride, done * dstStride] : [done, done];
      const piece: Shape = count > 1 ? { ...shape, count: part } : contiguous(part);
      done += part;
      return { channel, part, move: { shape: piece, src: src + read, dst: dst + write } };
    })
    .filter(({ part }) => part > 0)
    .map(({ channel, move: piece }, index) => ({
      channel,
      chain: [
        descriptorOf(piece),
        ...(index === 0 ? [packet(from, to)] : []),
        notify(config, from, to, channel),
      ],
    }));
}

/** Nanoseconds of runtime work before the first doorbell of a put. */
const putSoftwareNs = ({ parameters }: TcaConfig): number => 4 * parameters.gasnetPutSoftware;

function* startAll(chains: readonly ChannelChain[]): Generator<NodeOperation, void, number | string> {
  for (const { channel, chain } of chains) {
    const answer = yield { op: 'start', channel, chain };
    if (typeof answer === 'string') throw new Error(`the start of channel ${channel} was refused: ${answer}`);
  }
}

/** Told the time in nanoseconds at which a rank has done its part. */
export type Report = (rank: number, ns: number) => void;

/** Node 0 sends with the driver alone on one channel, chain of data and notification; node 1 reports when it has seen it. */
export function directPrograms(
  config: TcaConfig,
  move: Move,
  channel: number,
  report: Report,
): readonly NodeProgram[] {
  return [
    function* () {
      yield* startAll([{ channel, chain: [descriptorOf(move), notify(config, 0, 1, channel)] }]);
    },
    function* () {
      report(1, (yield { op: 'wait', flags: [{ source: 0, slot: channel }] }) as number);
    },
  ];
}

/** Node 0 puts with GASNet over the channels that have a part; node 1 reports when it has seen every notification. */
export function putPrograms(
  config: TcaConfig,
  move: Move,
  split: Split,
  report: Report,
): readonly NodeProgram[] {
  const chains = putChains(config, 0, 1, move, split);
  return [
    function* () {
      yield { op: 'compute', ns: putSoftwareNs(config) };
      yield* startAll(chains);
    },
    function* () {
      const flags = chains.map(({ channel }) => ({ source: 0, slot: channel }));
      report(1, (yield { op: 'wait', flags }) as number);
    },
  ];
}

/** Ranks 0 and 1 put to rank 2 at the same time on channel 0; rank 2 reports when it has seen both. */
export function incastPrograms(config: TcaConfig, shape: Shape, report: Report): readonly NodeProgram[] {
  const sender = (rank: number): NodeProgram =>
    function* () {
      const ends = {
        src: addressOf(rank, 'gpu', 0),
        dst: addressOf(2, 'gpu', rank * 2 ** Math.ceil(Math.log2(spanOf(shape)))),
      };
      yield { op: 'compute', ns: putSoftwareNs(config) };
      yield* startAll(putChains(config, rank, 2, { shape, ...ends }, onlyOn(0, shape)));
    };
  return [
    sender(0),
    sender(1),
    function* () {
      const flags = [0, 1].map((source) => ({ source, slot: 0 }));
      report(2, (yield { op: 'wait', flags }) as number);
    },
  ];
}

/** A face of a halo: who sends what to whom. */
export interface FaceMove {
  readonly source: number;
  readonly target: number;
  readonly move: Move;
  readonly split: Split;
}

/**
 * How a rank knows before its next put that the channels of the last one have stopped (TCA specification 8): it polls their counters, or
 * waits and is charged (channels + 1/2) counter reads, as the prototype is, or waits at no cost.
 */
export type StopDetection = 'counter' | 'charged' | 'ideal';

/**
 * Every rank puts its faces in their order, waits for the channels of one before it starts the next, and reports when it has sent and received all.
 *
 * Gotchas: `charged` and `ideal` need a machine whose stops are detected at no cost (`stopDetect: ideal`), `counter` one that polls.
 */
export function haloPrograms(
  config: TcaConfig,
  faces: readonly FaceMove[],
  stop: StopDetection,
  report: Report,
): readonly NodeProgram[] {
  const roundTripNs = 4 * config.parameters.perfCounterReadRoundTrip;
  return Array.from(
    { length: config.nodes },
    (_, rank): NodeProgram =>
      function* () {
        let running: readonly number[] = [];
        for (const { target, move, split } of faces.filter(({ source }) => source === rank)) {
          if (running.length > 0) {
            yield { op: 'stopped', channels: running };
            if (stop === 'charged') yield { op: 'compute', ns: (running.length + 1 / 2) * roundTripNs };
          }
          const chains = putChains(config, rank, target, move, split);
          yield { op: 'compute', ns: putSoftwareNs(config) };
          yield* startAll(chains);
          running = chains.map(({ channel }) => channel);
        }
        const flags = faces
          .filter(({ target }) => target === rank)
          .flatMap(({ source, split }) =>
            split.flatMap((part, slot) => (part > 0 ? [{ source, slot }] : [])),
          );
        report(rank, (yield { op: 'wait', flags }) as number);
      },
  );
}
