import { judged } from '../../property.ts';
import { mailboxOf, type SystemProperty, said } from './context.ts';

/** A mailbox sends what it is asked to send, one value a cycle, items of a request in their order (chiplet specification 4.1, 7.3; 14, M3). */
export const sendsLeaveInOrder: SystemProperty = {
  sentence: 'a chiplet sends one message a cycle at most, the values of a request in their order',
  observe: (run) =>
    judged(said(run, 'mailbox.request', 'message.send'), (found) => {
      /** By sender: values that were asked to be sent, request by request. */
      const asked = new Map<string, number[][]>();
      const last = new Map<string, number>();
      return {
        see({ actor, event }) {
          if (event.type === 'mailbox.request') {
            const values = event.items
              .filter(({ operation }) => operation === 'send')
              .map(({ value }) => value);
            if (values.length === 0) return;
            const sender = mailboxOf(actor);
            asked.set(sender, [...(asked.get(sender) ?? []), values]);
            return;
          }
          if (event.type !== 'message.send') return;
          const sender = String(event.src);
          const before = last.get(sender) ?? 0;
          if (event.cycle <= before)
            found([actor], `${sender} sends in cycle ${event.cycle} after cycle ${before}`);
          last.set(sender, event.cycle);
          const requests = asked.get(sender) ?? [];
          const next = requests.find(([value]) => value === event.value);
          if (next === undefined) found([actor], `${sender} sends ${event.value}, whose turn it is not`);
          else next.shift();
          asked.set(
            sender,
            requests.filter(({ length }) => length > 0),
          );
        },
      };
    }),
};
