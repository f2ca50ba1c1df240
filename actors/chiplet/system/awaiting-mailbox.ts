import { setup } from 'xstate';
import { waitsFor } from '../../../kernel/outcome.ts';
import { mailboxStates } from '../../common/mailbox.ts';
import {
  type MailboxInput,
  type MailboxKept,
  proceed,
  storeOf,
  type WaitingRequest,
} from '../gpu/mailbox.ts';
import { keyOf } from '../gpu/mailbox-store.ts';
import { type ChipletOutbox, chipletProtocol, type MailboxItem } from '../gpu/protocol.ts';

/** A request that is not answered yet. */
interface Waiting extends WaitingRequest {
  /** Number of the last item for which the coordinator was asked, -1 for none. */
  asked: number;
}

/** Whether the present item of a request waits for an answer of the coordinator. */
const isAsked = ({ asked, values }: Waiting): boolean => asked === values.length;

/** What a mailbox of an iterative run remembers. */
export interface AwaitingMailboxContext extends MailboxKept<Waiting> {
  /** True while a send has no answer yet: they go out one after the other. */
  sending: boolean;
  /** By sender: values that the coordinator was asked for. */
  wanted: Record<string, number>;
}

const role = chipletProtocol.roles.Mailbox;
const { act, update, when } = role.component<AwaitingMailboxContext>();

function send(
  c: AwaitingMailboxContext,
  one: Waiting,
  { own, peer, value }: MailboxItem,
  out: ChipletOutbox<'Mailbox'>,
): false {
  if (c.sending || isAsked(one)) return false;
  const { spec } = c;
  const cycle = Math.max(one.cycle, c.now);
  one.cycle = cycle + 1;
  one.asked = one.values.length;
  c.sending = true;
  if (keyOf(own) !== keyOf(spec.own)) c.foreignSources++;
  const src = spec.trustSource ? own : spec.own;
  const delay = cycle - c.now;
  // The coordinator answers who sends, whoever the message is from.
  const sender = keyOf(src) === keyOf(spec.own) ? {} : { sender: spec.own };
  out.post({ to: spec.carrier, type: 'message.send', src, dst: peer, ...sender, value, cycle, delay });
  c.trace.push({ cycle: cycle - 1, src, dst: peer });
  return false;
}

/** Asks the coordinator for as many values as the item needs; by index, values that were asked for before serve again. */
function want(
  c: AwaitingMailboxContext,
  one: Waiting,
  { peer, value: index }: MailboxItem,
  out: ChipletOutbox<'Mailbox'>,
): void {
  if (isAsked(one)) return;
  one.asked = one.values.length;
  const key = keyOf(peer);
  const before = c.wanted[key] ?? 0;
  const after = c.spec.mode === 'indexed' ? Math.max(before, index + 1) : before + 1;
  c.wanted[key] = after;
  const cycle = Math.max(one.cycle, c.now);
  for (let count = before; count < after; count++)
    out.post({
      to: c.spec.carrier,
      type: 'message.wanted',
      src: peer,
      dst: c.spec.own,
      cycle,
      delay: cycle - c.now,
    });
}

/** The mailbox of a chiplet whose sends and receives end when a coordinator says so (chiplet specification 9.5, 12). */
export const awaitingMailbox = setup({
  types: role.types<AwaitingMailboxContext, MailboxInput>(),
  guards: { somebodyWaits: when((c) => c.waiting.length > 0) },
  actions: {
    take: update<'mailbox.request'>((c, request) => {
      c.now = request.cycle;
      c.waiting.push({ request, values: [], cycle: request.cycle, asked: -1 });
    }),
    put: update<'message.arrived'>((c, { src, value, cycle }) => {
      c.now = cycle;
      c.store.arrive(src, value);
    }),
    conclude: update<'message.sent'>((c, { cycle }) => {
      c.now = cycle;
      c.sending = false;
      for (const one of c.waiting) {
        const item = one.request.items[one.values.length]!;
        if (item.operation === 'send' && isAsked(one)) one.values.push(item.value);
      }
    }),
    letGoOn: act((c, _event, out) => {
      c.waiting = c.waiting.filter(
        (one) =>
          !proceed(
            c,
            one,
            out,
            (item) => send(c, one, item, out),
            (item) => want(c, one, item, out),
          ),
      );
    }),
  },
}).createMachine({
  id: 'awaitingMailbox',
  context: ({ input }) => {
    const { inbox: _inbox, ...spec } = input;
    return {
      spec,
      store: storeOf(input),
      waiting: [],
      sending: false,
      wanted: {},
      now: 0,
      trace: [],
      foreignSources: 0,
    };
  },
  on: {
    'mailbox.request': { target: '.looking', actions: 'take' },
    'message.arrived': { target: '.looking', actions: 'put' },
    'message.sent': { target: '.looking', actions: 'conclude' },
  },
  initial: 'open',
  states: mailboxStates({
    meta: waitsFor<AwaitingMailboxContext>('messages of other chiplets', ({ spec }) => spec.carrier),
  }),
});
