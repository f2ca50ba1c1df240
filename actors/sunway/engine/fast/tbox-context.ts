import type { Outbox } from '../../../../kernel/kit.ts';
import type { Descriptor } from '../../descriptor.ts';
import type {
  DescriptorTaken,
  DrainDone,
  EngineTurn,
  LdmRead,
  LdmWrite,
  MemoryClaim,
  MemoryRead,
  MemoryWrite,
  QueueFull,
  ReplyIncrement,
  RmaArrived,
  RmaData,
  RmaRead,
  RmaSender,
} from '../../messages.ts';
import type { Side } from '../queues.ts';
import type { Service } from './service.ts';

/** A transfer that an engine has begun. */
export interface Flight {
  readonly descriptor: Descriptor;
  readonly jitter: number;
  /** DMA: reply on an idle machine. RMA: end of the work of the engine. In thousandths. */
  readonly due: number;
  /** Bytes that wait for their time. */
  data: Uint8Array | null;
  /** Clusters whose copies are on their way. */
  arriving: number;
  /** Whether the word of the issuer was counted. */
  counted: boolean;
}

/** A get of another engine that this one sends the bytes for. */
export interface ForeignRead {
  readonly request: RmaRead;
  readonly jitter: number;
  readonly end: number;
}

/** The engine of one cluster. */
export interface TboxContext extends Service {
  flights: Map<number, Flight>;
  reads: Map<number, ForeignRead>;
  /** Last local end by place and side, so that without reordering transfers of a CPE end in their order. */
  lastEnd: Record<Side, number[]>;
}

/** What an engine says. */
export type TboxSends =
  | DescriptorTaken
  | QueueFull
  | DrainDone
  | EngineTurn
  | LdmRead
  | LdmWrite
  | MemoryClaim
  | MemoryRead
  | MemoryWrite
  | ReplyIncrement
  | RmaArrived
  | RmaData
  | RmaRead
  | RmaSender;

/** The way out of an engine. */
export type TboxOut = Outbox<TboxSends>;

/** Asks to go on with a transfer at a cycle, at once when that is now or past; true then. */
export function isDueNow(
  c: TboxContext,
  transfer: number,
  step: EngineTurn['step'],
  due: number,
  at: number,
  out: TboxOut,
): boolean {
  if (due <= at) return true;
  out.post({ to: c.spec.value.self, type: 'engine.turn', transfer, step, delay: due - at });
  return false;
}
