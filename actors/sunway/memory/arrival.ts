import type { Envelope, Outbox } from '../../../kernel/kit.ts';
import type { LockstepEvent } from '../../../kernel/message.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import { ByteMemory } from '../../common/byte-memory.ts';
import { coreOfTransfer } from '../descriptor.ts';
import type { Jittered } from '../jitter.ts';
import type { MemoryAccess, MemoryClaim, MemoryRead, MemoryTurn, MemoryWrite } from '../messages.ts';
import type { MemoryVisible } from '../probes.ts';
import { perCycle, thousandths, wholeCycles } from '../timing/thousandths.ts';
import { changeBytes } from './access.ts';
import { bankCount, blockOf, channelCount, placeOfBlock } from './banks.ts';
import type { MemoryCtrlInput } from './controller-input.ts';
import { type BlockRequest, type ChannelQueue, queueRequest } from './requests.ts';

/** An access of a core that waits for puts that came before it. */
export interface HeldAccess {
  readonly behind: readonly number[];
  readonly access: MemoryAccess;
}

/** A memory controller of which nothing is asked. */
export const idleBanks = ({ ranges, timing }: MemoryCtrlInput): Omit<BankedMemoryContext, 'spec'> => ({
  jitter: 0,
  bytes: ranges.map(({ bytes }) => new ByteMemory(bytes)),
  count: 0,
  requests: new Map(),
  arrived: new Map(),
  data: new Map(),
  putting: new Map(),
  claims: [],
  slots: timing.mc.writeBuffer,
  freeing: [],
  channels: Array.from({ length: channelCount }, () => ({
    freeAt: 0,
    turns: [],
    waiting: new Map(),
    banks: Array.from({ length: bankCount }, () => ({ freeAt: 0, row: -1 })),
  })),
  held: [],
  turnAt: -1,
});

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
/** The way out for what is shown. */
export type BankedMemoryOut = Pick<Outbox<LockstepEvent, MemoryVisible>, 'now' | 'observed' | 'probe'>;

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
export function takeRead(
  c: BankedMemoryContext,
  event: MemoryRead,
  { now }: Pick<Envelope, 'now'>,
): BlockRequest {
  const request = note(c, event);
  const { number, core, place } = request;
  queueRequest(c.channels[place.channel]!, core, number, now * perCycle);
  return request;
}

/** A slot of the write buffer is asked for. */
export function takeClaim(c: BankedMemoryContext, event: MemoryClaim): BlockRequest {
  const request = note(c, event);
  c.claims.push(request.number);
  return request;
}

/** The bytes of a block come for the slot that it has. */
export function takeWrite(
  c: BankedMemoryContext,
  { transfer, memory, data }: MemoryWrite,
  { now }: Pick<Envelope, 'now'>,
): BlockRequest {
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
  return request;
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

/** The puts that an access of a core is carried out behind: those to the same bytes that came before. */
export const putsBefore = (c: BankedMemoryContext, { memory, bytes }: MemoryAccess): readonly number[] =>
  putsAt(c, memory, bytes);

/** Whether the puts before a held access are written. */
export const isFree = (c: BankedMemoryContext, { behind }: HeldAccess): boolean =>
  !behind.some((number) => c.requests.has(number));

/** Carries out an access of a core: what it read, and the cycles to the answer: a block of work for a channel, and the latency that the core asked for. */
export function carryOutAccess(
  c: BankedMemoryContext,
  access: MemoryAccess,
  out: BankedMemoryOut,
): { readonly before: Uint8Array; readonly cycles: number } {
  const { memory, answerDelay } = access;
  const before = changeBytes(c, access, out);
  const channel = c.channels[placeOfBlock(blockOf(memory)).channel]!;
  channel.freeAt =
    Math.max(channel.freeAt, out.now * perCycle) +
    channelCount * thousandths(c.spec.value.timing.mc.getBlockCost);
  return { before, cycles: Math.max(answerDelay, wholeCycles(channel.freeAt) - out.now, 1) + c.jitter };
}
