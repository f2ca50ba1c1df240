import { inSubTicks } from '../parameters.ts';
import type { TcaMessage } from '../protocol.ts';
import { tcaProtocol } from '../protocol.ts';
import { advance } from './barrier-calls.ts';
import { begin } from './begin.ts';
import { settle } from './completion.ts';
import { holdsSomething } from './handler-locks.ts';
import { carryOut } from './local-work.ts';
import { answer, fail, type RuntimeContext } from './runtime-context.ts';

const role = tcaProtocol.roles.Gasnet;
const { update, act } = role.component<RuntimeContext>();

/** Notes the completion that the group of a job waits for (TCA specification 12.4). */
function register(c: RuntimeContext, { sequence, left }: TcaMessage<'transfer.started'>): void {
  const { job, group, waitsLeft } = c.sending!;
  c.sending = null;
  if (waitsLeft) c.goal = { goal: 'left', left };
  const waiting = c.groups[group];
  if (!waiting) return;
  if (c.spec.options.completion === 'acked' || job.header.kind === 'memset') {
    const key = `${job.target} ${job.ring}`;
    waiting.acks[key] = Math.max(waiting.acks[key] ?? -1, sequence);
  } else
    for (const { channel, count } of left) waiting.left[channel] = Math.max(waiting.left[channel]!, count);
}

/** What a test that found nothing, and a look at the rings, take: a program that asks again and again must not stand still in time. */
const looksOnly = ({ call, status }: RuntimeContext): boolean =>
  call!.call === 'poll' || status === 'NOT_READY';

/** Bytes that were loaded are the payload of a message to the node itself, or the value of the operation just begun. */
function keepLoaded(c: RuntimeContext, data: Uint8Array): void {
  if (c.own) c.own = { ...c.own, payload: data };
  else c.groups[c.nextHandle - 1]!.data = data;
}

/** What the runtime does about the call at hand: begin it, send its jobs, work in the own memory, return (TCA specification 12). */
export const callActions = {
  sayOk: act<'gasnet.call'>((c, _event, out) => {
    answer(c, { answer: 'done', status: 'OK', value: 0, data: new Uint8Array(0) }, 0, out);
  }),
  sayNotInit: act<'gasnet.call'>((c, _event, out) => {
    answer(c, { answer: 'done', status: 'NOT_INIT', value: 0, data: new Uint8Array(0) }, 0, out);
  }),
  take: update<'gasnet.call'>((c, { call }) => {
    c.call = call;
    c.begun = false;
    c.goal = { goal: 'nothing' };
    c.status = 'OK';
    c.value = 0;
    c.data = new Uint8Array(0);
    c.jobs = [];
    c.works = [];
    c.own = null;
    c.arrivalsBefore = c.arrivals;
    if (holdsSomething(c.locks))
      fail(c, 'EHSL', `"${call.call}" while a lock is held, or handlers are held off`);
    // A call looks at the packets that are there, not at those which come meanwhile.
    c.budget = c.attached ? c.ready.length + c.parked.length : 0;
  }),
  begin: update(begin),
  advance: update(advance),
  send: act((c, _event, out) => {
    c.sending = c.jobs.shift()!;
    out.post({ to: c.spec.planner, type: 'transfer.begin', job: c.sending.job });
  }),
  resume: act((c, _event, out) => {
    c.blocked.pop();
    out.post({ to: c.spec.planner, type: 'transfer.resume' });
  }),
  noteBlocked: update<'transfer.blocked'>((c, { peer, ring, sequence }) => {
    c.blocked.push({ peer, ring, sequence });
  }),
  register: update<'transfer.started'>((c, event) => {
    register(c, event);
  }),
  work: act((c, _event, out) => carryOut(c, c.works[0]!, out)),
  worked: update((c, event) => {
    const one = c.works.shift()!;
    if (one.work === 'load') keepLoaded(c, (event as TcaMessage<'memory.loaded'>).data);
    if (c.works.length > 0 || !c.own) return;
    c.parked.push(c.own);
    c.own = null;
  }),
  parkOwn: update((c) => {
    if (!c.own || c.works.length > 0) return;
    c.parked.push(c.own);
    c.own = null;
  }),
  finish: act((c, _event, out) => {
    settle(c);
    if (c.call!.call === 'attach' && c.status === 'OK') c.attached = true;
    const { status, value, data } = c;
    const delay = looksOnly(c) ? inSubTicks(c.spec.parameters.pollDetect) : 0;
    answer(c, { answer: 'done', status, value, data }, delay, out);
    c.call = null;
  }),
};
