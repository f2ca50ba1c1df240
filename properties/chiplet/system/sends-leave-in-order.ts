import { listOf } from '../../judging.ts';
import { judging, mailboxOf } from './context.ts';

interface Sends {
  /** By sender: values that were asked to be sent, request by request. */
  readonly asked: Record<string, number[][]>;
  /** By sender: the cycle in which it sent last. */
  readonly last: Record<string, number>;
}

/** A mailbox sends what it is asked to send, one value a cycle, items of a request in their order (chiplet specification 4.1, 7.3; 14, M3). */
export const sendsLeaveInOrder = () =>
  judging({
    sentence: 'a chiplet sends one message a cycle at most, the values of a request in their order',
    watches: ['mailbox.request', 'message.send'],
    about: ({ to, event }) => (event.type === 'mailbox.request' ? mailboxOf(to) : String(event.src)),
    begin: (): Sends => ({ asked: {}, last: {} }),
    see({ asked, last }, { to: actor, event }, tell) {
      if (event.type === 'mailbox.request') {
        const values = event.items.filter(({ operation }) => operation === 'send').map(({ value }) => value);
        if (values.length > 0) listOf(asked, mailboxOf(actor)).push(values);
        return;
      }
      const sender = String(event.src);
      const before = last[sender] ?? 0;
      if (event.cycle <= before)
        tell([actor], `${sender} sends in cycle ${event.cycle} after cycle ${before}`);
      last[sender] = event.cycle;
      const requests = listOf(asked, sender);
      const at = requests.findIndex(([value]) => value === event.value);
      if (at < 0) {
        tell([actor], `${sender} sends ${event.value}, whose turn it is not`);
        return;
      }
      requests[at]!.shift();
      if (requests[at]!.length === 0) requests.splice(at, 1);
    },
  });
