import { gasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import type { WeightTableContext } from '../../actors/tca/gasnet/weight-table.ts';
import { nextSplit, type Split } from '../../actors/tca/split.ts';
import type { Run } from '../../kernel/run.ts';
import { tcaConfig } from '../../machines/tca/config.ts';
import { reported, type TcaSettings } from './measure.ts';
import { amountOf, onlyOn, type Shape, spanOf } from './transfers.ts';

/** A put over GASNet as its runtime does it when it has tuned the split. */
export interface PingPong {
  /** Nanoseconds one way. */
  readonly ns: number;
  readonly split: Split;
}

const pageBytes = 4096;
/** Eight puts tune, one builds the descriptors, and the receiver tells of free slots after the twelfth. */
const measuredRound = 11;

/** Two nodes put a shape to and fro; the time is that of a round behind the tuning (TCA specification 12.8, 14). */
export function pingPong(shape: Shape, channels: readonly number[], settings: TcaSettings = {}): PingPong {
  const span = spanOf(shape);
  const config = tcaConfig.parse({
    ...settings,
    cpuBytes: 2 ** 20,
    gpuBytes: 2 * pageBytes * Math.ceil(span / pageBytes),
    gasnet: { channels: [...channels], completion: 'local', update: 'half' },
  });
  let made: Run | undefined;
  let split = onlyOn(channels[0]!, shape);
  const times = reported(
    config,
    (report) => {
      const program = gasnetProgram(function* (gasnet) {
        yield* gasnet.init();
        yield* gasnet.attach();
        const { rank } = gasnet;
        const peer = 1 - rank;
        const from = gasnet.segment(rank, 'gpu').base;
        const to = gasnet.segment(peer, 'gpu').base + config.gpuBytes / 2;
        for (let round = 1; round <= measuredRound; round++) {
          if (rank === 1) yield* gasnet.awaitPuts(peer, round);
          const begun = yield* gasnet.now();
          const put = yield* gasnet.putBlocksNb(to, from, shape, { bulk: true });
          if (rank === 0) yield* gasnet.awaitPuts(peer, round);
          const ended = yield* gasnet.now();
          yield* gasnet.wait(put);
          if (rank === 0 && round === measuredRound) report(rank, (ended - begun) / 2);
        }
        yield* gasnet.barrier();
      });
      return [program, program];
    },
    {
      observe: (run) => {
        made = run;
      },
      onEnd: () => {
        const { tunings } = made!.actor('Node[0].WeightTable').getSnapshot().context as WeightTableContext;
        const [tuning] = Object.values(tunings);
        const { amount, unit } = amountOf(shape);
        if (tuning) split = nextSplit(tuning, amount, unit);
      },
    },
  );
  return { ns: times.get(0)!, split };
}
