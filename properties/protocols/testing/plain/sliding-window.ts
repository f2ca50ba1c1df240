import type { PlainProtocol } from './plain-search.ts';

interface Party {
  /** The sender: first value without an acknowledgement, and first one never sent; the receiver: what it has handed on. */
  base: number;
  next: number;
  readonly delivered: number[];
}
type Message = readonly ['data', number: number, value: number] | readonly ['ack', number: number];

interface Size {
  readonly messages: number;
  readonly window: number;
  readonly modulus: number;
  readonly capacity: number;
}

/** Go back N; party 0 sends. */
export function plainSlidingWindow(
  { messages, window, modulus, capacity }: Size,
  network: Pick<PlainProtocol<Party, Message>, 'duplicating' | 'losses'>,
): PlainProtocol<Party, Message> {
  const party = (): Party => ({ base: 0, next: 0, delivered: [] });
  const maySend = ({ base, next }: Party) => next < base + window && next < messages;
  return {
    ...network,
    ordered: true,
    parties: [party(), party()],
    start: (one, out, self) => {
      if (self === 0 && maySend(one)) out.set('send');
    },
    receive(one, message, out, _from, self) {
      if (self === 1) {
        if (message[0] === 'data' && message[1] === one.delivered.length % modulus)
          one.delivered.push(message[2]);
        out.send(0, ['ack', one.delivered.length % modulus]);
        return;
      }
      // The acknowledgement is for the least number of values that it can be for.
      for (let base = one.base + 1; base <= one.next; base++)
        if (base % modulus === message[1]) {
          one.base = base;
          break;
        }
      if (one.base === one.next) out.cancel('timeout');
      if (maySend(one)) out.set('send');
    },
    timeOut(one, timer, out) {
      const from = timer === 'send' ? one.next : one.base;
      if (timer === 'send') one.next++;
      for (let value = from; value < one.next; value++) out.send(1, ['data', value % modulus, value]);
      out.set('timeout');
      if (maySend(one)) out.set('send');
      else out.cancel('send');
    },
    within: ({ messages: all }) =>
      [0, 1].every((from) => all.filter((one) => one[0] === from).length <= capacity),
    safe: ({ parties: [sender, receiver] }) =>
      receiver!.delivered.every((value, at) => value === at) && sender!.base <= receiver!.delivered.length,
  };
}
