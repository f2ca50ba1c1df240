import { blocksTouched, putShape } from '../../../../actors/sunway/transfer/strided.ts';
import type { CoreId } from '../race/race-event.ts';
import type { Activity, TransferActivity } from './activity.ts';

/** Ways in which transfers waste time that their program could save. */
export type AdviceKind = 'partialBlocks' | 'alignment' | 'smallTransfers' | 'oneAtATime';

/** A piece of advice about the transfers that one call issues. */
export interface TransferAdvice {
  readonly kind: AdviceKind;
  readonly call: string;
  /** Transfers that it is about, and their bytes. */
  readonly count: number;
  readonly bytes: number;
  readonly cores: readonly CoreId[];
  /** Estimate of what they lose, in cycles of an engine or a controller. */
  readonly lostCycles: number;
  readonly sentence: string;
}

/** Cycles of a controller for one partial unit of a put, and for one block of a get (Sunway specification 9.1). */
const [unitCycles, getBlockCycles] = [27.5, 5.9];
/** Latencies of a get of one block, of a put, and of an RMA transfer beside its bytes (Sunway specification 9.1, 9.3). */
const latencies = { get: 441, put: 234, rma: 58 + 56 };
/** Below this a DMA transfer is mostly latency: it moves less than eight blocks. */
const smallDmaBytes = 1024;
/** Below this an RMA transfer is mostly latency: its bytes take less time than its issue and its reply. */
const smallRmaBytes = 1024;
/** Fewer transfers of a kind are not worth a word. */
const fewTransfers = 8;

/** What could make the transfers of a run faster (Sunway specification 9.2, 9.3, 14), most lost cycles first. */
export function transferAdvice({ transfers }: Activity): readonly TransferAdvice[] {
  const byCall = new Map<string, TransferActivity[]>();
  for (const one of transfers) byCall.set(one.call, [...(byCall.get(one.call) ?? []), one]);
  const found = [...byCall].flatMap(([call, all]) => [
    ...partialBlocks(call, all),
    ...alignment(call, all),
    ...smallTransfers(call, all),
    ...oneAtATime(call, all),
  ]);
  return found.sort((a, b) => b.lostCycles - a.lostCycles);
}

function advice(
  kind: AdviceKind,
  call: string,
  about: readonly TransferActivity[],
  lostCycles: number,
  sentence: string,
): readonly TransferAdvice[] {
  if (about.length === 0) return [];
  const bytes = about.reduce((sum, one) => sum + one.bytes, 0);
  const cores = [...new Set(about.map(({ issuer }) => issuer))].sort((a, b) => a - b);
  return [{ kind, call, count: about.length, bytes, cores, lostCycles: Math.round(lostCycles), sentence }];
}

const shapeOf = ({ memory, bytes, blockBytes, gap }: TransferActivity) => ({
  memory,
  bytes,
  blockSize: blockBytes,
  stride: gap,
});

/** Puts that overwrite blocks of 128 bytes in part: the controller reads, changes and writes them. */
function partialBlocks(call: string, all: readonly TransferActivity[]): readonly TransferAdvice[] {
  const puts = all.filter(({ engine, action }) => engine === 'dma' && action === 'put');
  const units = puts.map((one) => putShape(shapeOf(one)).partialUnits);
  const about = puts.filter((_, index) => units[index]! > 0);
  const count = units.reduce((sum, one) => sum + one, 0);
  return advice(
    'partialBlocks',
    call,
    about,
    count * unitCycles,
    `${about.length} puts overwrite memory blocks of 128 bytes in part (${count} units of ${unitCycles} cycles): start at multiples of 128 bytes and put whole blocks`,
  );
}

/** Gets that touch more blocks than their bytes need. */
function alignment(call: string, all: readonly TransferActivity[]): readonly TransferAdvice[] {
  const gets = all.filter(({ engine, action }) => engine === 'dma' && action !== 'put');
  const extra = gets.map((one) => blocksTouched(shapeOf(one)) - neededBlocks(one));
  const about = gets.filter((_, index) => extra[index]! > 0);
  const blocks = extra.reduce((sum, one) => sum + one, 0);
  return advice(
    'alignment',
    call,
    about,
    blocks * getBlockCycles,
    `${about.length} gets touch ${blocks} blocks of 128 bytes more than they need: start their pieces at multiples of 128 bytes`,
  );
}

const neededBlocks = ({ bytes, blockBytes, gap }: TransferActivity): number =>
  gap === 0 ? Math.ceil(bytes / 128) : (bytes / blockBytes) * Math.ceil(blockBytes / 128);

/** Many transfers that are mostly latency. */
function smallTransfers(call: string, all: readonly TransferActivity[]): readonly TransferAdvice[] {
  const about = all.filter(({ engine, bytes }) => bytes < (engine === 'dma' ? smallDmaBytes : smallRmaBytes));
  if (about.length < fewTransfers) return [];
  const mean = Math.round(about.reduce((sum, { bytes }) => sum + bytes, 0) / about.length);
  const lost = about.reduce((sum, one) => sum + latencyOf(one), 0);
  return advice(
    'smallTransfers',
    call,
    about,
    lost,
    `${about.length} transfers of ${mean} bytes in the mean are mostly latency: move more bytes with each, or many pieces with a stride`,
  );
}

const latencyOf = ({ engine, action }: TransferActivity): number =>
  engine === 'rma' ? latencies.rma : action === 'put' ? latencies.put : latencies.get;

/** Transfers of a core of which no two are under way at once. */
function oneAtATime(call: string, all: readonly TransferActivity[]): readonly TransferAdvice[] {
  const byCore = new Map<CoreId, TransferActivity[]>();
  for (const one of all) byCore.set(one.issuer, [...(byCore.get(one.issuer) ?? []), one]);
  const about = [...byCore.values()].filter((mine) => mine.length >= fewTransfers && !overlap(mine)).flat();
  const lost = about.reduce((sum, one) => sum + latencyOf(one), 0);
  return advice(
    'oneAtATime',
    call,
    about,
    lost,
    `${about.length} transfers are issued one after the other, each waited for first: issue the next before waiting (two buffers)`,
  );
}

function overlap(transfers: readonly TransferActivity[]): boolean {
  const sorted = [...transfers].sort((a, b) => a.issued - b.issued);
  return sorted.some(({ done }, index) => {
    const next = sorted[index + 1];
    return next !== undefined && (done === undefined || next.issued < done);
  });
}
