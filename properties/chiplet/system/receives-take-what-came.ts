import type { MailboxRequest } from '../../../actors/chiplet/gpu/messages.ts';
import { judged } from '../../property.ts';
import { mailboxOf, pairOf, type SystemProperty, said } from './context.ts';

/** What a request asks for, and the mailbox it asks. */
interface Asked {
  readonly mailbox: string;
  readonly request: MailboxRequest;
}

/** Values of one sender that came and that no receive has taken. */
interface Untaken {
  readonly values: number[];
  /** All that ever came, for receives by index. */
  readonly all: number[];
}

/** Receives take the oldest values, or those with their indices; sends give back what they sent (chiplet specification 4.3; 14, M1). */
export const receivesTakeWhatCame: SystemProperty = {
  sentence: 'a receive takes values that have come, the oldest first or by index, and none of them twice',
  observe: (run, { config: { mailbox: mode } }) =>
    judged(said(run, 'mailbox.request', 'mailbox.answer', 'message.arrived'), (found) => {
      const open = new Map<string, Asked>();
      const store = new Map<string, Untaken>();
      const untakenOf = (pair: string): Untaken => {
        const known = store.get(pair) ?? { values: [], all: [] };
        store.set(pair, known);
        return known;
      };
      /** Requests open at a mailbox that receive: with one alone, its values must be the oldest. */
      const receivers = new Map<string, number>();
      const count = ({ mailbox, request }: Asked, by: number): void => {
        if (!request.items.some(({ operation }) => operation === 'receive')) return;
        receivers.set(mailbox, (receivers.get(mailbox) ?? 0) + by);
      };
      const shared = new Set<string>();
      const judge = ({ mailbox, request }: Asked, values: readonly number[]): void => {
        if (values.length !== request.items.length)
          found([mailbox], `${values.length} values for ${request.items.length} items`);
        for (const [at, { operation, peer, value }] of request.items.entries()) {
          const got = values[at]!;
          if (operation === 'send') {
            if (got !== value) found([mailbox], `a send of ${value} gives back ${got}`);
            continue;
          }
          const pair = pairOf(peer, mailbox);
          const { values: left, all } = untakenOf(pair);
          if (mode === 'indexed') {
            if (all[value] !== got)
              found([mailbox], `value ${value} from ${pair} is ${all[value]}, taken was ${got}`);
            continue;
          }
          const index = left.indexOf(got);
          if (index < 0) found([mailbox], `a receive from ${pair} takes ${got}, which is not there`);
          else if (index > 0 && !shared.has(mailbox))
            found([mailbox], `a receive from ${pair} takes ${got} before ${left[0]}`);
          if (index >= 0) left.splice(index, 1);
        }
      };
      return {
        see({ actor, address, from, event }) {
          if (event.type === 'mailbox.request') {
            const asked = { mailbox: mailboxOf(actor), request: event };
            open.set(`${event.asker}/${event.ticket}`, asked);
            count(asked, 1);
            if ((receivers.get(asked.mailbox) ?? 0) > 1) shared.add(asked.mailbox);
          } else if (event.type === 'mailbox.answer') {
            const key = `${address}/${event.ticket}`;
            const asked = open.get(key);
            open.delete(key);
            if (asked === undefined) {
              found([actor], `an answer of ${from} to nothing`);
              return;
            }
            count(asked, -1);
            judge(asked, event.values);
          } else if (event.type === 'message.arrived') {
            const pair = untakenOf(pairOf(event.src, mailboxOf(actor)));
            pair.values.push(event.value);
            pair.all.push(event.value);
          }
        },
      };
    }),
};
