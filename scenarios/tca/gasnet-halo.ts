import { type Gasnet, gasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import type { Handle } from '../../actors/tca/gasnet/handle.ts';
import { tcaConfig } from '../../machines/tca/config.ts';
import type { FacePut } from './halo.ts';
import { reported } from './measure.ts';

const pageBytes = 4096;
/** Longer than a channel settles; and longer than a round takes while its puts are tuned. */
const pauseNs = 20_000;
const roundNs = 200_000;
/** Eight puts tune, one builds the descriptors, and a receiver tells of free slots after the twelfth. */
const measuredRound = 11;

/**
 * Nanoseconds of one halo exchange over GASNet behind the tuning of its puts: from the moment at which all ranks begin until the last one has sent and
 * received everything (TCA specification 14, figure 7).
 *
 * Details: between rounds ranks calculate for longer than a channel settles. `bytes` is the size of the array of a node.
 */
export function haloOverGasnetNs(
  faces: readonly FacePut[],
  nodes: number,
  bytes: number,
  channels: readonly number[],
  stopDetect: 'counter' | 'ideal',
): number {
  const config = tcaConfig.parse({
    topology: nodes === 2 ? 'pair' : 'ring',
    nodes,
    stopDetect,
    cpuBytes: 2 ** 21,
    gpuBytes: pageBytes * Math.ceil(bytes / pageBytes),
    gasnet: { channels: [...channels], completion: 'local', update: 'half' },
  });
  const begun: number[] = [];
  const ended = reported(config, (report) => {
    const program = gasnetProgram(function* (gasnet: Gasnet) {
      yield* gasnet.init();
      yield* gasnet.attach();
      const { rank } = gasnet;
      for (let round = 1; round <= measuredRound; round++) {
        yield* gasnet.barrier();
        // All begin at one time, as in the prototype: a barrier lets some go on before others.
        yield* gasnet.compute(round * roundNs - (yield* gasnet.now()));
        const begin = yield* gasnet.now();
        const puts: Handle[] = [];
        for (const { shape, src, dst } of faces.filter(({ source }) => source === rank))
          puts.push(yield* gasnet.putBlocksNb(dst, src, shape, { bulk: true }));
        for (let source = 0; source < nodes; source++) {
          const count = faces.filter((face) => face.target === rank && face.source === source).length;
          yield* gasnet.awaitPuts(source, round * count);
        }
        const end = yield* gasnet.now();
        yield* gasnet.waitAll(puts);
        yield* gasnet.compute(pauseNs);
        if (round !== measuredRound) continue;
        begun.push(begin);
        report(rank, end);
      }
      yield* gasnet.barrier();
    });
    return Array.from({ length: nodes }, () => program);
  });
  return Math.max(...ended.values()) - Math.min(...begun);
}
