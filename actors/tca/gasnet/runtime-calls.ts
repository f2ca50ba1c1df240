import { nodeOf, placeOf } from '../address-map.ts';
import { agreed, barrierFlags, barrierPartner, barrierRounds, heardKey } from './barrier.ts';
import type { Form, GasnetCall, MessageCall, Status } from './calls.ts';
import { contiguous, headerOf, type Job, type Movement, type Shape, spanOf } from './job.ts';
import { inMemory, inSegment, pageBytes, replies, requests, segmentBytesMax } from './layout.ts';
import { argumentsMax } from './packet.ts';
import {
  emptyGroup,
  fail,
  type Goal,
  implicitGroup,
  type LocalWork,
  ownDelivery,
  type RuntimeContext,
} from './runtime-context.ts';
import { legalModes } from './transfer-plan.ts';

/** Limits of active messages (TCA specification 12.1). */
export const longBytesMax = 2 ** 26;
const clientHandlers = { first: 128, last: 255 };
const valueBytesMax = 8;

/** Bytes of the largest medium message. */
export const mediumBytesMax = (slotBytes: number): number => slotBytes - 64;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const isShape = ({ size, count, srcStride, dstStride }: Shape): boolean =>
  [size, count, srcStride, dstStride].every(isCount);

/** The group of a new operation: with a handle of its own, or among the implicit ones. */
function groupFor(c: RuntimeContext, form: Form): number {
  if (form === 'nbi') {
    const group = c.region === 0 ? implicitGroup : c.region;
    c.groups[group] ??= emptyGroup();
    return group;
  }
  const handle = c.nextHandle++;
  c.groups[handle] = emptyGroup();
  if (form === 'nb') c.value = handle;
  else c.goal = { goal: 'groups', handles: [handle], all: true };
  return handle;
}

/** A get of this node that somebody will answer. */
function tokenFor(c: RuntimeContext, group: number): number {
  const token = c.nextToken;
  c.nextToken = (token + 1) % 2 ** 32;
  c.gets[token] = group;
  c.groups[group]!.gets++;
  return token;
}

const dmaAble = (c: RuntimeContext, address: number, bytes: number): boolean => {
  const segment = c.segments[nodeOf(address)];
  return segment != null && inSegment(c.spec.layout, segment, address, bytes);
};

/** Bytes that lie in no segment which can be reached are the end of the job (TCA specification 17). */
function insideSegment(c: RuntimeContext, address: number, bytes: number): boolean {
  if (dmaAble(c, address, bytes)) return true;
  const { node, region, offset } = placeOf(address);
  fail(
    c,
    'ESEGMENT',
    `found ${bytes} bytes at ${address} (node ${node}, ${region} memory, offset ${offset}), ` +
      'expected them in the segment of that node',
  );
  return false;
}

const isOwn = (c: RuntimeContext, address: number, bytes: number): boolean =>
  isCount(address) && nodeOf(address) === c.spec.node && inMemory(c.spec.layout, address, bytes);

const isRank = (c: RuntimeContext, rank: number): boolean => isCount(rank) && rank < c.spec.layout.nodes;

/** Where bytes are moved from and to, with what channels may do. */
export const movement = (c: RuntimeContext, src: number, dst: number, shape: Shape): Movement => ({
  src,
  dst,
  shape,
  srcDmaAble: dmaAble(c, src, spanOf(shape, shape.srcStride)),
  dstDmaAble: dmaAble(c, dst, spanOf(shape, shape.dstStride)),
});

const rowsOf = ({ size, count, srcStride, dstStride }: Shape, src: number, dst: number): LocalWork[] =>
  Array.from({ length: size === 0 ? 0 : count }, (_, row) => ({
    work: 'copy' as const,
    src: src + row * srcStride,
    dst: dst + row * dstStride,
    bytes: size,
  }));

const refuse = (c: RuntimeContext, status: Status): void => {
  c.status = status;
};

const nothing: Goal = { goal: 'nothing' };

