import type { PlainProtocol } from './plain-search.ts';

interface Party {
  /** The sender: values acknowledged; the receiver: those that it has handed on. */
  acknowledged: number;
  readonly delivered: number[];
  bit: number;
}
type Message = readonly ['data', bit: number, value: number] | readonly ['ack', bit: number];

/** The alternating bit protocol; party 0 sends. */
export function plainAlternatingBit(
  { messages, capacity }: { messages: number; capacity: number },
  network: Pick<PlainProtocol<Party, Message>, 'duplicating' | 'losses'>,
): PlainProtocol<Party, Message> {
  const send = ({ acknowledged, bit }: Party, out: Parameters<PlainProtocol<Party>['receive']>[2]) => {
    if (acknowledged === messages) return;
    out.send(1, ['data', bit, acknowledged]);
    out.set('resend');
  };
  const party = () => ({ acknowledged: 0, delivered: [], bit: 0 });
  return {
    ...network,
    ordered: true,
    parties: [party(), party()],
    start: (one, out, self) => self === 0 && send(one, out),
    receive(one, message, out, _from, self) {
      if (self === 1) {
        if (message[0] === 'data' && message[1] === one.bit) {
          one.delivered.push(message[2]);
          one.bit = 1 - one.bit;
        }
        out.send(0, ['ack', message[1]]);
      } else if (one.acknowledged < messages && message[1] === one.bit) {
        one.acknowledged++;
        one.bit = 1 - one.bit;
        out.cancel('resend');
        send(one, out);
      }
    },
    timeOut: (one, _timer, out) => send(one, out),
    within: ({ messages: all }) =>
      [0, 1].every((from) => all.filter((one) => one[0] === from).length <= capacity),
    safe: ({ parties: [sender, receiver] }) =>
      receiver!.delivered.every((value, at) => value === at) &&
      sender!.acknowledged <= receiver!.delivered.length,
  };
}
