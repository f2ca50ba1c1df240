import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import type { ReplyWord } from '../../actors/sunway/reply-word.ts';
import { invariant } from '../../kernel/errors.ts';
import { sunwayConfig } from '../../machines/sunway/config.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { simulate } from '../simulate.ts';

type Steps = Generator<CpeOperation, void, number>;

/** Transfers whose time at the level of flits is held against that of the formulas. */
export const transferKinds = ['get', 'iput', 'put', 'rmaPut', 'rmaArrival', 'rmaGet', 'broadcast'] as const;
export type TransferKind = (typeof transferKinds)[number];

/** One transfer of one CPE while all others are still. */
export interface UnloadedTransfer {
  readonly kind: TransferKind;
  readonly bytes: number;
  /** DMA: from a multiple of 128 bytes in main memory. */
  readonly offset: number;
}

/** The time of an unloaded transfer at both levels. */
export interface AgreementRow extends UnloadedTransfer {
  readonly issuer: number;
  /** The other CPE of an RMA transfer; of a broadcast the one that is looked at. */
  readonly partner: number;
  readonly tlm: number;
  readonly flit: number;
  /** Difference as a part of the time by the formulas, with sign. */
  readonly difference: number;
  readonly holds: boolean;
}

/** How far both levels may differ when nothing else is under way (Sunway specification 2.2). */
export const agreementTolerance = 0.2;

/** Sizes from 8 bytes to 64 KiB. */
export const agreementSizes = [8, 64, 128, 256, 1024, 4096, 16_384, 65_536] as const;

/** All kinds in all sizes; DMA also beside the limits of blocks. */
export const unloadedTransfers = (sizes: readonly number[] = agreementSizes): readonly UnloadedTransfer[] =>
  transferKinds.flatMap((kind) =>
    sizes.flatMap((bytes) =>
      ['get', 'iput', 'put'].includes(kind)
        ? [0, 4].map((offset) => ({ kind, bytes, offset }))
        : [{ kind, bytes, offset: 0 }],
    ),
  );

const largest = 65_536;

/** Carries out one transfer of a kind, up to its local reply, or up to its arrival for those of which that is asked. */
function* carryOut(
  c: CpeApi,
  { kind, bytes, offset }: UnloadedTransfer,
  partner: number,
  memory: number,
  buffer: number,
  words: { readonly sent: ReplyWord; readonly come: ReplyWord; readonly count: number },
): Steps {
  const { sent, come, count } = words;
  switch (kind) {
    case 'get':
      yield c.dma_get(buffer, memory + offset, bytes);
      return;
    case 'put':
      yield c.dma_put(memory + offset, buffer, bytes);
      return;
    case 'iput':
      yield c.dma_iput(memory + offset, buffer, bytes, sent);
      yield c.dma_wait_value(sent, count);
      return;
    case 'rmaPut':
      yield c.rma_iput(buffer, sent, bytes, partner, buffer, null);
      yield c.rma_wait_value(sent, count);
      return;
    case 'rmaArrival':
      yield c.rma_iput(buffer, null, bytes, partner, buffer, come);
      return;
    case 'rmaGet':
      yield c.rma_iget(buffer, sent, bytes, partner, buffer, null);
      yield c.rma_wait_value(sent, count);
      return;
    case 'broadcast':
      yield c.rma_ibcast(buffer, buffer, null, bytes, come);
  }
}

const isArrival = ({ kind }: UnloadedTransfer): boolean => kind === 'rmaArrival' || kind === 'broadcast';
const countsSent = ({ kind }: UnloadedTransfer): boolean => ['iput', 'rmaPut', 'rmaGet'].includes(kind);

/** Cycles of transfers of one CPE, one after the other with everything still in between. */
export function unloadedCycles(
  transfers: readonly UnloadedTransfer[],
  issuer: number,
  partner: number,
  fidelity: 'tlm' | 'flit',
): readonly number[] {
  const measure: CpeProgram = function* (c, memory) {
    const buffer = c.ldmStatic('buffer', largest, 128);
    const times = c.ldmStatic('times', 8 * transfers.length, 8);
    const [sent, come] = [c.rply(), c.rply()];
    // All have laid out what is broadcast.
    yield c.ssync_array();
    if (c.tid !== issuer && c.tid !== partner) return;
    const peer = c.tid === issuer ? partner : issuer;
    const counts = { sent: 0, come: 0 };
    for (const [k, one] of transfers.entries()) {
      yield c.ssync_peer(peer);
      // What the transfer before has left under way comes to rest, wherever it goes.
      yield c.dma_all_barrier();
      yield c.compute(2000);
      if (countsSent(one)) counts.sent++;
      if (isArrival(one)) counts.come++;
      if (c.tid === issuer) {
        const begun = yield c.stime_cycle();
        yield* carryOut(c, one, partner, memory, buffer, {
          sent,
          come,
          count: counts.sent,
        });
        const ended = yield c.stime_cycle();
        yield c.st(times + 8 * k, 'f64', isArrival(one) ? begun : ended - begun);
      } else if (isArrival(one)) {
        yield c.rma_wait_value(come, counts.come);
        yield c.st(times + 8 * k, 'f64', yield c.stime_cycle());
      }
    }
    yield c.dma_put(
      memory + 2 * largest + 8 * transfers.length * (c.tid === issuer ? 0 : 1),
      times,
      8 * transfers.length,
    );
  };
  const program: MpeProgram = function* (h) {
    yield h.init();
    const memory = h.memAlloc(2 * largest + 16 * transfers.length, 128);
    yield h.athread_spawn(measure, memory);
    yield h.athread_join();
    const [own, other] = [0, 1].map((side) => memory + 2 * largest + 8 * transfers.length * side);
    const issued = yield* h.ldBlock(own!, 'f64', transfers.length);
    const arrived = yield* h.ldBlock(other!, 'f64', transfers.length);
    for (const [k, one] of transfers.entries())
      yield h.tell(String(k), isArrival(one) ? arrived[k]! - issued[k]! : issued[k]!);
  };
  const { outcome, result } = simulate(
    {
      file: 'measurement',
      text: '',
      name: 'measurement',
      machine: sunwayMachine.name,
      config: sunwayConfig.parse({ fidelity }),
      programs: { module: 'measurement', program },
      faults: [],
      schedule: { kind: 'fifo', seed: 0 },
    },
    sunwayMachine,
    { checkpoints: 0 },
  );
  invariant(
    outcome.verdict === 'ok',
    `a measurement ends as ${outcome.verdict}: ${outcome.violations[0]?.why}`,
  );
  return transfers.map((_, k) => Number(result.told[0]?.[String(k)]));
}

/** Pairs of CPEs: in one cluster, in the next one, and in opposite corners. */
export const agreementPairs = [
  [0, 1],
  [27, 36],
  [63, 0],
] as const;

/** Each transfer at both levels, for a CPE and its partner. */
export function agreement(
  issuer: number,
  partner: number,
  transfers: readonly UnloadedTransfer[] = unloadedTransfers(),
): readonly AgreementRow[] {
  const [tlm, flit] = (['tlm', 'flit'] as const).map((level) =>
    unloadedCycles(transfers, issuer, partner, level),
  );
  return transfers.map((one, k) => {
    const difference = flit![k]! / tlm![k]! - 1;
    return {
      ...one,
      issuer,
      partner,
      tlm: tlm![k]!,
      flit: flit![k]!,
      difference: Number(difference.toFixed(4)),
      holds: Math.abs(difference) <= agreementTolerance,
    };
  });
}
