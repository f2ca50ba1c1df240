import { heardKey } from './barrier.ts';
import type { Delivery } from './calls.ts';
import { getRequest } from './get-request.ts';
import { headerOf, type Job } from './job.ts';
import { replies } from './layout.ts';
import { isLibraryHandler } from './library-handlers.ts';
import type { PacketKind } from './packet.ts';
import { movement } from './reach.ts';
import { fail, type LocalWork, type Parcel, type RuntimeContext } from './runtime-context.ts';

/** What a packet needs: nothing more, a copy, a handler, or an answer with data or with a value. */
export type Need = 'nothing' | 'copy' | 'handler' | 'data' | 'value';

/** What is to be done about a packet. */
export function needOf({ header }: Parcel): Need {
  switch (header.kind) {
    case 'put':
    case 'value':
    case 'barrier':
    case 'attach':
      return 'nothing';
    case 'fragment':
    case 'gotten':
      return header.bytes > 0 ? 'copy' : 'nothing';
    case 'memset':
      return 'copy';
    case 'get':
      return getRequest(header.args).value ? 'value' : 'data';
    case 'medium':
      return header.last ? 'handler' : 'nothing';
    case 'short':
    case 'long':
      return 'handler';
    default:
      return header.kind satisfies never;
  }
}

/** Packets that announce data which came over channels; they tell over how many. */
export const isCounted = (kind: PacketKind): boolean => kind === 'put' || kind === 'gotten';

/** What a packet does to the memory of this node. */
export function workOf({ header, slot }: Parcel): LocalWork {
  const { kind, address, bytes, offset, total, args } = header;
  return kind === 'memset'
    ? { work: 'fill', dst: address, bytes: total, value: args[0]! }
    : { work: 'copy', src: slot + offset, dst: address, bytes };
}

const partialKey = ({ peer, ring }: Parcel): string => `${peer} ${ring}`;

/** Notes what a packet tells; its bytes are in place. */
export function note(c: RuntimeContext, parcel: Parcel): void {
  const { peer, header, payload } = parcel;
  const { kind, args, token, last } = header;
  switch (kind) {
    case 'put':
    case 'fragment':
      if (!last) return;
      c.arrivals++;
      c.putsFrom[peer]!++;
      return;
    case 'gotten':
    case 'value':
      if (last) endGet(c, token, payload);
      return;
    case 'barrier':
      c.barrier.heard[heardKey(args[0]!, args[1]!)] = { id: args[2]!, flags: args[3]! };
      return;
    case 'attach':
      c.segments[peer] = { cpu: args[0]!, gpu: args[1]! };
      return;
    case 'medium':
      if (!last) c.partial[partialKey(parcel)] = parcel;
      return;
    default:
  }
}

function endGet(c: RuntimeContext, token: number, payload: Uint8Array): void {
  const group = c.groups[c.gets[token]!];
  delete c.gets[token];
  if (!group) return;
  group.gets--;
  if (payload.length > 0) group.data = payload;
}

/** The message of a packet whose handler is to run. */
export function deliveryOf(c: RuntimeContext, parcel: Parcel): Delivery {
  const key = partialKey(parcel);
  const first = c.partial[key];
  delete c.partial[key];
  const { header, payload } = parcel;
  const { kind, handler, args, source, reply, address, total } = first?.header ?? header;
  return {
    kind: kind as Delivery['kind'],
    handler,
    args,
    source,
    reply,
    payload: first ? Uint8Array.of(...first.payload, ...payload) : payload,
    address,
    bytes: total,
  };
}

/** A message for which no handler was registered ends the job (TCA specification 17). */
export function judgeHandler(c: RuntimeContext, { handler, source }: Delivery): void {
  if (c.handlers.includes(handler) || isLibraryHandler(handler)) return;
  const known = c.handlers.length > 0 ? c.handlers.join(', ') : 'none';
  fail(
    c,
    'EHANDLER',
    `found a message from rank ${source} for handler ${handler}, expected one of those registered: ${known}`,
  );
}

/** The job that answers a request for data: a transfer in the other direction (TCA specification 12.4). */
export function dataJob(c: RuntimeContext, { peer, header }: Parcel): Job {
  const { src, shape } = getRequest(header.args);
  return {
    target: peer,
    ring: replies,
    data: movement(c, src, header.address, shape),
    payload: new Uint8Array(0),
    header: headerOf('gotten', { token: header.token, reply: true }),
    tellsLeft: false,
    urgent: false,
  };
}

/** Where the value lies that a request asks for. */
export function valueAt({ header }: Parcel): { readonly addr: number; readonly bytes: number } {
  const { src, shape } = getRequest(header.args);
  return { addr: src, bytes: shape.size };
}

/** The job that answers a request for a value: a packet with its bytes. */
export const valueJob = ({ peer, header }: Parcel, payload: Uint8Array): Job => ({
  target: peer,
  ring: replies,
  data: null,
  payload,
  header: headerOf('value', { token: header.token, total: payload.length, reply: true }),
  tellsLeft: false,
  urgent: false,
});
