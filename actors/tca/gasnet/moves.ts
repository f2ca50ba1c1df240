import { nodeOf, placeOf } from '../address-map.ts';
import type { Form, GasnetCall, Status } from './calls.ts';
import { getArguments } from './get-request.ts';
import { blocksIn, contiguous, headerOf, type Job, offsetOf, type Shape, spanOf } from './job.ts';
import { requests } from './layout.ts';
import { insideSegment, isCount, isOwn, isRank, isShape, movement } from './reach.ts';
import { emptyGroup, implicitGroup, type LocalWork, type RuntimeContext } from './runtime-context.ts';
import { legalModes } from './transfer-plan.ts';

type Called<Name extends GasnetCall['call']> = Extract<GasnetCall, { readonly call: Name }>;

const valueBytesMax = 8;

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

const rowsOf = (shape: Shape, src: number, dst: number): LocalWork[] =>
  Array.from({ length: shape.size === 0 ? 0 : blocksIn(shape) }, (_, block) => ({
    work: 'copy' as const,
    src: src + offsetOf(shape, block, 'src'),
    dst: dst + offsetOf(shape, block, 'dst'),
    bytes: shape.size,
  }));

/** Begins a put (TCA specification 12.4). */
export function beginPut(c: RuntimeContext, { form, bulk, src, dst, shape }: Called<'put'>): Status {
  const { node, options } = c.spec;
  const target = nodeOf(dst);
  if (!isShape(shape) || !isCount(dst) || !isRank(c, target)) return 'BAD_ARG';
  if (shape.size * blocksIn(shape) === 0) return 'OK';
  if (!isOwn(c, src, spanOf(shape, 'src'))) return 'BAD_ARG';
  if (!insideSegment(c, dst, spanOf(shape, 'dst'))) return 'OK';
  const group = groupFor(c, form);
  if (target === node) {
    c.works = rowsOf(shape, src, dst);
    return 'OK';
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
  return 'OK';
}

/** Begins to put a value: its bytes travel in the packet. */
export function beginPutValue(c: RuntimeContext, { form, dst, data }: Called<'putValue'>): Status {
  const target = nodeOf(dst);
  if (!isCount(dst) || !isRank(c, target) || data.length > valueBytesMax) return 'BAD_ARG';
  if (data.length === 0 || !insideSegment(c, dst, data.length)) return 'OK';
  const group = groupFor(c, form);
  if (target === c.spec.node) {
    c.works = [{ work: 'store', dst, data }];
    return 'OK';
  }
  const header = headerOf('fragment', { address: dst });
  const urgent = c.spec.options.completion === 'acked';
  const job: Job = { target, ring: requests, data: null, payload: data, header, tellsLeft: false, urgent };
  c.jobs.push({ job, group, waitsLeft: false });
  return 'OK';
}

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
    args: getArguments({ src, shape, value }),
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

/** Begins a get: the owner is asked to put (TCA specification 12.4). */
export function beginGet(c: RuntimeContext, { form, src, dst, shape }: Called<'get'>): Status {
  const target = nodeOf(src);
  if (!isShape(shape) || !isCount(src) || !isRank(c, target)) return 'BAD_ARG';
  if (shape.size * blocksIn(shape) === 0) return 'OK';
  if (!isOwn(c, dst, spanOf(shape, 'dst'))) return 'BAD_ARG';
  if (!insideSegment(c, src, spanOf(shape, 'src'))) return 'OK';
  const group = groupFor(c, form);
  if (target === c.spec.node) c.works = rowsOf(shape, src, dst);
  else askFor(c, target, group, src, dst, shape, false);
  return 'OK';
}

/** Begins to get a value. */
export function beginGetValue(c: RuntimeContext, { form, src, bytes }: Called<'getValue'>): Status {
  const target = nodeOf(src);
  if (!isCount(src) || !isRank(c, target) || !isCount(bytes) || bytes < 1 || bytes > valueBytesMax)
    return 'BAD_ARG';
  if (!insideSegment(c, src, bytes)) return 'OK';
  const group = groupFor(c, form);
  if (target === c.spec.node) c.works = [{ work: 'load', src, bytes }];
  else askFor(c, target, group, src, 0, contiguous(bytes), true);
  return 'OK';
}

/** Begins a fill: the target does it. */
export function beginMemset(c: RuntimeContext, { form, dst, bytes, value }: Called<'memset'>): Status {
  const target = nodeOf(dst);
  if (!isCount(dst) || !isRank(c, target) || !isCount(bytes)) return 'BAD_ARG';
  if (bytes === 0 || !insideSegment(c, dst, bytes)) return 'OK';
  const group = groupFor(c, form);
  if (target === c.spec.node) {
    c.works = [{ work: 'fill', dst, bytes, value: value & 255 }];
    return 'OK';
  }
  const header = headerOf('memset', { address: dst, total: bytes, args: [value & 255] });
  const payload = new Uint8Array(0);
  const job: Job = { target, ring: requests, data: null, payload, header, tellsLeft: false, urgent: true };
  c.jobs.push({ job, group, waitsLeft: false });
  return 'OK';
}

/** A copy goes through the chip when the GPU takes part and the addresses allow it, since its driver takes longer (TCA specification 3, 10). */
export function beginCopy(c: RuntimeContext, { src, dst, bytes }: Called<'copy'>): Status {
  const { node } = c.spec;
  if (!isCount(bytes) || !isOwn(c, src, bytes) || !isOwn(c, dst, bytes)) return 'BAD_ARG';
  if (bytes === 0) return 'OK';
  const data = movement(c, src, dst, contiguous(bytes));
  const gpu = [src, dst].some((address) => placeOf(address).region === 'gpu');
  if (!gpu || bytes % 4 !== 0 || !legalModes(data).includes('MtoM')) {
    c.works = [{ work: 'copy', src, dst, bytes }];
    return 'OK';
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
  return 'OK';
}
