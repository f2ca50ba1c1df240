import type { Envelope, Outbox } from '../../../kernel/kit.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import type { ByteMemory } from '../../common/byte-memory.ts';
import { coreOfTransfer } from '../descriptor.ts';
import type { Jittered } from '../jitter.ts';
import type {
  MemoryAccess,
  MemoryAnswer,
  MemoryClaim,
  MemoryGrant,
  MemoryRead,
  MemoryResponse,
  MemoryTurn,
  MemoryWrite,
} from '../messages.ts';
import type { MemoryVisible } from '../probes.ts';
import { perCycle, thousandths, wholeCycles } from '../timing/thousandths.ts';
import { blockOf, channelCount, placeOfBlock } from './banks.ts';
import type { MemoryCtrlInput } from './controller-input.ts';
import { type BlockRequest, type ChannelQueue, queueRequest } from './requests.ts';

/** An access of a core that waits for puts that came before it. */
export interface HeldAccess {
  readonly behind: readonly number[];
  readonly access: MemoryAccess;
}

/** A memory controller with its DRAM, at block granularity. */
export interface BankedMemoryContext extends Jittered {
  readonly spec: Fixed<MemoryCtrlInput>;
  /** Bytes by range. */
  readonly bytes: readonly ByteMemory[];
  /** Requests so far: the number of the next one. */
  count: number;
  /** Requests that are not carried out, by number. */
  requests: Map<number, BlockRequest>;
  /** By block: numbers of its requests, in the order of arrival. */
  arrived: Map<number, number[]>;
  /** Bytes of puts that came, by number. */
  data: Map<number, Uint8Array>;
  /** By core: puts that are not written. */
  putting: Map<number, number>;
  /** Puts without a slot of the write buffer, in the order of arrival. */
  claims: number[];
  /** Free slots; when others become free, in thousandths, ascending. */
  slots: number;
  freeing: number[];
  channels: ChannelQueue[];
  held: HeldAccess[];
  /** The next turn that was asked for; -1 for none. */
  turnAt: number;
}

export type BankedMemoryEvent = MemoryRead | MemoryClaim | MemoryWrite | MemoryAccess | MemoryTurn;
export type BankedMemorySends = MemoryGrant | MemoryResponse | MemoryAnswer | MemoryTurn;
export type BankedMemoryOut = Outbox<BankedMemorySends>;

/** The bytes that keep an address. */
export function memoryAt(
  c: BankedMemoryContext,
  address: number,
): { readonly bytes: ByteMemory; readonly base: number } {
  const k = c.spec.value.ranges.findIndex(({ first, bytes }) => address >= first && address < first + bytes);
  if (k < 0) throw new Error(`found address ${address}, expected one that this controller keeps`);
  return { bytes: c.bytes[k]!, base: c.spec.value.ranges[k]!.first };
}

/** Notes a request behind those for its block. */
function note(c: BankedMemoryContext, event: MemoryRead | MemoryClaim): BlockRequest {
  const { transfer, memory, len: bytes, block, requester } = event;
  if (block === null)
    throw new Error(`found a request for all blocks of transfer ${transfer}, expected one block`);
  const number = c.count++;
  const { offset, first, mixed } = block;
  const request: BlockRequest = {
    number,
    isPut: event.type === 'memory.claim',
    transfer,
    offset,
    memory,
    bytes,
    core: coreOfTransfer(transfer),
    requester,
    first,
    mixed,
    place: placeOfBlock(blockOf(memory)),
    jitter: c.jitter,
  };
  c.requests.set(number, request);
  if (request.isPut) c.putting.set(request.core, (c.putting.get(request.core) ?? 0) + 1);
  const arrived = c.arrived.get(blockOf(memory));
  if (arrived === undefined) c.arrived.set(blockOf(memory), [number]);
  else arrived.push(number);
  return request;
}

