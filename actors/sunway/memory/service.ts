import type { Outbox } from '../../../kernel/kit.ts';
import type { MemoryTurn } from '../messages.ts';
import { perCycle, thousandths, wholeCycles } from '../timing/thousandths.ts';
import type { TimingTable } from '../timing/timing-table.ts';
import { blockUnits } from '../transfer/strided.ts';
import { memoryAt, showVisible } from './access.ts';
import type { BankedMemoryContext, BankedMemoryOut } from './arrival.ts';
import { blockOf, channelCount } from './banks.ts';
import { type BlockRequest, type ChannelQueue, takeRequest } from './requests.ts';

/** CPEs that the crowd of puts of a controller is counted against. */
const crowdCpes = 64;

/**
 * How long a request occupies its channel, in thousandths.
 *
 * Details: the costs of the controller (specification 9.2) are those of all channels together, so that one channel takes as many times as
 * long. `cores` are those with puts that are not written (9.1, N).
 */
function channelTime({ mc }: TimingTable, request: BlockRequest, cores: number): number {
  const { isPut, first, mixed, memory, bytes } = request;
  if (!isPut)
    return channelCount * (thousandths(mc.getBlockCost) + (first ? thousandths(mc.getDescCost) : 0));
  const units = blockUnits(memory, bytes);
  const block =
    units === 0
      ? thousandths(mc.putFullBlock) +
        Math.round((thousandths(mc.putCrowd) * cores * cores) / (crowdCpes * crowdCpes))
      : thousandths(mc.putPartialUnit) * units;
  return channelCount * (block + (first && mixed ? thousandths(mc.putMix) : 0));
}

/** Notes which slots of the write buffer are free by now. */
export function freeSlots(c: BankedMemoryContext, now: number): void {
  while (c.freeing.length > 0 && c.freeing[0]! <= now * perCycle) {
    c.freeing.shift();
    c.slots++;
  }
}

/** Whether a claim can have a slot. */
export const canGrant = (c: BankedMemoryContext): boolean => c.slots > 0 && c.claims.length > 0;

/** Gives a slot to the first claim. */
export function grantNext(c: BankedMemoryContext): BlockRequest {
  c.slots--;
  return c.requests.get(c.claims.shift()!)!;
}

/** Cycles from a slot to its grant, without jitter. */
export const grantCycles = ({ flit }: TimingTable): number => Math.max(1, Math.round(flit.grant));

/** The first request of a core that no earlier one to its block holds back: its place in the queue, and when the channel can carry it out. */
function firstOf(
  c: BankedMemoryContext,
  channel: ChannelQueue,
  core: number,
): { readonly index: number; readonly ready: number } | undefined {
  for (const [index, { number, since }] of channel.waiting.get(core)!.entries()) {
    const { memory, place } = c.requests.get(number)!;
    if (c.arrived.get(blockOf(memory))![0] === number)
      return { index, ready: Math.max(since, channel.freeAt, channel.banks[place.bank]!.freeAt) };
  }
  return undefined;
}

/** What a channel carries out next, and when it can, in thousandths; Infinity when it has nothing. */
export interface Next {
  readonly channel: ChannelQueue;
  readonly core: number;
  readonly index: number;
  readonly start: number;
}

/** What a channel carries out next. */
export function nextOf(c: BankedMemoryContext, channel: ChannelQueue): Next {
  let next: Next = { channel, core: -1, index: -1, start: Number.POSITIVE_INFINITY };
  for (const core of channel.turns) {
    const first = firstOf(c, channel, core);
    if (first === undefined || first.ready >= next.start) continue;
    next = { channel, core, index: first.index, start: first.ready };
    // Cores in turns: the first one whose bank is free when the channel is.
    if (next.start <= channel.freeAt) break;
  }
  return next;
}

/** What is carried out next by now, one channel after the other. A block lies in one channel: what one has carried out lets nothing of the other go on. */
export function nextService(c: BankedMemoryContext, now: number): Next | undefined {
  for (const channel of c.channels) {
    const next = nextOf(c, channel);
    if (next.start <= now * perCycle) return next;
  }
  return undefined;
}

/** What a request came to: the bytes of a get, null for a put; when it is through, in thousandths. */
export interface Served {
  readonly request: BlockRequest;
  readonly data: Uint8Array | null;
  readonly through: number;
}

/** Cycles to the answer, without jitter. */
export const answerCycles = (through: number, now: number): number => Math.max(1, wholeCycles(through) - now);

/** Carries out a request: its channel and its bank are busy, a row may have to be opened. */
export function serveNext(
  c: BankedMemoryContext,
  { channel, core: turn, index, start }: Next,
  out: BankedMemoryOut,
): Served {
  const { timing } = c.spec.value;
  const request = c.requests.get(channel.waiting.get(turn)![index]!.number)!;
  takeRequest(channel, turn, index);
  const { number, isPut, memory, bytes, place, transfer, core } = request;
  const bank = channel.banks[place.bank]!;
  const isHit = bank.row === place.row;
  const cost = channelTime(timing, request, c.putting.size);
  channel.freeAt = start + cost;
  bank.freeAt = start + Math.max(cost, isHit ? 0 : thousandths(timing.flit.rowCycle));
  bank.row = place.row;
  const there = memoryAt(c, memory);
  let data: Uint8Array | null = null;
  let finish = start + cost;
  if (isPut) {
    there.bytes.put(memory - there.base, c.data.get(number)!);
    c.data.delete(number);
    insertAscending(c.freeing, finish);
    if (out.observed) showVisible({ memory, bytes, blockSize: 0, stride: 0 }, transfer, core, out);
  } else {
    data = there.bytes.slice(memory - there.base, memory - there.base + bytes);
    finish = start + thousandths(timing.flit.access + (isHit ? timing.flit.rowHit : timing.flit.rowMiss));
  }
  forget(c, request);
  return { request, data, through: finish };
}

function insertAscending(times: number[], time: number): void {
  let k = times.length;
  while (k > 0 && times[k - 1]! > time) k--;
  times.splice(k, 0, time);
}

function forget(c: BankedMemoryContext, { number, memory, isPut, core }: BlockRequest): void {
  c.requests.delete(number);
  const left = isPut ? c.putting.get(core)! - 1 : -1;
  if (left > 0) c.putting.set(core, left);
  else if (left === 0) c.putting.delete(core);
  const block = blockOf(memory);
  const arrived = c.arrived.get(block)!;
  arrived.splice(arrived.indexOf(number), 1);
  if (arrived.length === 0) c.arrived.delete(block);
}

/** When more can be done, in thousandths; Infinity for never. */
export function nextTime(c: BankedMemoryContext): number {
  const next = Math.min(...c.channels.map((channel) => nextOf(c, channel).start));
  return c.claims.length > 0 && c.freeing.length > 0 ? Math.min(next, c.freeing[0]!) : next;
}

/** Asks for a turn at a time, in thousandths; Infinity for none. */
export function askForTurn(c: BankedMemoryContext, next: number, out: Outbox<MemoryTurn>): void {
  if (next === Number.POSITIVE_INFINITY) return;
  const due = Math.max(out.now + 1, wholeCycles(next));
  if (c.turnAt > out.now && c.turnAt <= due) return;
  c.turnAt = due;
  out.post({ to: c.spec.value.self, type: 'memory.turn', delay: due - out.now });
}
