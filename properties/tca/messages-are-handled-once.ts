import type { Delivery, MessageCall } from '../../actors/tca/gasnet/calls.ts';
import { judged, property } from '../property.ts';
import { nodeIn, OpenCalls, said, type TcaContext } from './context.ts';
import { LeftOver } from './left-over.ts';

const wayOf = (from: number, to: number): string => `Node[${from}] to Node[${to}]`;

/** What a message is known by at both ends. */
const nameOf = (
  from: number,
  to: number,
  reply: boolean,
  { kind, handler, args, bytes }: Pick<MessageCall, 'kind' | 'handler' | 'args' | 'bytes'>,
): string =>
  `${reply ? 'reply' : 'request'} ${kind === 'longAsync' ? 'long' : kind} ${handler}(${args.map((arg) => arg >>> 0)}) with ${bytes} bytes, ${wayOf(from, to)}`;

/** Every message that was sent runs its handler at its target, once (TCA specification 12.2; 19, I11). */
export const messagesAreHandledOnce = property<TcaContext>(
  'every message runs its handler once, where it was sent to',
  (run) =>
    judged(said(run, 'gasnet.call', 'gasnet.return', 'cpu.exit'), (found) => {
      /** Messages on their way, by name. */
      const under = new Map<string, { count: number; readonly way: string }>();
      /** The names of messages whose calls have not returned, and by node those whose handlers run. */
      const calling = new Map<MessageCall, { readonly name: string; readonly way: string }>();
      const calls = new OpenCalls();
      const running = new Map<number, Delivery[]>();
      let over = false;

      const change = (name: string, way: string, by: number): number => {
        const one = under.get(name) ?? { count: 0, way };
        under.set(name, one);
        one.count += by;
        return one.count;
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
              const way = wayOf(node, target);
              change(name, way, 1);
              calling.set(call, { name, way });
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
            if (change(name, wayOf(source, node), -1) < 0)
              found([to], `${name} is handled, and nobody has sent it`);
            return;
          }
          const ended = calls.end(node, answer);
          if (ended?.call !== 'request' && ended?.call !== 'reply') return;
          // What was refused is not sent.
          const { name, way } = calling.get(ended)!;
          if (answer.status !== 'OK') change(name, way, -1);
          calling.delete(ended);
        },
        end() {
          if (!run.quiet || over) return;
          const unhandled = new LeftOver();
          for (const [name, { count, way }] of under)
            for (let k = 0; k < count; k++) unhandled.add(way, name);
          unhandled.tell('was sent and not handled', 'messages were sent and not handled', found);
        },
      };
    }),
);