/** A block is asked for. */
export function takeRead(c: BankedMemoryContext, event: MemoryRead, { now }: Envelope): void {
  const { number, core, place } = note(c, event);
  queueRequest(c.channels[place.channel]!, core, number, now * perCycle);
}

/** A slot of the write buffer is asked for. */
export function takeClaim(c: BankedMemoryContext, event: MemoryClaim): void {
  c.claims.push(note(c, event).number);
}

/** The bytes of a block come for the slot that it has. */
export function takeWrite(
  c: BankedMemoryContext,
  { transfer, memory, data }: MemoryWrite,
  { now }: Envelope,
): void {
  // Pieces of a strided put may lie in one block, and come in another order than their claims.
  const number = c.arrived.get(blockOf(memory))?.find((one) => {
    const claim = c.requests.get(one)!;
    return claim.isPut && claim.transfer === transfer && claim.memory === memory && !c.data.has(one);
  });
  const request = number === undefined ? undefined : c.requests.get(number);
  if (request === undefined)
    throw new Error(`found bytes for put ${transfer}, which claims nothing at ${memory}`);
  c.data.set(request.number, data);
  queueRequest(c.channels[request.place.channel]!, request.core, request.number, now * perCycle);
}

/** Puts to some bytes that are not written yet. */
function putsAt(c: BankedMemoryContext, first: number, bytes: number): readonly number[] {
  const found: number[] = [];
  for (let block = blockOf(first); block <= blockOf(first + bytes - 1); block++)
    for (const number of c.arrived.get(block) ?? []) {
      const { isPut, memory, bytes: length } = c.requests.get(number)!;
      if (isPut && memory < first + bytes && first < memory + length) found.push(number);
    }
  return found;
}

/** A core reads or writes memory itself: behind the puts to the same bytes that came before. */
export function takeAccess(c: BankedMemoryContext, access: MemoryAccess, out: BankedMemoryOut): void {
  const behind = putsAt(c, access.memory, access.bytes);
  if (behind.length > 0) c.held.push({ behind, access });
  else carryOut(c, access, out);
}

/** Carries out the accesses whose puts are written. */
export function releaseHeld(c: BankedMemoryContext, out: BankedMemoryOut): void {
  const isFree = ({ behind }: HeldAccess): boolean => !behind.some((number) => c.requests.has(number));
  const free = c.held.filter(isFree);
  if (free.length === 0) return;
  c.held = c.held.filter((one) => !isFree(one));
  for (const { access } of free) carryOut(c, access, out);
}

/** Carries out an access of a core: a block of work for a channel, and the latency that the core asked for. */
function carryOut(c: BankedMemoryContext, access: MemoryAccess, out: BankedMemoryOut): void {
  const { kind, memory, data, value, requester, answerDelay, core } = access;
  const { bytes, base } = memoryAt(c, memory);
  const offset = memory - base;
  const stores = kind === 'store' || kind === 'writeBack';
  const before = stores ? data.slice(0, 0) : bytes.slice(offset, offset + access.bytes);
  if (stores) bytes.put(offset, data);
  if (kind === 'add') {
    const sum = new Uint8Array(4);
    new DataView(sum.buffer).setInt32(0, new DataView(before.buffer).getInt32(0, true) + value, true);
    bytes.put(offset, sum);
  }
  if (out.observed && (stores || kind === 'add'))
    out.probe<MemoryVisible>({
      type: 'memory.visible',
      memory,
      len: access.bytes,
      bsize: 0,
      stride: 0,
      transfer: -1,
      core,
    });
  const channel = c.channels[placeOfBlock(blockOf(memory)).channel]!;
  channel.freeAt =
    Math.max(channel.freeAt, out.now * perCycle) +
    channelCount * thousandths(c.spec.value.timing.mc.getBlockCost);
  const delay = Math.max(answerDelay, wholeCycles(channel.freeAt) - out.now, 1) + c.jitter;
  out.post({ to: requester, type: 'memory.answer', data: before, delay });
}
