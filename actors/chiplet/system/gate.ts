import { setup } from 'xstate';
import type { Outbox } from '../../../kernel/kit.ts';
import type { Address, Post } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import type { ChipletMessage } from '../gpu/protocol.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import { systemProtocol } from './protocol.ts';

/** Fixed when the parts are wired. */
export interface GateInput {
  readonly barrier: Address;
  /** Index of the chiplet at the barrier. */
  readonly chiplet: number;
  readonly mailbox: Address;
  /** Who carries messages to other chiplets. */
  readonly carrier: Address;
  /** Ticks of the system in a cycle of the chiplet. */
  readonly cycleTicks: number;
  /** The cycle of the first meeting, at least 1. */
  readonly firstMeeting: number;
}

/** A message for a chiplet that has to wait until a meeting is over, and the first tick in which it could be read. */
interface HeldMessage {
  readonly message: ChipletMessage<'message.arrived'> | ChipletMessage<'message.sent'>;
  readonly tick: number;
}

/** What a gate remembers. */
export interface GateContext {
  readonly spec: GateInput;
  /** Cycles in which the chiplet stood at meetings: its counter is so many behind its clock. */
  lost: number;
  /** The next meeting: its cycle and its number. */
  meeting: number;
  generation: number;
  /** What parts of the chiplet have posted for after the meeting, with the cycles counted when it is due. */
  letters: { readonly letter: Post; readonly at: number }[];
  messages: HeldMessage[];
  /** True once it is on its way to the meeting. */
  due: boolean;
  stopped: boolean;
  finished: boolean;
  /** When messages left, in cycles of the chiplet's clock from 0, with both ends. */
  sent: { readonly cycle: number; readonly src: ChipletAddress; readonly dst: ChipletAddress }[];
}

type Out = Pick<Outbox, 'post' | 'now' | 'self'>;

const role = systemProtocol.roles.Gate;
const { act, when } = role.component<GateContext>();

/** The tick in which the chiplet has counted so many cycles, as far as is known. */
const tickAt = ({ spec, lost }: GateContext, cycles: number): number => spec.cycleTicks * (cycles + lost);

/** Goes to the meeting, in its cycle or now if that is over; once only. */
function goToMeeting(c: GateContext, out: Out): void {
  if (c.due || c.finished) return;
  c.due = true;
  const delay = Math.max(0, tickAt(c, c.meeting) - out.now);
  out.post({ to: out.self, type: 'gate.meet', generation: c.generation, delay });
}

/** Posts what is due before the next meeting, and goes there if something is left. */
function letOut(c: GateContext, out: Out): void {
  const { now } = out;
  const letters = c.letters.filter(({ letter, at }) => {
    if (at >= c.meeting && !c.finished) return true;
    out.post({ ...letter, delay: tickAt(c, at) - now });
    return false;
  });
  const messages = c.messages.filter(({ message, tick }) => {
    const { cycleTicks, mailbox } = c.spec;
    const clock = Math.ceil(Math.max(tick, now) / cycleTicks);
    const counted = clock - c.lost;
    if (counted >= c.meeting && !c.finished) return true;
    out.post({ ...message, to: mailbox, cycle: counted + 1, delay: cycleTicks * clock - now });
    return false;
  });
  c.letters = letters;
  c.messages = messages;
  if (letters.length + messages.length > 0) goToMeeting(c, out);
}

/** A message has come; it can be read from the next cycle of the chiplet's clock on. */
function receive(
  c: GateContext,
  message: ChipletMessage<'message.arrived'> | ChipletMessage<'message.sent'>,
  out: Out,
): void {
  const { cycleTicks, mailbox } = c.spec;
  const clock = Math.ceil(out.now / cycleTicks);
  const cycle = clock + 1 - c.lost;
  if (c.finished || cycle <= c.meeting) {
    out.post({ ...message, to: mailbox, cycle, delay: cycleTicks * clock - out.now });
    return;
  }
  c.messages.push({ message, tick: out.now });
  goToMeeting(c, out);
}

/**
 * The border of a chiplet that meets others every so many cycles (chiplet specification 10): it keeps what is due after the meeting until all are
 * there, and tells the world outside, whose clock goes on, the chiplet's cycles as cycles of that clock.
 *
 * Details: `cycle` of a message says in which cycle it has its effect; it is there in the tick in which one less is counted. A chiplet whose parts
 * have nothing to do after the meeting does not go there by itself.
 */
export const gate = setup({
  types: role.types<GateContext, GateInput>(),
  guards: {
    stopped: when((c) => c.stopped),
    free: when((c) => !c.stopped),
    meets: when<'gate.meet'>((c, { generation }) => generation === c.generation && !c.finished),
  },
  actions: {
    hold: act<'gate.hold'>((c, { letter, at }, out) => {
      c.letters.push({ letter, at });
      letOut(c, out);
    }),
    arrive: act((c, _event, out) => {
      c.stopped = true;
      const { barrier, chiplet } = c.spec;
      const { generation, meeting: cycle } = c;
      out.post({ to: barrier, type: 'sync.arrive', chiplet, generation, cycle, tick: tickAt(c, cycle) });
    }),
    answerCall: act<'sync.call'>((c, { generation }, out) => {
      if (generation === c.generation) goToMeeting(c, out);
    }),
    goOn: act<'sync.release'>((c, { generation, cycle, tick }, out) => {
      c.lost = Math.max(c.lost, Math.ceil(tick / c.spec.cycleTicks) - c.meeting);
      // Where the release comes late, the chiplet has stood until now: what is due first is due now.
      const first = Math.min(...c.letters.map(({ at }) => at));
      if (tickAt(c, first) < out.now) c.lost = Math.ceil(out.now / c.spec.cycleTicks) - first;
      c.meeting = cycle;
      c.generation = generation + 1;
      c.stopped = false;
      c.due = false;
      letOut(c, out);
    }),
    send: act<'message.send' | 'message.wanted'>((c, message, out) => {
      const cycle = message.cycle + c.lost;
      const { src, dst } = message;
      if (message.type === 'message.send') c.sent.push({ cycle: cycle - 1, src, dst });
      out.post({ ...message, to: c.spec.carrier, cycle, delay: 0 });
    }),
    receive: act<'message.arrived' | 'message.sent'>((c, message, out) => receive(c, message, out)),
    finish: act<'host.ended'>((c, { cycle }, out) => {
      c.finished = true;
      const { barrier, chiplet } = c.spec;
      out.post({ to: barrier, type: 'sync.finish', chiplet, cycle: cycle - 1 });
      letOut(c, out);
    }),
  },
}).createMachine({
  id: 'gate',
  context: ({ input }) => ({
    spec: input,
    lost: 0,
    meeting: input.firstMeeting,
    generation: 0,
    letters: [],
    messages: [],
    due: false,
    stopped: false,
    finished: false,
    sent: [],
  }),
  on: {
    'gate.hold': { actions: 'hold' },
    'gate.meet': [{ guard: 'meets', actions: 'arrive' }, {}],
    'sync.call': { actions: 'answerCall' },
    'sync.release': { actions: 'goOn' },
    'message.send': { actions: 'send' },
    'message.wanted': { actions: 'send' },
    'message.arrived': { actions: 'receive' },
    'message.sent': { actions: 'receive' },
    'host.ended': { actions: 'finish' },
  },
  initial: 'open',
  states: {
    open: { always: { guard: 'stopped', target: 'atMeeting' } },
    atMeeting: {
      ...waitingFor<GateContext>('the other chiplets', ({ spec }) => spec.barrier),
      always: { guard: 'free', target: 'open' },
    },
  },
});
