import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { invariant } from '../../kernel/errors.ts';
import type { PointMeasure } from '../../machines/sunway/calibration/published-points.ts';
import { type SunwayConfig, type SunwayPrograms, sunwayConfig } from '../../machines/sunway/config.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import type { Scenario } from '../scenario.ts';
import { simulate } from '../simulate.ts';

type Detail = SunwayConfig['detail'];
type Steps = Generator<CpeOperation, void, number>;
type DmaMeasure = Extract<PointMeasure, { readonly transfer: string }>;

const cpes = 64;
/** Bytes of main memory of each CPE: those of all rounds, each with room for an offset. */
const pitch = 2 ** 18 + 40 * 256;

/** Cycles that the slowest of the first `count` CPEs needs for some work, begun together; all CPEs lay out the same variables. */
function slowest<Laid>(
  count: number,
  layOut: (c: CpeApi) => Laid,
  work: (c: CpeApi, laid: Laid, memory: number) => Steps,
  { policy = 'lenient', detail }: { readonly policy?: 'lenient' | 'off'; readonly detail: Detail },
): number {
  const measure: CpeProgram = function* (c, memory) {
    const laid = layOut(c);
    const spent = c.ldmStatic('spent', 8, 8);
    yield c.ssync_array();
    if (c.tid >= count) return;
    const before = yield c.stime_cycle();
    const begun = yield c.stime_cycle();
    yield* work(c, laid, memory);
    const ended = yield c.stime_cycle();
    // Without what reading the counter takes.
    yield c.st(spent, 'f64', ended - begun - (begun - before));
    yield c.dma_put(memory + pitch * cpes + 8 * c.tid, spent, 8);
  };
  const program: MpeProgram = function* (h) {
    yield h.init();
    const memory = h.memAlloc((pitch + 8) * cpes, 128);
    yield h.athread_spawn(measure, memory);
    yield h.athread_join();
    yield h.tell('cycles', Math.max(...(yield* h.ldBlock(memory + pitch * cpes, 'f64', count))));
  };
  const scenario: Scenario<SunwayConfig, SunwayPrograms> = {
    file: 'measurement',
    text: '',
    name: 'measurement',
    machine: sunwayMachine.name,
    config: sunwayConfig.parse({ memoryMiB: 32, race: { policy }, detail }),
    programs: { module: 'measurement', program },
    faults: [],
    schedule: { kind: 'fifo', seed: 0 },
  };
  const { outcome, result } = simulate(scenario, sunwayMachine, { checkpoints: 0 });
  // The race detector watches: what is measured is a program that is right.
  invariant(
    outcome.verdict === 'ok',
    `a measurement ends as ${outcome.verdict}: ${outcome.violations[0]?.why ?? outcome.failure?.message}`,
  );
  return Number(result.told[0]?.['cycles']);
}

/** Rounds over which a load of many CPEs is measured: the write buffer, which takes the first puts at once, hardly matters then. */
const roundsOf = ({ cpes: count, bytes }: DmaMeasure): number =>
  count === 1 ? 1 : Math.max(1, Math.min(40, Math.floor(2 ** 18 / bytes)));

/** A buffer of so many bytes and two reply words. */
const laidOut = (bytes: number) => (c: CpeApi) => ({
  own: c.ldmStatic('own', bytes, 64),
  sent: c.rply(),
  come: c.rply(),
});
type Laid = ReturnType<ReturnType<typeof laidOut>>;

/** Transfers of a CPE between its own part of memory and its LDM, one after the other. */
const transfers = ({ transfer, bytes }: DmaMeasure, offset: number, rounds: number) =>
  function* (c: CpeApi, { own, sent: reply }: Laid, memory: number): Steps {
    // Each round has a place of its own: two puts to the same bytes could come in either order.
    const step = Math.ceil((bytes + offset) / 128) * 128;
    for (let round = 1; round <= rounds; round++) {
      const there = memory + c.tid * pitch + offset + step * (round - 1);
      if (transfer === 'get') yield c.dma_get(own, there, bytes);
      else if (transfer === 'put') yield c.dma_put(there, own, bytes);
      else {
        yield c.dma_iput(there, own, bytes, reply);
        yield c.dma_wait_value(reply, round);
      }
    }
  };

