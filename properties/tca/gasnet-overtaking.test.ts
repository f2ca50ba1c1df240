import { expect, test } from 'vitest';
import type { GasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import type { Handler } from '../../actors/tca/gasnet/handler.ts';
import { gasnetConfigOf, gasnetTrial, patternBytes } from './gasnet-runs.ts';

const target = 2;
const messages = 8;
/** Bytes of a packet that goes by DMA, and of one that goes by PIO. */
const bytesOf = (message: number): number => (message % 2 === 0 ? 700 : 10);

/** Rank 0 keeps the links to the target busy, across the chip of rank 1, which sends messages by DMA and by PIO in turn. */
const program: GasnetProgram = function* (gasnet) {
  const { rank } = gasnet;
  const heard: number[] = [];
  let answers = 0;
  const medium: Handler = function* (_gasnet, token, { args: [message = 0], payload }) {
    expect(payload, `message ${message}`).toEqual(patternBytes(message, bytesOf(message)));
    heard.push(message);
    yield* token.reply('short', 129);
  };
  const answered: Handler = () => {
    answers++;
  };
  yield* gasnet.init();
  yield* gasnet.attach([medium, answered].map((handler) => ({ handler })));
  yield* gasnet.barrier();
  const src = gasnet.segment(rank, 'cpu').base;
  if (rank === 0)
    for (let put = 0; put < 4; put++)
      yield* gasnet.putNbi(gasnet.segment(target, 'gpu').base, src, 16_384, { bulk: true });
  if (rank === 1)
    for (let message = 0; message < messages; message++) {
      const bytes = bytesOf(message);
      const from = src + 2048 * message;
      yield* gasnet.write(from, patternBytes(message, bytes));
      yield* gasnet.request(target, 'medium', 128, { args: [message], src: from, bytes });
    }
  if (rank === 1) yield* gasnet.waitUntil(() => answers === messages);
  if (rank === target) yield* gasnet.waitUntil(() => heard.length === messages);
  yield* gasnet.barrier();
};

test('a packet by PIO never overtakes one by DMA on a jammed link', () => {
  const config = gasnetConfigOf(
    { slots: 2 },
    {
      topology: 'ring',
      nodes: 6,
      gpuBytes: 2 ** 18,
      stopDetect: 'ideal',
      gpuBehindQpi: true,
      room: { transmitPackets: 2, writeHeaders: 4, writeUnits: 40 },
    },
  );
  const { run, raised } = gasnetTrial(config, program);

  expect(raised).toEqual([]);
  expect(run.outcome).toMatchObject({ verdict: 'ok' });
});

/** Rank 1 puts much and then little, and rank 0 writes what of it has come when it hears of the second. */
const twoPuts: GasnetProgram = function* (gasnet) {
  const { rank } = gasnet;
  yield* gasnet.init();
  yield* gasnet.attach([]);
  yield* gasnet.barrier();
  const src = gasnet.segment(1, 'cpu').base;
  const dst = gasnet.segment(0, 'cpu').base;
  if (rank === 1) {
    yield* gasnet.write(src, patternBytes(3, 1024));
    yield* gasnet.putNbi(dst, src, 320, { bulk: true });
    yield* gasnet.putNbi(dst + 2560, src, 4, { bulk: true });
    yield* gasnet.waitImplicit();
  }
  yield* gasnet.barrier();
  if (rank === 0) expect(yield* gasnet.read(dst, 320)).toEqual(patternBytes(3, 1024).slice(0, 320));
};

test.each(['split', 'perRequest'] as const)(
  'a packet on one channel never overtakes one on another, scheduler %s',
  (scheduler) => {
    const config = gasnetConfigOf(
      { slots: 4, scheduler, forceMode: 'BtoM', splitMin: 256, cacheEntries: 0 },
      { topology: 'pair', nodes: 2, stopDetect: 'ideal', parameters: { tagsPerChannel: [1, 1, 1, 1] } },
    );
    const { run, raised } = gasnetTrial(config, twoPuts);

    expect(raised).toEqual([]);
    expect(run.outcome).toMatchObject({ verdict: 'ok' });
  },
);
