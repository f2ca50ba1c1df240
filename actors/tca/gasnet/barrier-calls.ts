import { agreed, barrierFlags, barrierPartner, barrierRounds, heardKey } from './barrier.ts';
import type { GasnetCall, Status } from './calls.ts';
import { headerOf, type Job } from './job.ts';
import { replies } from './layout.ts';
import { fail, type RuntimeContext } from './runtime-context.ts';

type Finish = Extract<GasnetCall, { readonly call: 'barrierFinish' }>;

/** Notifies (TCA specification 12.6). Errors: EBARRIER. */
export function beginBarrier(c: RuntimeContext, id: number, flags: number): Status {
  const { barrier } = c;
  if (barrier.notified) return fail(c, 'EBARRIER', 'a second notify without a wait in between');
  barrier.notified = { id: id >>> 0, flags };
  barrier.known = barrier.notified;
  barrier.round = 0;
  tellRound(c);
  return 'OK';
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

/** Begins to wait for a barrier, or tries it. Errors: EBARRIER. */
export function finishBarrier(c: RuntimeContext, wait: boolean): Status {
  if (!c.barrier.notified) return fail(c, 'EBARRIER', 'a wait without a notify before it');
  if (wait || barrierOver(c)) c.goal = { goal: 'barrier' };
  else return 'NOT_READY';
  return 'OK';
}

/** Leaves the barrier that is over, and says how it came out. */
export function finishPhase(c: RuntimeContext): void {
  const { barrier } = c;
  const { id, flags } = c.call as Finish;
  const { notified, known } = barrier;
  const named = { id: id >>> 0, flags };
  const all = [notified!, known, named].reduce(agreed);
  c.status = (all.flags & barrierFlags.mismatch) === 0 ? 'OK' : 'BARRIER_MISMATCH';
  c.value = known.id;
  c.data = Uint8Array.of(known.flags & barrierFlags.anonymous ? 1 : 0);
  barrier.notified = null;
  barrier.phase++;
}
