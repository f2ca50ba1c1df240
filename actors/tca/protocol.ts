import { field } from '../../kernel/protocol/field.ts';
import {
  type EventsOf,
  type MessageOf,
  type MessagesOf,
  type OutboxOf,
  protocol,
  type RoleOf,
  type ShapesByType,
} from '../../kernel/protocol/protocol.ts';
import {
  accessed,
  asked,
  channel,
  completion,
  copied,
  count,
  credit,
  descriptor,
  flag,
  read,
  stops,
  stored,
  write,
} from './fields.ts';
import type { GasnetAnswer } from './gasnet/calls.ts';
import { gasnetRoles } from './gasnet/roles.ts';

/** What the parts of TCA nodes send each other (TCA specification 4, 15). */
export const tcaProtocol = protocol({
  ...gasnetRoles,
  Cpu: {
    receives: {
      'kernel.done': {},
      /** What was in the register when the chip looked. */
      'mmio.answer': { value: field.either(field.int(), field.text()) },
      'gasnet.return': {
        answer: field.data<GasnetAnswer>({ answer: 'done', status: 'OK', value: 0, data: new Uint8Array(0) }),
      },
      /** The job is over: the processor stops where it is. */
      'cpu.exit': { code: count },
      ...flag,
      ...stops,
      ...accessed,
      ...copied,
    },
    /** Its program begins or goes on. */
    timers: ['cpu.turn'],
    shows: {
      /** The processor has rung the doorbell of a channel. */
      'doorbell.rung': { channel },
      ...stored,
    },
  },
  Copier: {
    receives: {
      /** Bytes to be copied inside a node, or, with `value`, to be filled with it (TCA specification 12.2, 12.4). */
      'copy.job': { src: count, dst: count, bytes: count, value: field.optional(count) },
      ...accessed,
    },
    timers: ['copy.turn'],
  },
  GpuKernel: {
    receives: {
      /** A kernel; `ns`: how long it takes. */
      'kernel.launch': { ns: field.data(0) },
    },
    /** The kernel that runs has ended. */
    timers: ['kernel.turn'],
  },
  /** A channel of the DMA controller. */
  Dmac: {
    receives: {
      /** A chain, and its start (TCA specification 10). */
      'dmac.doorbell': { chain: field.list(descriptor) },
      /** A channel in error begins anew (TCA specification 7). */
      'dmac.reset': {},
      'tag.grant': { tag: count },
      /** A tag of the channel is free again. */
      'tag.free': {},
      /** A word of internal RAM has been read. */
      'dmac.internal': { tag: count, data: field.bytes() },
      /** The router has taken a write into a transmit queue. */
      'write.accepted': {},
      /** It is to tell when the router has taken all of its writes. */
      'writes.ask': {},
      ...completion,
    },
    timers: ['dmac.turn'],
    shows: {
      /** A doorbell that the chip did not hear, or that broke the chain that was running (TCA specification 8). */
      'doorbell.lost': {},
    },
  },
  TagPool: { receives: { 'tag.take': { channel }, 'tag.release': { channel, tag: count } } },
  Router: {
    receives: {
      /** A packet has left the transmit queue of a port. */
      'port.room': { port: count },
      ...read,
      ...write,
      ...completion,
    },
    /** It has something to grant. */
    timers: ['router.turn'],
  },
  PioWindow: { receives: { ...write, ...credit } },
  RegisterFile: {
    receives: {
      /** A channel has begun with a chain, or stopped. `error`: why it stopped in error; null while it has not. */
      'dmac.busy': { channel, busy: field.flag(), error: field.maybe(field.text()) },
      /** What a processor reads or writes in the chip by a store or load (TCA specification 4, 8). */
      'mmio.write': { register: field.oneOf('reset'), channel },
      'mmio.read': { register: field.oneOf('busy', 'error'), channel },
    },
  },
  HostSwitch: { receives: { ...read, ...write } },
  Memory: {
    named: /\.(Cpu|Gpu)Memory$/,
    receives: {
      /** A program, or a part of the runtime, looks at bytes of its node's memory, or writes some. */
      'memory.load': { addr: asked, bytes: asked },
      'memory.store': { addr: asked, data: field.bytes() },
      ...read,
      ...write,
    },
    shows: {
      /** Bytes have become visible. */
      'memory.visible': { addr: count, data: field.bytes(), source: write['tlp.write'].source },
    },
  },
  Link: {
    named: /\.Link\.\w+$/,
    receives: { ...read, ...write, ...completion, ...credit },
    /** The packet under way has left the link; the write that waits fits into the buffer of the GPU. */
    timers: ['link.turn', 'link.fits'],
  },
});

type Tca = typeof tcaProtocol;
/** What the parts of a role hear. */
export type TcaEvents<R extends RoleOf<Tca>> = EventsOf<Tca, R>;
/** A message by its type. */
export type TcaMessage<T extends MessagesOf<Tca>['type']> = MessageOf<Tca, T>;
/** What the parts of a role may put out. */
export type TcaOutbox<R extends RoleOf<Tca>> = OutboxOf<Tca, R>;
/** Messages and probes by type: what properties read. */
export type TcaMessages = ShapesByType<Tca>;

/** What goes over links. */
export type Packet = TcaMessage<'tlp.read' | 'tlp.write' | 'tlp.completion'>;
export type MemoryWrite = TcaMessage<'tlp.write'>;
/** One channel of a transfer, and the descriptors of its data. */
export type ChannelPart = TcaMessage<'cache.keep'>['parts'][number];
