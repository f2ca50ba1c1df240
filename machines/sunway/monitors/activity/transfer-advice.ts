import { unloadedGet, unloadedPut } from '../../../../actors/sunway/timing/dma-time.ts';
import { perCycle, transferTime } from '../../../../actors/sunway/timing/thousandths.ts';
import type { TimingTable } from '../../../../actors/sunway/timing/timing-table.ts';
import { blockBytes, blocksTouched, putShape } from '../../../../actors/sunway/transfer/strided.ts';
import type { CoreId } from '../race/race-event.ts';
import type { Activity, TransferActivity } from './activity.ts';

/** Ways in which transfers waste time that their program could save. */
export type AdviceKind = 'partialBlocks' | 'alignment' | 'smallTransfers' | 'window';

/** A piece of advice about the transfers that one call of a program issues. */
export interface TransferAdvice {
  readonly kind: AdviceKind;
  readonly call: string;
  /** Where the call is written, `axpy.ts:31`, as far as that is known. */
  readonly place?: string;
  /** Transfers that it is about, and their bytes. */
  readonly count: number;
  readonly bytes: number;
  readonly cores: readonly CoreId[];
  /** Estimate of what they lose, in cycles of an engine or a controller, of all cores together. */
  readonly lostCycles: number;
  /** What was found, and how the program could save it. */
  readonly finding: string;
  readonly cure: string;
}

/** Below these a transfer is mostly latency: a DMA transfer moves less than eight blocks, an RMA put takes less time than its issue and its reply. */
const smallBytes = { dma: 1024, rma: 1024 } as const;
/** Fewer transfers of a kind are not worth a word. */
const fewTransfers = 8;
/** A core that issues fewer on its own could hardly have more than one under way. */
const fewAlone = 4;

/** What could make the transfers of a run faster (Sunway specification 9.1 to 9.3, 14), most lost cycles first. */
export function transferAdvice({ transfers }: Activity, timing: TimingTable): readonly TransferAdvice[] {
  const alone = transfersAlone(transfers);
  const byCall = new Map<string, TransferActivity[]>();
  for (const one of transfers) {
    const key = `${one.call} ${one.place ?? ''}`;
    const known = byCall.get(key);
    if (known) known.push(one);
    else byCall.set(key, [one]);
  }
  const found = [...byCall.values()].flatMap((all) => [
    ...partialBlocks(all, timing),
    ...alignment(all, timing),
    ...smallTransfers(all, timing),
    ...window(
      all.filter((one) => alone.has(one)),
      timing,
    ),
  ]);
  return found.sort((a, b) => b.lostCycles - a.lostCycles);
}

function advice(
  kind: AdviceKind,
  about: readonly TransferActivity[],
  lostCycles: number,
  finding: string,
  cure: string,
): readonly TransferAdvice[] {
  const [first] = about;
  if (first === undefined || Math.round(lostCycles) <= 0) return [];
  const { call, place } = first;
  const bytes = about.reduce((sum, one) => sum + one.bytes, 0);
  const cores = [...new Set(about.map(({ issuer }) => issuer))].sort((a, b) => a - b);
  const where = { call, ...(place !== undefined && { place }) };
  return [
    { kind, ...where, count: about.length, bytes, cores, lostCycles: Math.round(lostCycles), finding, cure },
  ];
}

const shapeOf = ({ memory, bytes, blockBytes: piece, gap }: TransferActivity) => ({
  memory,
  bytes,
  blockSize: piece,
  stride: gap,
});

/** Puts that overwrite blocks of 128 bytes in part: the controller reads, changes and writes them. */
function partialBlocks(
  all: readonly TransferActivity[],
  { mc, dma }: TimingTable,
): readonly TransferAdvice[] {
  const puts = all.filter(({ engine, action }) => engine === 'dma' && action === 'put');
  const shapes = puts.map((one) => putShape(shapeOf(one)));
  const about = puts.filter((_, index) => shapes[index]!.partialUnits > 0);
  let [units, lost] = [0, 0];
  for (const { partialUnits, fullBlocks } of shapes) {
    units += partialUnits;
    lost += partialUnits * mc.putPartialUnit;
    if (partialUnits > 0 && fullBlocks > 0) lost += mc.putMix;
    if (partialUnits >= 2) lost += dma.putPartialPenalty;
  }
  return advice(
    'partialBlocks',
    about,
    lost,
    `${about.length} puts overwrite memory blocks of 128 bytes in part (${units} units of ${mc.putPartialUnit} cycles at the controller)`,
    'start at multiples of 128 bytes and put whole blocks; at least begin and end at multiples of 8',
  );
}

