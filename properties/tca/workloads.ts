import fc from 'fast-check';
import { addressOf, notifyOffset, type Region } from '../../actors/tca/address-map.ts';
import type { Descriptor } from '../../actors/tca/descriptor.ts';
import { gasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import type { Handler } from '../../actors/tca/gasnet/handler.ts';
import type { NodeAnswer, NodeOperation, NodeProgram } from '../../actors/tca/node-program.ts';
import type { Given } from '../../machines/machine.ts';
import { type TcaConfig, type TcaPrograms, tcaConfig, tcaPrograms } from '../../machines/tca/config.ts';
import { gasnetLists, listMemory } from './gasnet-lists.arbitrary.ts';

/** A run of TCA nodes. */
export type TcaGiven = Given<TcaConfig, TcaPrograms>;

/** Bytes of memory of a node in tests: enough for programs, and quick to compare. */
export const memoryBytes = 65_536;

/** A configuration written with what differs from small memories. */
export const configOf = (changes: object = {}): TcaConfig =>
  tcaConfig.parse({ cpuBytes: memoryBytes, gpuBytes: memoryBytes, ...changes });

/** A run of these programs, one a node. */
export const givenOf = (
  config: TcaConfig,
  programs: readonly NodeProgram[],
  mutants: readonly string[] = [],
): TcaGiven => ({
  name: 'test',
  config,
  programs: programs.map((program) => ({ module: 'test', program })),
  mutants,
  scheduled: false,
});

/** One block of bytes from one address to another. */
export const copy = (src: number, dst: number, size: number): Descriptor => ({
  src,
  dst,
  size,
  count: 1,
  srcStride: 0,
  dstStride: 0,
});

/** Bytes of the chip's own memory that go to an address. */
export const words = (dst: number, data: Uint8Array): Descriptor => ({ ...copy(0, dst, data.length), data });

/** The word by which a node notifies another one (TCA specification 9). */
export const notify = (config: TcaConfig, source: number, target: number, slot = 0): Descriptor =>
  words(addressOf(target, 'cpu', notifyOffset(config.cpuBytes, source, slot)), new Uint8Array(8).fill(1));

/** Bytes that tell themselves apart. */
export const pattern = (seed: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, k) => (seed * 41 + k * 7 + (k >> 5)) & 255);

/** Ports that hold one packet of 128 bytes, and transmit queues that hold the two that the bubble rule needs. */
export const leastRoom = { writeHeaders: 1, writeUnits: 8, readHeaders: 1, transmitPackets: 2 };

const start = (channel: number, chain: readonly Descriptor[]): NodeOperation => ({
  op: 'start',
  channel,
  chain,
});
const stopped = (...channels: number[]): NodeOperation => ({ op: 'stopped', channels });

/** Fills both memories of the node with 512 bytes from the chip. */
function* filled(rank: number): Generator<NodeOperation, void, NodeAnswer> {
  const parts = (['cpu', 'gpu'] as Region[]).flatMap((region, r) =>
    [0, 128, 256, 384].map((at) => words(addressOf(rank, region, at), pattern(10 * rank + r + at, 128))),
  );
  yield start(0, parts);
  yield stopped(0);
}

