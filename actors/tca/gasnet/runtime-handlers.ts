import { inSubTicks } from '../parameters.ts';
import { tcaProtocol } from '../protocol.ts';
import { judgeReply, messageJob, ownWorks } from './active-messages.ts';
import type { GasnetCall } from './calls.ts';
import { actOnLock, holdSubTicksMax, holdsSomething, type LockAction } from './handler-locks.ts';
import { answer, fail, ownDelivery, type RuntimeContext, turnIn } from './runtime-context.ts';
import { deliveryOf, judgeHandler } from './runtime-packets.ts';

const role = tcaProtocol.roles.Gasnet;
const { update, act } = role.component<RuntimeContext>();

/** A lock was held, or handlers were held off, longer than is wise (TCA specification 20, C17). */
export interface LongHold {
  readonly type: 'hsl.long';
  readonly node: number;
  readonly action: LockAction;
  readonly lock: number;
  readonly subTicks: number;
}

/** What the runtime does about messages and their handlers: run them, send their replies, judge what they may not do (TCA specification 12.2). */
export const handlerActions = {
  takeParked: update((c) => {
    c.budget--;
    c.parcel = null;
    c.delivery = c.parked.shift()!;
  }),
  park: update((c) => {
    const delivery = deliveryOf(c, c.drained!);
    judgeHandler(c, delivery);
    c.parked.push(delivery);
  }),
  deliver: update((c) => {
    c.delivery = deliveryOf(c, c.parcel!);
  }),
  dispatch: act((c, _event, out) => {
    judgeHandler(c, c.delivery!);
    c.replied = false;
    turnIn(inSubTicks(c.spec.parameters.amDispatch), out);
  }),
  runHandler: act((c, _event, out) => answer(c, { answer: 'handler', delivery: c.delivery! }, 0, out)),
  judgeReply: update<'gasnet.call'>((c, { call }) => {
    if (holdsSomething(c.locks)) fail(c, 'EHSL', 'a reply while a lock is held, or handlers are held off');
    c.status = judgeReply(c, call as Extract<GasnetCall, { call: 'reply' }>);
  }),
  judgeInHandler: update<'gasnet.call'>((c, { call }) => {
    c.fatal ??= {
      code: 'EREPLY',
      why: `EREPLY: rank ${c.spec.node}: "${call.call}" in a handler, which may only reply`,
    };
  }),
  sendReply: act<'gasnet.call'>((c, { call }, out) => {
    const reply = call as Extract<GasnetCall, { call: 'reply' }>;
    c.replied = true;
    const job = messageJob(c, c.delivery!.source, reply, true);
    out.post({ to: c.spec.planner, type: 'transfer.begin', job });
  }),
  prepareOwnReply: update<'gasnet.call'>((c, { call }) => {
    const reply = call as Extract<GasnetCall, { call: 'reply' }>;
    c.replied = true;
    c.works = ownWorks(reply);
    c.own = ownDelivery(c.spec.node, reply, true);
  }),
  noteLeaving: update<'transfer.started'>((c, { left }) => {
    c.leaving = left;
  }),
  sayReply: act((c, _event, out) => {
    const { status } = c;
    c.status = 'OK';
    answer(c, { answer: 'done', status, value: 0, data: new Uint8Array(0) }, 0, out);
  }),
  useLock: act<'gasnet.call'>((c, { call }, out) => {
    const { action, lock } = call as Extract<GasnetCall, { call: 'hsl' }>;
    const { wrong, since } = actOnLock(c.locks, action, lock, out.now);
    if (wrong !== undefined) fail(c, 'EHSL', wrong);
    c.status = 'OK';
    if (out.observed && since !== undefined && out.now - since > holdSubTicksMax)
      out.probe<LongHold>({ type: 'hsl.long', node: c.spec.node, action, lock, subTicks: out.now - since });
  }),
  endHandler: update((c) => {
    if (holdsSomething(c.locks))
      fail(c, 'EHSL', 'a handler ends with a lock held, or with handlers held off');
    c.delivery = null;
    c.arrivals++;
  }),
};