/** Begins the call at hand: what is to be sent, what is to be done in the own memory, and what it waits for (TCA specification 12). */
export function begin(c: RuntimeContext): void {
  const call = c.call!;
  c.begun = true;
  switch (call.call) {
    case 'put':
      return beginPut(c, call);
    case 'putValue':
      return beginPutValue(c, call);
    case 'get':
      return beginGet(c, call);
    case 'getValue':
      return beginGetValue(c, call);
    case 'memset':
      return beginMemset(c, call);
    case 'copy':
      return beginCopy(c, call);
    case 'request':
      return beginRequest(c, call);
    case 'attach':
      return beginAttach(c, call);
    case 'await':
      c.goal = { goal: 'arrival', arrivals: c.arrivals };
      return;
    case 'sync':
      return beginSync(c, call.handles, call.all, call.wait);
    case 'syncImplicit':
      if (c.region !== 0) refuse(c, 'BAD_ARG');
      else c.goal = call.wait || implicitDone(c, call.of) ? { goal: 'implicit', of: call.of } : nothing;
      if (!call.wait && !implicitDone(c, call.of)) refuse(c, 'NOT_READY');
      return;
    case 'beginRegion':
      if (c.region !== 0) return refuse(c, 'BAD_ARG');
      c.region = c.nextHandle++;
      c.groups[c.region] = emptyGroup();
      return;
    case 'endRegion':
      if (c.region === 0) return refuse(c, 'BAD_ARG');
      c.value = c.region;
      c.region = 0;
      return;
    case 'barrierNotify':
      return beginBarrier(c, call.id, call.flags);
    case 'barrierFinish':
      return finishBarrier(c, call.wait);
    case 'init':
      return refuse(c, 'RESOURCE');
    case 'poll':
    case 'exit':
      return;
    case 'reply':
    case 'handled':
      fail(c, 'EREPLY', 'a reply outside of a handler');
      return;
    default:
      call satisfies never;
  }
}

type Called<Name extends GasnetCall['call']> = Extract<GasnetCall, { readonly call: Name }>;

function beginPut(c: RuntimeContext, { form, bulk, src, dst, shape }: Called<'put'>): void {
  const { node, options } = c.spec;
  const target = nodeOf(dst);
  if (!isShape(shape) || !isCount(dst) || !isRank(c, target)) return refuse(c, 'BAD_ARG');
  if (shape.size * shape.count === 0) return;
  if (!isOwn(c, src, spanOf(shape, shape.srcStride))) return refuse(c, 'BAD_ARG');
  if (!insideSegment(c, dst, spanOf(shape, shape.dstStride))) return;
  const group = groupFor(c, form);
  if (target === node) {
    c.works = rowsOf(shape, src, dst);
    return;
  }
  const local = options.completion === 'local';
  const waitsLeft = form !== 'blocking' && !bulk;
  const job: Job = {
    target,
    ring: requests,
    data: movement(c, src, dst, shape),
    payload: new Uint8Array(0),
    header: headerOf('put'),
    tellsLeft: local || waitsLeft,
    urgent: !local,
  };
  c.jobs.push({ job, group, waitsLeft });
}

function beginPutValue(c: RuntimeContext, { form, dst, data }: Called<'putValue'>): void {
  const target = nodeOf(dst);
  if (!isCount(dst) || !isRank(c, target) || data.length > valueBytesMax) return refuse(c, 'BAD_ARG');
  if (data.length === 0 || !insideSegment(c, dst, data.length)) return;
  const group = groupFor(c, form);
  if (target === c.spec.node) {
    c.works = [{ work: 'store', dst, data }];
    return;
  }
  const header = headerOf('fragment', { address: dst });
  const urgent = c.spec.options.completion === 'acked';
  const job: Job = { target, ring: requests, data: null, payload: data, header, tellsLeft: false, urgent };
  c.jobs.push({ job, group, waitsLeft: false });
}

/** The arguments of a request for data; the last one tells that the program gets a value. */
const getArguments = (src: number, { size, count, srcStride, dstStride }: Shape, value: boolean) => [
  src % 2 ** 32,
  Math.floor(src / 2 ** 32),
  size,
  count,
  srcStride,
  dstStride,
  value ? 1 : 0,
];

function askFor(
  c: RuntimeContext,
  target: number,
  group: number,
  src: number,
  dst: number,
  shape: Shape,
  value: boolean,
): void {
  const header = headerOf('get', {
    args: getArguments(src, shape, value),
    address: dst,
    token: tokenFor(c, group),
  });
  const job: Job = {
    target,
    ring: requests,
    data: null,
    payload: new Uint8Array(0),
    header,
    tellsLeft: false,
    urgent: false,
  };
  c.jobs.push({ job, group: -1, waitsLeft: false });
}