const dmaCycles = (measure: DmaMeasure, offset: number, detail: Detail): number => {
  const rounds = roundsOf(measure);
  const work = transfers(measure, offset, rounds);
  return slowest(measure.cpes, laidOut(measure.bytes), work, { detail }) / rounds;
};

const returns = 40;

/** Two CPEs answer each other; half of a round trip counts. */
const pingPong = (
  { from, to, bytes }: Extract<PointMeasure, { readonly kind: 'pingPong' }>,
  detail: Detail,
): number =>
  slowest(
    cpes,
    laidOut(bytes),
    function* (c, { own: ball, come: arrived }) {
      if (c.tid !== from && c.tid !== to) return;
      const other = c.tid === from ? to : from;
      for (let round = 1; round <= returns; round++) {
        if (c.tid === from) yield c.rma_iput(ball, null, bytes, other, ball, arrived);
        yield c.rma_wait_value(arrived, round);
        if (c.tid === to) yield c.rma_iput(ball, null, bytes, other, ball, arrived);
      }
    },
    { detail },
  ) /
  (2 * returns);

/** Cycles for puts from CPE 0 to CPE 1, a window of them before one wait, each to a place of its own. */
const putWindow = (window: number, bytes: number, detail: Detail): number =>
  slowest(
    1,
    laidOut(window * bytes),
    function* (c, { own, sent, come }) {
      for (let k = 0; k < window; k++) yield c.rma_iput(own, sent, bytes, 1, own + k * bytes, come);
      yield c.rma_wait_value(sent, window);
    },
    { detail },
  );

const cluster = [0, 1, 8, 9] as const;

/** Bytes of LDM that a measurement may lay out. */
const ldmBytesMax = 200 * 1024;

/**
 * The CPEs of the first cluster each put to the three others at once.
 *
 * Details: each sender has a place of its own at the others. Blocks that are too large for that in an LDM go to one place: what then stands there is nobody's business, and
 * only there the race detector is off.
 */
function clusterFlows(bytes: number, detail: Detail): number {
  const apart = (1 + cluster.length) * bytes <= ldmBytesMax;
  return slowest(
    cpes,
    laidOut(apart ? (1 + cluster.length) * bytes : bytes),
    function* (c, { own, sent, come }) {
      const index = cluster.findIndex((tid) => tid === c.tid);
      if (index < 0) return;
      const place = apart ? own + (1 + index) * bytes : own;
      const others = cluster.filter((tid) => tid !== c.tid);
      for (const other of others) yield c.rma_iput(own, sent, bytes, other, place, come);
      yield c.rma_wait_value(sent, others.length);
    },
    { policy: apart ? 'lenient' : 'off', detail },
  );
}

/** Runs what was measured as a program of a node at the `tlm` level, and gives what it comes to, in the unit of the point (Sunway specification 9). */
export function modelled(measure: PointMeasure, unit: string, detail: Detail = 'auto'): number {
  switch (measure.kind) {
    case 'dmaTime':
      return dmaCycles(measure, measure.offset, detail);
    case 'dmaRate':
      return (measure.cpes * measure.bytes) / dmaCycles(measure, 0, detail);
    case 'pingPong':
      return pingPong(measure, detail);
    case 'putStream': {
      const cycles = putWindow(measure.window, measure.bytes, detail) / measure.window;
      return unit === 'cycles' ? cycles : measure.bytes / cycles;
    }
    case 'putSlowdown': {
      const put = { kind: 'dmaTime', transfer: 'put', cpes, bytes: measure.bytes, offset: 0 } as const;
      return dmaCycles(put, measure.offset, detail) / dmaCycles(put, 0, detail);
    }
    case 'clusterFlows':
      return (12 * measure.bytes) / clusterFlows(measure.bytes, detail);
  }
}
