import type { Delivery, MessageCall } from '../../actors/tca/gasnet/calls.ts';
import { judged, property } from '../property.ts';
import { nodeIn, OpenCalls, said, type TcaContext } from './context.ts';

/** What a message is known by at both ends. */
const nameOf = (
  from: number,
  to: number,
  reply: boolean,
  { kind, handler, args, bytes }: Pick<MessageCall, 'kind' | 'handler' | 'args' | 'bytes'>,
): string =>
  `${reply ? 'reply' : 'request'} ${kind === 'longAsync' ? 'long' : kind} ${handler}(${args.map((arg) => arg >>> 0)}) with ${bytes} bytes, ${from} to ${to}`;

/** Every message that was sent runs its handler at its target, once (TCA specification 12.2; 19, I11). */
export const messagesAreHandledOnce = property<TcaContext>(
  'every message runs its handler once, where it was sent to',
  (run) =>
    judged(said(run, 'gasnet.call', 'gasnet.return', 'cpu.exit'), (found) => {
      /** Messages on their way, by name. */
      const under = new Map<string, number>();
      /** The names of messages whose calls have not returned, and by node those whose handlers run. */
      const calling = new Map<MessageCall, string>();
      const calls = new OpenCalls();
      const running = new Map<number, Delivery[]>();
      let over = false;

      const change = (name: string, by: number): number => {
        const count = (under.get(name) ?? 0) + by;
        under.set(name, count);
        return count;
      };

      return {
        see({ from, to, event }) {
          if (event.type === 'cpu.exit') {
            over = true;
            return;
          }
          if (event.type === 'gasnet.call') {
            const node = nodeIn(from);
            const { call } = event;
            calls.begin(node, call);
            const handlers = running.get(node) ?? [];
            if (call.call === 'request' || call.call === 'reply') {
              const target = call.call === 'request' ? call.target : (handlers.at(-1)?.source ?? -1);
              const name = nameOf(node, target, call.call === 'reply', call);
              // It may be handled before the call returns.
              change(name, 1);
              calling.set(call, name);
            }
            if (call.call === 'handled') running.set(node, handlers.slice(0, -1));
            return;
          }
          const node = nodeIn(to);
          const { answer } = event;
          if (answer.answer === 'handler') {
            const { source, reply } = answer.delivery;
            running.set(node, [...(running.get(node) ?? []), answer.delivery]);
            const name = nameOf(source, node, reply, answer.delivery);
            if (change(name, -1) < 0) found([to], `${name} is handled, and nobody has sent it`);
            return;
          }
          const ended = calls.end(node, answer);
          if (ended?.call !== 'request' && ended?.call !== 'reply') return;
          // What was refused is not sent.
          if (answer.status !== 'OK') change(calling.get(ended)!, -1);
          calling.delete(ended);
        },
        end() {
          if (!run.quiet || over) return;
          for (const [name, count] of under)
            if (count > 0) found([name], `${name} was sent and ${count} times not handled`);
        },
      };
    }),
);
