import { invariant } from '../../../kernel/errors.ts';
import type { Primitive } from '../crts/primitive.ts';
import { isDma, transferNumber } from '../descriptor.ts';
import { isBarrier } from '../engine/queues.ts';
import { wordAt } from '../node-word.ts';
import { placeOfAccess, sendAccess } from './access.ts';
import type { CpeOut, CpeState } from './cpe-state.ts';

/** Goes on by itself after so many cycles. */
export function goOnAfter(c: CpeState, cycles: number, out: CpeOut): void {
  out.post({ to: c.spec.value.self, type: 'core.turn', delay: cycles });
}

/** Notes that the call at hand ends with a code: the run stops, or the program gets it. */
export function refuse(c: CpeState, code: number, out: CpeOut): void {
  if (c.spec.value.trap) c.fault = code;
  c.step = { op: 'refuse', code };
  goOnAfter(c, 1, out);
}

/** Begins a primitive; its state waits for what comes back. */
export function carryOut(c: CpeState, out: CpeOut): void {
  const step = c.step!;
  const { self, facts, ldms, syncNet, nodeWords, locks, nodeLocks, signals, output } = c.spec.value;
  const { core, identity } = facts;
  const own = ldms[identity.tid]!;
  const next = { delay: 1 };
  switch (step.op) {
    case 'compute':
      goOnAfter(c, Math.max(1, Math.ceil(step.cycles)), out);
      return;
    case 'time':
      goOnAfter(c, 1, out);
      return;
    case 'statics':
      out.post({
        to: own,
        type: 'ldm.statics',
        begins: false,
        end: step.end,
        variables: step.variables,
        ...next,
      });
      goOnAfter(c, 1, out);
      return;
    case 'refuse':
      refuse(c, step.code, out);
      return;
    case 'read':
    case 'write':
    case 'add': {
      const place = placeOfAccess(c, step);
      if (typeof place === 'number') refuse(c, place, out);
      else sendAccess(c, step, place, out);
      return;
    }
    case 'gather':
      out.post({
        to: own,
        type: 'ldm.gather',
        offsets: step.addresses,
        core,
        answerDelay: Math.max(1, step.cycles - 1),
        ...next,
      });
      return;
    case 'scatter':
      out.post({
        to: own,
        type: 'ldm.scatter',
        offsets: step.addresses,
        data: step.data,
        core,
        answerDelay: Math.max(1, step.cycles - 1),
        ...next,
      });
      return;
    case 'descriptor':
      issue(c, step, out);
      return;
    case 'wait': {
      const value = step.value === 'issued' ? (c.issued.get(step.word) ?? 0) : step.value;
      out.post({ to: own, type: 'reply.watch', offset: step.word, value, ...next });
      return;
    }
    case 'arrive': {
      const { kind, index, mask, agreement } = step;
      const { tid } = identity;
      out.post({ to: syncNet, type: 'sync.arrive', kind, index, mask, tid, agreement, ...next });
      return;
    }
    case 'meet': {
      const answerDelay = Math.max(1, step.cycles - 1);
      out.post({
        to: wordAt(nodeWords, step.word),
        type: 'node.add',
        word: step.word,
        core,
        answerDelay,
        ...next,
      });
      return;
    }
    case 'lock': {
      const to = step.key === 'node' ? nodeLocks : locks;
      out.post({ to, type: 'lock.request', key: step.key, try: false, core, ...next });
      return;
    }
    case 'unlock': {
      const to = step.key === 'node' ? nodeLocks : locks;
      out.post({ to, type: 'lock.release', key: step.key, core, ...next });
      return;
    }
    case 'allocate': {
      const { request, address, size } = step;
      out.post({ to: own, type: 'ldm.allocate', request, address, size, ...next });
      return;
    }
    case 'signal':
      out.post({
        to: signals,
        type: 'signal.send',
        content: step.content,
        tid: identity.tid,
        ...next,
      });
      return;
    case 'evict':
      walkCache(c, step.start, step.end, out);
      return;
    case 'flush':
      walkCache(c, 0, Number.MAX_SAFE_INTEGER, out);
      return;
    case 'append':
      out.post({
        to: output,
        type: 'file.append',
        file: step.file,
        data: step.data,
        core,
        requester: self,
        ...next,
      });
      return;
    default:
      step satisfies never;
  }
}

/** Has lines leave the data cache; its answer ends the wait. */
export function walkCache(c: CpeState, first: number, last: number, out: CpeOut): void {
  const { cache } = c.spec.value;
  invariant(cache !== null, 'a walk needs a data cache');
  out.post({ to: cache, type: 'cache.walk', first, last, delay: 1 });
}

/** Hands the engine a descriptor. The answer of the engine takes the last cycle of the issue. */
function issue(c: CpeState, { descriptor }: Extract<Primitive, { op: 'descriptor' }>, out: CpeOut): void {
  const { engine, facts } = c.spec.value;
  const { timing, identity, core } = facts;
  const cost = isBarrier(descriptor) ? 1 : isDma(descriptor) ? timing.dma.issueCost : timing.rma.issueCost;
  const delay = Math.max(1, cost - 1);
  const { ldm, memory, len, bsize, stride, remoteTid, remote, shape, mask, other, kind } = descriptor;
  const { localReply, remoteReply } = descriptor;
  c.issued.set(localReply, (c.issued.get(localReply) ?? 0) + 1);
  const transfer = transferNumber(core, c.transfers++);
  out.post({
    to: engine,
    type: 'descriptor.issue',
    ldm,
    memory,
    len,
    bsize,
    stride,
    remoteTid,
    remote,
    shape,
    mask,
    other,
    localReply,
    remoteReply,
    kind,
    transfer,
    tid: identity.tid,
    delay,
  });
}
