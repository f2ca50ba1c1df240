import type { MemoryVisible } from '../probes.ts';
import { perCycle, thousandths, wholeCycles } from '../timing/thousandths.ts';
import type { TimingTable } from '../timing/timing-table.ts';
import { blockUnits } from '../transfer/strided.ts';
import { type BankedMemoryContext, type BankedMemoryOut, memoryAt, releaseHeld } from './arrival.ts';
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

/** Gives free slots of the write buffer to claims, in their order. */
function grant(c: BankedMemoryContext, out: BankedMemoryOut): void {
  const { flit } = c.spec.value.timing;
  while (c.freeing.length > 0 && c.freeing[0]! <= out.now * perCycle) {
    c.freeing.shift();
    c.slots++;
  }
  while (c.slots > 0 && c.claims.length > 0) {
    const { transfer, offset, requester, jitter } = c.requests.get(c.claims.shift()!)!;
    c.slots--;
    const delay = Math.max(1, Math.round(flit.grant)) + jitter;
    const granted = (out.now + delay) * perCycle;
    out.post({ to: requester, type: 'memory.grant', transfer, offset, granted, delay });
  }
}

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

/** Carries out what a channel can by now; gives the time of the next thing that it can, in thousandths. */
function serve(c: BankedMemoryContext, channel: ChannelQueue, out: BankedMemoryOut): number {
  for (;;) {
    let next = Number.POSITIVE_INFINITY;
    let chosen = { core: -1, index: -1 };
    for (const core of channel.turns) {
      const first = firstOf(c, channel, core);
      if (first === undefined || first.ready >= next) continue;
      next = first.ready;
      chosen = { core, index: first.index };
      // Cores in turns: the first one whose bank is free when the channel is.
      if (next <= channel.freeAt) break;
    }
    if (next > out.now * perCycle) return next;
    const { number } = channel.waiting.get(chosen.core)![chosen.index]!;
    takeRequest(channel, chosen.core, chosen.index);
    carryOut(c, channel, c.requests.get(number)!, next, out);
  }
}

/** Carries out a request: its channel and its bank are busy, a row may have to be opened. */
function carryOut(
  c: BankedMemoryContext,
  channel: ChannelQueue,
  request: BlockRequest,
  start: number,
  out: BankedMemoryOut,
): void {
  const { timing } = c.spec.value;
  const { number, isPut, memory, bytes, place, transfer, core, requester, offset, jitter } = request;
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
    if (out.observed)
      out.probe<MemoryVisible>({
        type: 'memory.visible',
        memory,
        len: bytes,
        bsize: 0,
        stride: 0,
        transfer,
        core,
      });
  } else {
    data = there.bytes.slice(memory - there.base, memory - there.base + bytes);
    finish = start + thousandths(timing.flit.access + (isHit ? timing.flit.rowHit : timing.flit.rowMiss));
  }
  forget(c, request);
  const delay = Math.max(1, wholeCycles(finish) - out.now) + jitter;
  out.post({
    to: requester,
    type: 'memory.response',
    transfer,
    offset,
    data,
    through: finish,
    delay,
  });
  if (isPut) releaseHeld(c, out);
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

/** Does what can be done by now, and asks for a turn when more can be. */
export function goOn(c: BankedMemoryContext, out: BankedMemoryOut): void {
  grant(c, out);
  let next = Number.POSITIVE_INFINITY;
  // A block lies in one channel: what one has carried out lets nothing of the other go on.
  for (const channel of c.channels) next = Math.min(next, serve(c, channel, out));
  if (c.claims.length > 0 && c.freeing.length > 0) next = Math.min(next, c.freeing[0]!);
  if (next === Number.POSITIVE_INFINITY) return;
  const due = Math.max(out.now + 1, wholeCycles(next));
  if (c.turnAt > out.now && c.turnAt <= due) return;
  c.turnAt = due;
  out.post({ to: c.spec.value.self, type: 'memory.turn', delay: due - out.now });
}
