import type { Outbox } from '../../../../../kernel/kit.ts';
import type { Fixed } from '../../../../../kernel/resource.ts';
import type { Descriptor } from '../../../descriptor.ts';
import type {
  DescriptorTaken,
  DrainDone,
  EngineTurn,
  LdmRead,
  LdmWrite,
  QueueFull,
  ReplyIncrement,
  RmaArrived,
  RmaRead,
  RmaSender,
} from '../../../messages.ts';
import { type Injector, type InjectorSpec, inject } from '../../../network/injector.ts';
import type { InjectorTurn, PacketContent, PacketEnter } from '../../../network/packet.ts';
import type { Service } from '../../fast/service.ts';
import type { BlockTurn } from '../block-turn.ts';
import type { FlitEngineInput } from '../flit-input.ts';

/** A DMA transfer that is cut into blocks (specification 8.4, Split and Collect). */
export interface BlockFlight {
  readonly descriptor: Descriptor;
  readonly jitter: number;
  /** How many blocks it has, and for puts whether some are full and some partial. */
  readonly blocks: number;
  readonly mixed: boolean;
  /** Puts: partial units (specification 9.1). */
  readonly units: number;
  /** Bytes for which requests were made. */
  cut: number;
  /** Gets: when the first block was there, in thousandths; blocks that came; bytes that wait for their time, by offset. */
  begun: number;
  arrived: number;
  held: Map<number, Uint8Array>;
  /** Puts: offsets of blocks that are being read. */
  reading: number[];
  /** Blocks that are through at the side of the LDM. */
  moved: number;
  /** Puts: blocks that are written. */
  written: number;
  /** Whether its own side is over; whether it was counted. */
  isOver: boolean;
  counted: boolean;
  /** Broadcasts: clusters whose copies are on their way. */
  arriving: number;
}

/** Bytes that are streamed out of an LDM. */
export interface Streaming {
  readonly tid: number;
  readonly offset: number;
  readonly len: number;
  /** When the first byte is read and when the last one was, in thousandths. */
  readonly start: number;
  readonly end: number;
  /** Bytes asked for, bytes that came, and the offsets between them, as packets. */
  asked: number;
  come: number;
  reading: number[];
}

/** An RMA transfer of a CPE of the cluster. */
export interface RmaFlight {
  readonly descriptor: Descriptor;
  /** What it reads; null for a get, which another engine reads. */
  readonly source: Streaming | null;
  /** Clusters whose copies are on their way. */
  arriving: number;
  counted: boolean;
}

/** A get of another engine that this one sends the bytes for. */
export interface ForeignStream {
  readonly request: RmaRead;
  readonly source: Streaming;
}

/** The engine of one cluster that sends packets. */
export interface FlitTboxContext extends Service {
  readonly spec: Fixed<FlitEngineInput>;
  injector: Injector;
  flights: Map<number, BlockFlight>;
  streams: Map<number, RmaFlight>;
  reads: Map<number, ForeignStream>;
  /** The transfer that is being cut, -1 for none; whether it waits for room in the window. */
  cutting: number;
  isStalled: boolean;
  /** Blocks outstanding. */
  outstanding: number;
  /** When the way of gets into LDMs and that of puts out of them are free, in thousandths. */
  collectAt: number;
  readAt: number;
  /** By place: DMA transfers that are not counted, in the order in which they began. */
  uncounted: number[][];
}

/** What an engine says. */
export type FlitTboxSends =
  | BlockTurn
  | DescriptorTaken
  | QueueFull
  | DrainDone
  | EngineTurn
  | InjectorTurn
  | LdmRead
  | LdmWrite
  | PacketEnter
  | ReplyIncrement
  | RmaArrived
  | RmaSender;

/** The way out of an engine. */
export type FlitTboxOut = Outbox<FlitTboxSends>;

/** Asks to go on with a transfer at a cycle, at once when that is now or past; true then. */
export function isTurnNow(
  c: FlitTboxContext,
  transfer: number,
  offset: number,
  step: BlockTurn['step'],
  due: number,
  at: number,
  out: FlitTboxOut,
): boolean {
  if (due <= at) return true;
  out.post({ to: c.spec.value.self, type: 'block.turn', transfer, offset, step, delay: due - at });
  return false;
}

/** What the engine's injector knows of the network. */
export const injectorSpec = ({ spec: { value } }: FlitTboxContext): InjectorSpec => ({
  self: value.self,
  node: value.cluster,
  entrance: value.entrance,
  flitsPerCycle: value.timing.flit.perCycle,
});

/** Sends a message into the network. */
export const send = (
  c: FlitTboxContext,
  content: PacketContent,
  targets: number,
  at: number,
  out: FlitTboxOut,
): void => inject(c.injector, injectorSpec(c), content, targets, at, out);