/** Runs that show all that nodes do, by what they stress. */
export const workloads = {
  /** Chains with flags to a neighbour and to the node opposite, from both memories, while all send. */
  mixed: (mutants: readonly string[] = []) => {
    const config = configOf({
      topology: 'ring',
      nodes: 4,
      stopDetect: 'ideal',
      parameters: { tagsPerChannel: [6, 3, 2, 2], descriptorFetch: 8, internalReadLatency: 8 },
    });
    const program: NodeProgram = function* (rank, nodes) {
      yield* filled(rank);
      const next = (rank + 1) % nodes;
      const far = (rank + 2) % nodes;
      const from = (region: Region, offset = 0) => addressOf(rank, region, offset);
      yield start(0, [
        copy(from('gpu'), addressOf(next, 'gpu', 4096), 256),
        copy(from('cpu'), addressOf(next, 'gpu', 8192), 256),
        notify(config, rank, next),
      ]);
      yield start(1, [
        { ...copy(from('gpu', 40), addressOf(far, 'cpu', 4104), 48), count: 3, srcStride: 64, dstStride: 80 },
        notify(config, rank, far, 1),
      ]);
      yield { op: 'pio', address: addressOf(far, 'gpu', 12_288), data: pattern(rank, 64) };
      yield {
        op: 'wait',
        flags: [
          { source: (rank + nodes - 1) % nodes, slot: 0 },
          { source: (rank + 2) % nodes, slot: 1 },
        ],
      };
      yield stopped(0, 1);
    };
    return givenOf(
      config,
      Array.from({ length: 4 }, () => program),
      mutants,
    );
  },
  /** A long transfer on all tags: stalls, and a full write buffer of the GPU. */
  long: (mutants: readonly string[] = []) => {
    const config = configOf({ parameters: { tagsPerChannel: [32, 16, 8, 8] } });
    const sender: NodeProgram = function* (rank) {
      yield* filled(rank);
      for (const channel of [0, 1, 2, 3]) {
        const at = 8192 * channel;
        const size = [8192, 4096, 2048, 2048][channel]!;
        yield start(channel, [
          copy(addressOf(0, channel % 2 === 0 ? 'gpu' : 'cpu', at), addressOf(1, 'gpu', at), size),
          notify(config, 0, 1, channel),
        ]);
      }
    };
    const receiver: NodeProgram = function* () {
      yield { op: 'wait', flags: [0, 1, 2, 3].map((slot) => ({ source: 0, slot })) };
    };
    return givenOf(config, [sender, receiver], mutants);
  },
  /** Every node of a ring sends two nodes on, through ports with as little room as there may be: full queues all round. */
  crowded: (mutants: readonly string[] = []) => {
    const config = configOf({ topology: 'ring', nodes: 4, stopDetect: 'ideal', room: leastRoom });
    const program: NodeProgram = function* (rank, nodes) {
      const far = (rank + 2) % nodes;
      for (const channel of [0, 1])
        yield start(channel, [
          copy(addressOf(rank, 'cpu', 0), addressOf(far, 'cpu', 8192 * (channel + 1)), 2048),
          notify(config, rank, far, channel),
        ]);
      for (let k = 0; k < 6; k++)
        yield { op: 'pio', address: addressOf(far, 'cpu', 4096 + 64 * k), data: pattern(k, 64) };
      yield { op: 'wait', flags: [0, 1].map((slot) => ({ source: far, slot })) };
    };
    return givenOf(
      config,
      Array.from({ length: 4 }, () => program),
      mutants,
    );
  },
  /** Calls of GASNet as data, of nearly all kinds. */
  lists: (mutants: readonly string[] = []) => drawnLists(11, mutants),
  /** Others, with messages of nine arguments and more. */
  longLists: (mutants: readonly string[] = []) => drawnLists(19, mutants),
  /** Others, on four nodes. */
  listsOfFour: (mutants: readonly string[] = []) => drawnLists(13, mutants),
  /** A small Himeno on four nodes, whose faces go by all channels. */
  himeno: (mutants: readonly string[] = []): TcaGiven => ({
    name: 'test',
    config: tcaConfig.parse({
      topology: 'ring',
      nodes: 4,
      cpuBytes: 2 ** 20,
      gpuBytes: memoryBytes,
      gasnet: {
        splitMin: 256,
        environment: { HIMENO_SIZE: '6x7x8', HIMENO_DECOMPOSITION: '2x2', HIMENO_ITERATIONS: '2' },
      },
    }),
    programs: tcaPrograms.parse({ job: 'himeno' }),
    mutants,
    scheduled: false,
  }),
  /** Puts over one channel and several, messages with replies, barriers of three nodes that come at different times: GASNet. */
  gasnet: (mutants: readonly string[] = []) => {
    const config = configOf({
      topology: 'ring',
      nodes: 3,
      cpuBytes: 2 ** 19,
      stopDetect: 'ideal',
      // The parts of a put on slower channels come after the first one.
      parameters: { tagsPerChannel: [8, 1, 1, 1] },
      gasnet: { slots: 2, slotBytes: 1024, sendBufferBytes: 1024, splitMin: 1024 },
    });
    const program = gasnetProgram(function* (gasnet) {
      const { rank, nodes } = gasnet;
      let answered = 0;
      const request: Handler = function* (_gasnet, token, { args }) {
        yield* token.reply('short', 129, { args });
      };
      const reply: Handler = () => {
        answered++;
      };
      yield* gasnet.init();
      yield* gasnet.attach([{ handler: request }, { handler: reply }]);
      const next = (rank + 1) % nodes;
      const own = gasnet.segment(rank, 'cpu').base;
      for (let round = 0; round < 3; round++) {
        yield* gasnet.write(own, pattern(10 * rank + round, 2400));
        yield* gasnet.put(gasnet.segment(next, 'gpu').base + 4096 * round, own, 2400);
        yield* gasnet.put(gasnet.segment(next, 'gpu').base + 4096 * round + 2048, own + 1, 700);
        for (let k = 0; k < 4; k++)
          yield* gasnet.request(next, 'medium', 128, { args: [rank, round, k], src: own, bytes: 200 });
        yield* gasnet.compute(3000 * rank);
        yield* gasnet.barrier(round + 1);
      }
      yield* gasnet.waitUntil(() => answered === 12);
      yield* gasnet.barrier();
    });
    return givenOf(
      config,
      Array.from({ length: 3 }, () => program),
      mutants,
    );
  },
  /** A put in pieces on one channel each, the last of which is done first: GASNet with a channel for each request. */
  scattered: (mutants: readonly string[] = []) => {
    const config = configOf({
      cpuBytes: 2 ** 19,
      stopDetect: 'ideal',
      parameters: { tagsPerChannel: [1, 1, 1, 1] },
      gasnet: { slots: 2, slotBytes: 1024, sendBufferBytes: 1024, scheduler: 'perRequest' },
    });
    const program = gasnetProgram(function* (gasnet) {
      yield* gasnet.init();
      yield* gasnet.attach();
      const own = gasnet.segment(gasnet.rank, 'cpu').base;
      yield* gasnet.write(own, pattern(gasnet.rank, 4000));
      yield* gasnet.put(gasnet.segment(1 - gasnet.rank, 'gpu').base, own + 1, 3116);
      yield* gasnet.barrier();
    });
    return givenOf(config, [program, program], mutants);
  },
};

/** The lists of calls that a seed draws. */
function drawnLists(seed: number, mutants: readonly string[]): TcaGiven {
  const [drawn] = fc.sample(gasnetLists, { seed, numRuns: 1 });
  const { nodes, gasnet, programs } = drawn!;
  return {
    name: 'test',
    config: tcaConfig.parse({ topology: 'ring', nodes, stopDetect: 'ideal', gasnet, ...listMemory }),
    programs: tcaPrograms.parse(programs),
    mutants,
    scheduled: false,
  };
}
