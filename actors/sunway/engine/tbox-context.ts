import type { Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import type { Descriptor } from '../descriptor.ts';
import type { JitterInput } from '../jitter.ts';
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
} from '../messages.ts';
import type { TimingTable } from '../timing/timing-table.ts';
import type { Side } from './queues.ts';
import type { Service } from './service.ts';

/** A range of main memory, and who takes requests for it: the controller of the own core group, or the ring. */
export interface MemoryRoute {
  readonly first: number;
  readonly bytes: number;
  readonly to: Address;
}

/** The engine of one cluster, and whom it knows. */
export interface TboxInput extends JitterInput {
  readonly self: Address;
  /** The CPEs of the cluster, by place. */
  readonly tids: readonly number[];
  /** CPEs, LDMs and engines of the core group by tid; as many as CPEs are there. */
  readonly cpes: readonly Address[];
  readonly ldms: readonly Address[];
  readonly engines: readonly Address[];
  readonly routes: readonly MemoryRoute[];
  readonly timing: TimingTable;
  /** Whether transfers of one CPE that nothing orders may change places. */
  readonly reorder: boolean;
}

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

/** Counts the end of a transfer in a word of an LDM, in this cycle. */
export function count(
  c: Pick<Service, 'spec'>,
  tid: number,
  offset: number,
  transfer: number,
  role: 'local' | 'remote',
  out: Outbox<LdmRead | LdmWrite | ReplyIncrement>,
): void {
  if (offset === 0) return;
  out.post({ to: c.spec.value.ldms[tid]!, type: 'reply.increment', offset, transfer, role });
}

/** Writes bytes of a transfer into an LDM, in this cycle. */
export function writeLdm(
  c: Pick<Service, 'spec'>,
  tid: number,
  offset: number,
  data: Uint8Array,
  transfer: number,
  out: Outbox<LdmRead | LdmWrite | ReplyIncrement>,
): void {
  out.post({
    to: c.spec.value.ldms[tid]!,
    type: 'ldm.write',
    offset,
    data,
    tag: transfer,
    core: -1,
    flag: false,
    answerDelay: -1,
  });
}

/** Reads the source of a transfer from an LDM; the bytes are there in the next cycle. */
export function readLdm(
  c: Pick<Service, 'spec'>,
  tid: number,
  offset: number,
  bytes: number,
  transfer: number,
  out: Outbox<LdmRead | LdmWrite | ReplyIncrement>,
): void {
  out.post({
    to: c.spec.value.ldms[tid]!,
    type: 'ldm.read',
    offset,
    bytes,
    tag: transfer,
    core: -1,
    flag: false,
    answerDelay: 1,
  });
}