/** Gets that touch more blocks than their bytes need. */
function alignment(all: readonly TransferActivity[], { mc }: TimingTable): readonly TransferAdvice[] {
  const gets = all.filter(({ engine, action }) => engine === 'dma' && action !== 'put');
  const extra = gets.map((one) => blocksTouched(shapeOf(one)) - neededBlocks(one));
  const about = gets.filter((_, index) => extra[index]! > 0);
  const blocks = extra.reduce((sum, one) => sum + one, 0);
  return advice(
    'alignment',
    about,
    blocks * mc.getBlockCost,
    `${about.length} gets touch ${blocks} blocks of 128 bytes more than their bytes need`,
    'start each piece at a multiple of 128 bytes: pad the rows, or get a little more on both sides',
  );
}

const neededBlocks = ({ bytes, blockBytes: piece, gap }: TransferActivity): number =>
  gap === 0 ? Math.ceil(bytes / blockBytes) : (bytes / piece) * Math.ceil(piece / blockBytes);

/** Several transfers of a core that are mostly latency: fewer of them could move the same bytes. */
function smallTransfers(all: readonly TransferActivity[], timing: TimingTable): readonly TransferAdvice[] {
  const small = [...perCore(all.filter(({ engine, bytes }) => bytes < smallBytes[engine])).values()].filter(
    (mine) => mine.length > 1,
  );
  const about = small.flat();
  if (about.length < fewTransfers) return [];
  const lost = small.reduce((sum, mine) => {
    const [{ engine }] = mine as [TransferActivity];
    const bytes = mine.reduce((total, one) => total + one.bytes, 0);
    const needed = Math.ceil(bytes / smallBytes[engine]);
    const latency = mine.reduce(
      (total, one) => total + (alonePerCycle(one, timing) - workOf(one, timing)),
      0,
    );
    return sum + latency * (1 - needed / mine.length);
  }, 0);
  const mean = Math.round(about.reduce((sum, { bytes }) => sum + bytes, 0) / about.length);
  return advice(
    'smallTransfers',
    about,
    lost,
    `${about.length} transfers of ${mean} bytes in the mean are mostly latency`,
    about[0]!.engine === 'dma'
      ? 'move more bytes with each: neighbouring pieces together, or many pieces with a stride'
      : 'collect what goes to the same CPE and send it with one put',
  );
}

/** Transfers that have their engine for themselves: nothing hides their latency. */
function window(alone: readonly TransferActivity[], timing: TimingTable): readonly TransferAdvice[] {
  if (alone.length < fewTransfers) return [];
  const lost = alone.reduce((sum, one) => sum + (alonePerCycle(one, timing) - workOf(one, timing)), 0);
  return advice(
    'window',
    alone,
    lost,
    `${alone.length} transfers go one at a time, each over before the next of its CPE is issued`,
    'issue the next before you wait for this one: two buffers, with a reply word each',
  );
}

/** Cycles from issue to reply of a transfer on an idle machine. */
function alonePerCycle(one: TransferActivity, timing: TimingTable): number {
  const { engine, action, bytes } = one;
  if (engine === 'rma')
    return (
      timing.rma.issueCost + timing.rma.localTail + transferTime(bytes, timing.rma.bytesPerCycle) / perCycle
    );
  const thousandth =
    action === 'put'
      ? unloadedPut(timing, putShape(shapeOf(one)))
      : unloadedGet(timing, blocksTouched(shapeOf(one)));
  return thousandth / perCycle;
}

/** Cycles in which it keeps its engine busy: what it costs when others hide the rest (Sunway specification 9.2, 9.3). */
function workOf(one: TransferActivity, { tbox, rma }: TimingTable): number {
  const { engine, action, bytes } = one;
  if (engine === 'rma') return Math.max(rma.issueCost, transferTime(bytes, rma.bytesPerCycle) / perCycle);
  const rate = action === 'put' ? tbox.putBytesPerCycle : tbox.getBytesPerCycle;
  return transferTime(blocksTouched(shapeOf(one)) * blockBytes, rate) / perCycle;
}

/** The transfers of cores that issue several, of which no other one of the same core and engine is under way at the same time. */
function transfersAlone(transfers: readonly TransferActivity[]): ReadonlySet<TransferActivity> {
  const alone = new Set<TransferActivity>();
  for (const engine of ['dma', 'rma'] as const)
    for (const mine of perCore(transfers.filter((one) => one.engine === engine)).values()) {
      const sorted = mine.sort((a, b) => a.issued - b.issued);
      let busyUntil = -1;
      const own = sorted.filter(({ issued, done = Number.POSITIVE_INFINITY }, index) => {
        const isAfter = issued >= busyUntil;
        busyUntil = Math.max(busyUntil, done);
        return isAfter && (sorted[index + 1]?.issued ?? Number.POSITIVE_INFINITY) >= done;
      });
      if (own.length >= fewAlone) for (const one of own) alone.add(one);
    }
  return alone;
}

function perCore(transfers: readonly TransferActivity[]): Map<CoreId, TransferActivity[]> {
  const byCore = new Map<CoreId, TransferActivity[]>();
  for (const one of transfers) {
    const known = byCore.get(one.issuer);
    if (known) known.push(one);
    else byCore.set(one.issuer, [one]);
  }
  return byCore;
}