function beginGet(c: RuntimeContext, { form, src, dst, shape }: Called<'get'>): void {
  const target = nodeOf(src);
  if (!isShape(shape) || !isCount(src) || !isRank(c, target)) return refuse(c, 'BAD_ARG');
  if (shape.size * shape.count === 0) return;
  if (!isOwn(c, dst, spanOf(shape, shape.dstStride))) return refuse(c, 'BAD_ARG');
  if (!insideSegment(c, src, spanOf(shape, shape.srcStride))) return;
  const group = groupFor(c, form);
  if (target === c.spec.node) c.works = rowsOf(shape, src, dst);
  else askFor(c, target, group, src, dst, shape, false);
}

function beginGetValue(c: RuntimeContext, { form, src, bytes }: Called<'getValue'>): void {
  const target = nodeOf(src);
  if (!isCount(src) || !isRank(c, target) || !isCount(bytes) || bytes < 1 || bytes > valueBytesMax)
    return refuse(c, 'BAD_ARG');
  if (!insideSegment(c, src, bytes)) return;
  const group = groupFor(c, form);
  if (target === c.spec.node) c.works = [{ work: 'load', src, bytes }];
  else askFor(c, target, group, src, 0, contiguous(bytes), true);
}

function beginMemset(c: RuntimeContext, { form, dst, bytes, value }: Called<'memset'>): void {
  const target = nodeOf(dst);
  if (!isCount(dst) || !isRank(c, target) || !isCount(bytes)) return refuse(c, 'BAD_ARG');
  if (bytes === 0 || !insideSegment(c, dst, bytes)) return;
  const group = groupFor(c, form);
  if (target === c.spec.node) {
    c.works = [{ work: 'fill', dst, bytes, value: value & 255 }];
    return;
  }
  const header = headerOf('memset', { address: dst, total: bytes, args: [value & 255] });
  const payload = new Uint8Array(0);
  const job: Job = { target, ring: requests, data: null, payload, header, tellsLeft: false, urgent: true };
  c.jobs.push({ job, group, waitsLeft: false });
}

/** A copy goes through the chip when the GPU takes part and the addresses allow it, since its driver takes longer (TCA specification 3, 10). */
function beginCopy(c: RuntimeContext, { src, dst, bytes }: Called<'copy'>): void {
  const { node } = c.spec;
  if (!isCount(bytes) || !isOwn(c, src, bytes) || !isOwn(c, dst, bytes)) return refuse(c, 'BAD_ARG');
  if (bytes === 0) return;
  const data = movement(c, src, dst, contiguous(bytes));
  const gpu = [src, dst].some((address) => placeOf(address).region === 'gpu');
  if (!gpu || bytes % 4 !== 0 || !legalModes(data).includes('MtoM')) {
    c.works = [{ work: 'copy', src, dst, bytes }];
    return;
  }
  const job: Job = {
    target: node,
    ring: requests,
    data,
    payload: new Uint8Array(0),
    header: headerOf('put'),
    loopback: true,
    tellsLeft: true,
    urgent: false,
  };
  c.jobs.push({ job, group: -1, waitsLeft: true });
}

/** What is wrong with a message, or undefined; a target outside of its segment ends the job. */
function messageError(c: RuntimeContext, target: number, call: MessageCall): Status | undefined {
  const { kind, handler, args, src, bytes, dst } = call;
  const long = kind === 'long' || kind === 'longAsync';
  if (!isRank(c, target) || !isCount(bytes)) return 'BAD_ARG';
  if (handler < 0 || handler > clientHandlers.last || !Number.isInteger(handler)) return 'BAD_ARG';
  if (args.length > argumentsMax || args.some((arg) => !Number.isInteger(arg))) return 'BAD_ARG';
  if (kind === 'short' ? bytes > 0 : bytes > (long ? longBytesMax : mediumBytesMax(c.spec.options.slotBytes)))
    return 'BAD_ARG';
  // Where nothing lies does not matter (TCA specification 12.2).
  if (bytes === 0) return undefined;
  if (!isOwn(c, src, bytes)) return 'BAD_ARG';
  if (long && nodeOf(dst) !== target)
    fail(
      c,
      'ESEGMENT',
      `found a long message to rank ${target} for ${bytes} bytes at ${dst}, which belong to node ${nodeOf(dst)}`,
    );
  else if (long) insideSegment(c, dst, bytes);
  return undefined;
}

