import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { mixSeed } from '../../kernel/mix-seed.ts';
import { waitsFor } from '../../kernel/outcome.ts';
import { senderStates } from '../common/credits.ts';
import { placeOf } from './address-map.ts';
import { affords, type CreditsLeft, type PortCredits, refund, spend } from './credits.ts';
import { inSubTicks } from './parameters.ts';
import { packetTo } from './passed-on.ts';
import type { Packet, TcaOutbox } from './protocol.ts';
import { tcaProtocol } from './protocol.ts';

/** One direction of a link. */
export interface LinkInput {
  readonly far: Address;
  /** Port of the far chip; -1 when the far end is a host. */
  readonly farPort: number;
  /** Room of the port at the far end. */
  readonly credits: PortCredits;
  /** The router whose transmit queue this is, and the port; none for what a host sends. */
  readonly queueOf?: { readonly router: Address; readonly port: number };
  /** Sub-ticks from the end of a packet to its arrival: of writes, and of the others. */
  readonly writeLatency: number;
  readonly otherLatency: number;
  /** Wire bytes of a packet beside its payload. */
  readonly overhead: { readonly read: number; readonly completion: number; readonly write: number };
  /** Bit errors, for tests: how likely one is, and what decides; a packet with one is sent again (TCA specification 4). */
  readonly errors?: { readonly rate: number; readonly seed: number };
  /** The write buffer of the GPU behind the link, and how fast the GPU empties it: `numerator / denominator` bytes a sub-tick. */
  readonly ingress?: { readonly bytes: number; readonly numerator: number; readonly denominator: number };
}

/** A link: what waits for it, and the write buffer of the GPU behind it. */
export interface LinkContext {
  readonly spec: LinkInput;
  queue: Packet[];
  /** Read requests, which have credits of their own and so never wait for room for a write (TCA specification 4). */
  reads: Packet[];
  /** Whether a read is next when a write could be sent as well. */
  readsNext: boolean;
  /** Credits of the port at the far end that are left (TCA specification 4). */
  credits: CreditsLeft;
  /** Content of the write buffer in parts of `1 / denominator` bytes, as of a sub-tick. */
  level: number;
  asOf: number;
  /** Sub-tick in which the head fits into the write buffer. */
  fitsAt: number;
  /** Sub-tick in which it will be told so; -1 when nobody will tell. */
  wakesAt: number;
  /** Packets and wire bytes so far. */
  packets: number;
  bytes: number;
}

const role = tcaProtocol.roles.Link;
const { update, when, act } = role.component<LinkContext>();

const payload = (packet: Packet): number => (packet.type === 'tlp.read' ? 0 : packet.data.length);

function wireBytes({ overhead }: LinkInput, packet: Packet): number {
  const kind =
    packet.type === 'tlp.read' ? 'read' : packet.type === 'tlp.completion' ? 'completion' : 'write';
  return payload(packet) + overhead[kind];
}

const goesToGpu = (packet: Packet): boolean =>
  packet.type === 'tlp.write' && placeOf(packet.addr).region === 'gpu';

/** Lets the GPU empty its write buffer up to a sub-tick. */
function drain(c: LinkContext, now: number): void {
  const { numerator } = c.spec.ingress!;
  c.level = Math.max(0, c.level - numerator * (now - c.asOf));
  c.asOf = now;
}

const canSendFromQueue = ({ queue, fitsAt, credits }: LinkContext, now: number): boolean =>
  queue.length > 0 && fitsAt <= now && affords(credits, queue[0]!);

const canRead = ({ reads, credits }: LinkContext): boolean => reads.length > 0 && affords(credits, reads[0]!);

/** When the head of the queue fits into the write buffer of the GPU; it blocks all writes behind it, flags among them (TCA specification 5). */
function lookAtHead(c: LinkContext, now: number): void {
  const [head] = c.queue;
  const { ingress } = c.spec;
  c.fitsAt = now;
  if (head === undefined || ingress === undefined || !goesToGpu(head)) return;
  drain(c, now);
  const excess = c.level + payload(head) * ingress.denominator - ingress.bytes * ingress.denominator;
  if (excess > 0) c.fitsAt = now + Math.ceil(excess / ingress.numerator);
}

/** Sub-ticks until a packet with a bit error is sent again. */
const replay = inSubTicks(250);

