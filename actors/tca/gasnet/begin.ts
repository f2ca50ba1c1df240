import { beginRequest, clientHandlers } from './active-messages.ts';
import { beginBarrier, finishBarrier } from './barrier-calls.ts';
import type { GasnetCall, Status } from './calls.ts';
import { groupsDone, implicitDone } from './completion.ts';
import { headerOf, type Job } from './job.ts';
import { pageBytes, replies, segmentBytesMax } from './layout.ts';
import { beginCopy, beginGet, beginGetValue, beginMemset, beginPut, beginPutValue } from './moves.ts';
import { isCount, isRank } from './reach.ts';
import { emptyGroup, fail, type RuntimeContext } from './runtime-context.ts';

type Called<Name extends GasnetCall['call']> = Extract<GasnetCall, { readonly call: Name }>;

/** Begins the call at hand: what is to be sent, what is to be done in the own memory, and what it waits for (TCA specification 12). */
export function begin(c: RuntimeContext): void {
  c.begun = true;
  c.status = statusOf(c, c.call!);
}

function statusOf(c: RuntimeContext, call: GasnetCall): Status {
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
      c.goal = { goal: 'arrival', arrivals: c.arrivalsBefore };
      return 'OK';
    case 'awaitPuts':
      if (!isRank(c, call.source) || !isCount(call.count)) return 'BAD_ARG';
      c.goal = { goal: 'puts', source: call.source, count: call.count };
      return 'OK';
    case 'sync':
      return beginSync(c, call.handles, call.all, call.wait);
    case 'syncImplicit':
      return beginImplicit(c, call.of, call.wait);
    case 'beginRegion':
      if (c.region !== 0) return 'BAD_ARG';
      c.region = c.nextHandle++;
      c.groups[c.region] = emptyGroup();
      return 'OK';
    case 'endRegion':
      if (c.region === 0) return 'BAD_ARG';
      c.value = c.region;
      c.region = 0;
      return 'OK';
    case 'barrierNotify':
      return beginBarrier(c, call.id, call.flags);
    case 'barrierFinish':
      return finishBarrier(c, call.wait);
    case 'init':
      return 'RESOURCE';
    case 'poll':
    case 'exit':
      return 'OK';
    case 'hsl':
      return 'OK';
    case 'reply':
    case 'handled':
      return fail(c, 'EREPLY', 'a reply outside of a handler');
    default:
      return call satisfies never;
  }
}

function beginImplicit(c: RuntimeContext, of: 'puts' | 'gets' | 'all', wait: boolean): Status {
  if (c.region !== 0) return 'BAD_ARG';
  if (!wait && !implicitDone(c, of)) return 'NOT_READY';
  c.goal = { goal: 'implicit', of };
  return 'OK';
}

function beginSync(c: RuntimeContext, handles: readonly number[], all: boolean, wait: boolean): Status {
  const isDead = (handle: number) => handle !== 0 && (c.groups[handle] === undefined || handle === c.region);
  const dead = handles.find(isDead);
  if (dead !== undefined)
    return fail(c, 'EHANDLE', `found handle ${dead}, which is of no operation under way`);
  if (!wait && !groupsDone(c, handles, all)) return 'NOT_READY';
  c.goal = { goal: 'groups', handles, all };
  return 'OK';
}

function beginAttach(c: RuntimeContext, { handlers, cpuBytes, gpuBytes }: Called<'attach'>): Status {
  const { layout, node } = c.spec;
  const most = segmentBytesMax(layout);
  const fits = (bytes: number, max: number) => isCount(bytes) && bytes % pageBytes === 0 && bytes <= max;
  const { first, last } = clientHandlers;
  const known = new Set(handlers);
  if (c.attached) return 'RESOURCE';
  if (!fits(cpuBytes, most.cpu) || !fits(gpuBytes, most.gpu)) return 'BAD_ARG';
  if (known.size < handlers.length || handlers.some((index) => index < first || index > last))
    return 'BAD_ARG';
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
  return 'OK';
}