/** The job of a message to another node. */
export function messageJob(c: RuntimeContext, target: number, call: MessageCall, reply: boolean): Job {
  const { kind, handler, args, src, bytes, dst } = call;
  const long = kind === 'long' || kind === 'longAsync';
  const data =
    bytes === 0
      ? null
      : long
        ? movement(c, src, dst, contiguous(bytes))
        : movement(c, src, src, contiguous(bytes));
  return {
    target,
    ring: reply ? replies : requests,
    data,
    payload: new Uint8Array(0),
    header: headerOf(long ? 'long' : kind, {
      handler,
      args: args.map((arg) => arg >>> 0),
      address: long ? dst : 0,
      total: bytes,
      reply,
    }),
    tellsLeft: kind === 'long' && bytes > 0,
    urgent: false,
  };
}

/** What a message to the node itself does to its memory. */
export const ownWorks = ({ kind, src, dst, bytes }: MessageCall): LocalWork[] => {
  if (bytes === 0 || kind === 'short') return [];
  return kind === 'medium' ? [{ work: 'load', src, bytes }] : [{ work: 'copy', src, dst, bytes }];
};

function beginRequest(c: RuntimeContext, call: Called<'request'>): void {
  const { target } = call;
  const wrong = messageError(c, target, call);
  if (wrong) return refuse(c, wrong);
  if (c.fatal) return;
  if (target === c.spec.node) {
    c.works = ownWorks(call);
    c.own = ownDelivery(target, call, false);
    return;
  }
  const job = messageJob(c, target, call, false);
  c.jobs.push({ job, group: -1, waitsLeft: job.tellsLeft });
}

/** Judges a reply: only from the handler of a request, once (TCA specification 12.2). */
export function judgeReply(c: RuntimeContext, call: MessageCall): Status {
  const { source, reply } = c.delivery!;
  if (reply) fail(c, 'EREPLY', 'a reply from the handler of a reply');
  else if (c.replied) fail(c, 'EREPLY', 'a second reply from one handler');
  return messageError(c, source, call) ?? 'OK';
}

function beginSync(c: RuntimeContext, handles: readonly number[], all: boolean, wait: boolean): void {
  const dead = handles.find(
    (handle) => handle !== 0 && (c.groups[handle] === undefined || handle === c.region),
  );
  if (dead !== undefined)
    return fail(c, 'EHANDLE', `found handle ${dead}, which is of no operation under way`);
  const goal: Goal = { goal: 'groups', handles, all };
  if (wait || groupsDone(c, handles, all)) c.goal = goal;
  else refuse(c, 'NOT_READY');
}

function beginAttach(c: RuntimeContext, { handlers, cpuBytes, gpuBytes }: Called<'attach'>): void {
  const { layout, node } = c.spec;
  const most = segmentBytesMax(layout);
  const fits = (bytes: number, max: number) => isCount(bytes) && bytes % pageBytes === 0 && bytes <= max;
  const { first, last } = clientHandlers;
  const known = new Set(handlers);
  if (c.attached) return refuse(c, 'RESOURCE');
  if (!fits(cpuBytes, most.cpu) || !fits(gpuBytes, most.gpu)) return refuse(c, 'BAD_ARG');
  if (known.size < handlers.length || handlers.some((index) => index < first || index > last))
    return refuse(c, 'BAD_ARG');
  c.handlers = handlers;
  c.segments[node] = { cpu: cpuBytes, gpu: gpuBytes };
  c.goal = { goal: 'attach' };
  for (let target = 0; target < layout.nodes; target++) {
    if (target === node) continue;
    const header = headerOf('attach', { args: [cpuBytes, gpuBytes] });
    const payload = new Uint8Array(0);
    const job: Job = { target, ring: replies, data: null, payload, header, tellsLeft: false, urgent: false };
    c.jobs.push({ job, group: -1, waitsLeft: false });
  }
}

function beginBarrier(c: RuntimeContext, id: number, flags: number): void {
  const { barrier } = c;
  if (barrier.notified) return fail(c, 'EBARRIER', 'a second notify without a wait in between');
  barrier.notified = { id: id >>> 0, flags };
  barrier.known = barrier.notified;
  barrier.round = 0;
  tellRound(c);
}

/** Tells the partner of the round at hand what this node knows. */
function tellRound(c: RuntimeContext): void {
  const { layout, node } = c.spec;
  const { phase, round, known } = c.barrier;
  if (round === barrierRounds(layout.nodes)) return;
  const header = headerOf('barrier', { args: [phase, round, known.id, known.flags] });
  const job: Job = {
    target: barrierPartner(node, round, layout.nodes),
    // Rounds go with the replies: they never wait for a handler.
    ring: replies,
    data: null,
    payload: new Uint8Array(0),
    header,
    tellsLeft: false,
    urgent: false,
  };
  c.jobs.push({ job, group: -1, waitsLeft: false });
}

