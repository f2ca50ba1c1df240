import type { ChipletMessage } from '../../../actors/chiplet/gpu/protocol.ts';
import { count, type Tell } from '../../judging.ts';
import { chipletIn, judging, mailboxOf, pairOf, type SystemContext } from './context.ts';

/** What a request asks for, and the mailbox it asks. */
interface Asked {
  readonly mailbox: string;
  readonly request: ChipletMessage<'mailbox.request'>;
}

interface Mail {
  /** By asker and ticket. */
  readonly open: Record<string, Asked>;
  /** By sender and mailbox: values that came and that no receive has taken, and all that ever came, for receives by index. */
  readonly store: Record<string, { readonly left: number[]; readonly all: number[] }>;
  /** By mailbox: open requests that receive. With one alone, its values must be the oldest. */
  readonly receivers: Record<string, number>;
  /** Mailboxes that had several of them at a time. */
  readonly shared: Record<string, true>;
}

const storeOf = ({ store }: Mail, pair: string): Mail['store'][string] => {
  store[pair] ??= { left: [], all: [] };
  return store[pair];
};

function receives({ receivers }: Mail, { mailbox, request }: Asked, by: number): number {
  const some = request.items.some(({ operation }) => operation === 'receive');
  return count(receivers, mailbox, some ? by : 0);
}

/** Receives take the oldest values, or those with their indices; sends give back what they sent (chiplet specification 4.3; 14, M1). */
export const receivesTakeWhatCame = ({ config: { mailbox: mode }, nameOf }: SystemContext) => {
  function judge(mail: Mail, { mailbox, request }: Asked, values: readonly number[], tell: Tell): void {
    if (values.length !== request.items.length)
      tell([mailbox], `${values.length} values for ${request.items.length} items`);
    for (const [at, { operation, peer, value }] of request.items.entries()) {
      const got = values[at]!;
      if (operation === 'send') {
        if (got !== value) tell([mailbox], `a send of ${value} gives back ${got}`);
        continue;
      }
      const pair = pairOf(peer, mailbox);
      const { left, all } = storeOf(mail, pair);
      if (mode === 'indexed') {
        if (all[value] !== got)
          tell([mailbox], `value ${value} from ${pair} is ${all[value]}, taken was ${got}`);
        continue;
      }
      const index = left.indexOf(got);
      if (index < 0) tell([mailbox], `a receive from ${pair} takes ${got}, which is not there`);
      else if (index > 0 && !mail.shared[mailbox])
        tell([mailbox], `a receive from ${pair} takes ${got} before ${left[0]}`);
      if (index >= 0) left.splice(index, 1);
    }
  }

  return judging({
    sentence: 'a receive takes values that have come, the oldest first or by index, and none of them twice',
    watches: ['mailbox.request', 'mailbox.answer', 'message.arrived'],
    about: ({ to }) => chipletIn(to),
    begin: (): Mail => ({ open: {}, store: {}, receivers: {}, shared: {} }),
    see(mail, { to: actor, from, event }, tell) {
      if (event.type === 'mailbox.request') {
        const asked = { mailbox: mailboxOf(actor), request: event };
        mail.open[`${nameOf(event.asker)}/${event.ticket}`] = asked;
        if (receives(mail, asked, 1) > 1) mail.shared[asked.mailbox] = true;
      } else if (event.type === 'mailbox.answer') {
        const key = `${actor}/${event.ticket}`;
        const asked = mail.open[key];
        delete mail.open[key];
        if (asked === undefined) {
          tell([actor], `an answer of ${from} to nothing`);
          return;
        }
        receives(mail, asked, -1);
        judge(mail, asked, event.values, tell);
      } else {
        const { left, all } = storeOf(mail, pairOf(event.src, mailboxOf(actor)));
        if (mode === 'indexed') all.push(event.value);
        else left.push(event.value);
      }
    },
  });
};