/** Sub-ticks that a packet takes on the wire: once more after each time that it was damaged. */
function wireTime({ spec, packets }: LinkContext, wire: number): number {
  const { errors } = spec;
  if (errors === undefined) return wire;
  const spoiled = 1 - (1 - errors.rate) ** (8 * wire);
  let time = wire;
  for (let attempt = 0; attempt < replaysMax; attempt++) {
    if (mixSeed(replaysMax * packets + attempt, errors.seed) >= spoiled * 2 ** 32) break;
    time += replay + wire;
  }
  return time;
}

/** Times that one packet is sent again at most. */
const replaysMax = 16;

/** Sends the packet that is next: the router grants a link in turns to those who read and those who write (TCA specification 6). */
function send(c: LinkContext, out: TcaOutbox<'Link'>): void {
  const { far, farPort, queueOf, writeLatency, otherLatency, ingress } = c.spec;
  const reads = canRead(c) && (c.readsNext || !canSendFromQueue(c, out.now));
  const packet = (reads ? c.reads : c.queue).shift()!;
  c.readsNext = !reads;
  const wire = wireBytes(c.spec, packet);
  if (ingress && goesToGpu(packet)) c.level += payload(packet) * ingress.denominator;
  const time = wireTime(c, wire);
  c.packets++;
  c.bytes += wire;
  const delay = time + (packet.type === 'tlp.write' ? writeLatency : otherLatency);
  spend(c.credits, packet);
  out.post(packetTo(packet, far, delay, farPort));
  if (packet.type === 'tlp.write') {
    if (queueOf) out.post({ to: queueOf.router, type: 'port.room', port: queueOf.port });
  }
  out.post({ to: out.self, type: 'link.turn', delay: time });
}

/** One direction of a link (TCA specification 4): packets in order, each serialised completely before it is handed on. */
export const link = setup({
  types: role.types<LinkContext, LinkInput>(),
  guards: {
    isEmpty: when((c) => c.queue.length === 0 && c.reads.length === 0),
    lacksCredit: when((c, _event, { now }) => !canRead(c) && !canSendFromQueue(c, now)),
  },
  actions: {
    queue: update<Packet['type']>((c, packet) => {
      (packet.type === 'tlp.read' ? c.reads : c.queue).push(packet);
    }),
    lookAtHead: update((c, _event, { now }) => lookAtHead(c, now)),
    send: act((c, _event, out) => send(c, out)),
    takeCredits: update<'fc.update'>((c, event) => {
      refund(c.credits, event);
    }),
    waitUntilItFits: act((c, _event, out) => {
      if (c.fitsAt <= out.now || c.wakesAt === c.fitsAt) return;
      c.wakesAt = c.fitsAt;
      out.post({ to: out.self, type: 'link.fits', delay: c.fitsAt - out.now });
    }),
  },
}).createMachine({
  id: 'link',
  context: ({ input }) => ({
    spec: input,
    queue: [],
    reads: [],
    readsNext: true,
    credits: { ...input.credits },
    level: 0,
    asOf: 0,
    fitsAt: 0,
    wakesAt: -1,
    packets: 0,
    bytes: 0,
  }),
  on: {
    'tlp.read': { actions: 'queue' },
    'tlp.completion': { actions: 'queue' },
    'tlp.write': { actions: 'queue' },
    'fc.update': { actions: 'takeCredits' },
    // A read may have ended the wait before.
    'link.fits': {},
  },
  initial: 'idle',
  states: {
    idle: {
      on: {
        'tlp.read': { target: 'choosing', actions: 'queue' },
        'tlp.completion': { target: 'choosing', actions: 'queue' },
        'tlp.write': { target: 'choosing', actions: 'queue' },
      },
    },
    busy: { on: { 'link.turn': 'choosing' } },
    // Its head waits for room in the buffer of the GPU or for credits; no read can go either.
    ...senderStates(
      { look: ['lookAtHead'], send: ['send'], wait: ['waitUntilItFits'] },
      {
        sent: 'busy',
        noCredit: {
          meta: waitsFor<LinkContext>('credits of the port at its far end', ({ spec }) => spec.far),
          on: {
            'fc.update': { target: 'choosing', actions: 'takeCredits' },
            'link.fits': 'choosing',
            'tlp.read': { target: 'choosing', actions: 'queue' },
          },
        },
      },
    ),
  },
});