/** True when the node has heard what the round at hand needs. */
export const mayAdvance = ({ barrier: { notified, phase, round, heard } }: RuntimeContext): boolean =>
  notified !== null && heard[heardKey(phase, round)] !== undefined;

/** Takes what was heard in the round at hand, and goes on to the next one. */
export function advance(c: RuntimeContext): void {
  const { barrier } = c;
  const key = heardKey(barrier.phase, barrier.round);
  barrier.known = agreed(barrier.known, barrier.heard[key]!);
  delete barrier.heard[key];
  barrier.round++;
  tellRound(c);
}

/** True when all nodes have notified. */
export const barrierOver = ({ barrier, spec }: RuntimeContext): boolean =>
  barrier.notified !== null && barrier.round === barrierRounds(spec.layout.nodes);

function finishBarrier(c: RuntimeContext, wait: boolean): void {
  if (!c.barrier.notified) return fail(c, 'EBARRIER', 'a wait without a notify before it');
  if (wait || barrierOver(c)) c.goal = { goal: 'barrier' };
  else refuse(c, 'NOT_READY');
}

const acksCome = (c: RuntimeContext, group: number): boolean => {
  const { acks, left } = c.groups[group]!;
  return (
    Object.entries(acks).every(([key, sequence]) => {
      const [peer, ring] = key.split(' ').map(Number) as [number, number];
      return c.freed[peer]![ring]! > sequence;
    }) && left.every((count, channel) => c.selfSeen[channel]! >= count)
  );
};

/** True when the implicit operations of a kind are done. */
export function implicitDone(c: RuntimeContext, of: 'puts' | 'gets' | 'all'): boolean {
  const group = c.groups[implicitGroup];
  if (!group) return true;
  return (of === 'puts' || group.gets === 0) && (of === 'gets' || acksCome(c, implicitGroup));
}

const isDone = (c: RuntimeContext, handle: number): boolean =>
  handle === 0 || (c.groups[handle]!.gets === 0 && acksCome(c, handle));

/** True when these operations are done, or one of them. */
export const groupsDone = (c: RuntimeContext, handles: readonly number[], all: boolean): boolean =>
  all
    ? handles.every((handle) => isDone(c, handle))
    : handles.length === 0 || handles.some((handle) => isDone(c, handle));

/** Gives up what the call at hand has waited for, and keeps what it tells. */
export function settle(c: RuntimeContext): void {
  const { goal } = c;
  if (goal.goal === 'groups') {
    const done = goal.handles.map((handle) => isDone(c, handle));
    // Of one operation its value is told, of several which are done.
    c.data = Uint8Array.from(done, Number);
    for (const [k, handle] of goal.handles.entries()) {
      if (handle === implicitGroup || !done[k]) continue;
      if (goal.handles.length === 1) c.data = c.groups[handle]!.data;
      delete c.groups[handle];
    }
    return;
  }
  if (goal.goal === 'barrier') finishPhase(c);
}

function finishPhase(c: RuntimeContext): void {
  const { barrier } = c;
  const { id, flags } = c.call as Called<'barrierFinish'>;
  const { notified, known } = barrier;
  const named = { id: id >>> 0, flags };
  const all = [notified!, known, named].reduce(agreed);
  c.status = (all.flags & barrierFlags.mismatch) === 0 ? 'OK' : 'BARRIER_MISMATCH';
  c.value = known.id;
  c.data = Uint8Array.of(known.flags & barrierFlags.anonymous ? 1 : 0);
  barrier.notified = null;
  barrier.phase++;
}

/** True when the call at hand may return. */
export function isReached(c: RuntimeContext): boolean {
  const { goal } = c;
  switch (goal.goal) {
    case 'nothing':
      return true;
    case 'left':
      return goal.left.every(({ channel, count }) => c.selfSeen[channel]! >= count);
    case 'groups':
      return groupsDone(c, goal.handles, goal.all);
    case 'implicit':
      return implicitDone(c, goal.of);
    case 'barrier':
      return barrierOver(c);
    case 'arrival':
      return c.arrivals > goal.arrivals;
    case 'attach':
      return c.segments.every((segment) => segment !== null);
    default:
      return goal satisfies never;
  }
}
