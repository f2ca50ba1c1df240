import type { MessageCall } from '../../actors/tca/gasnet/calls.ts';
import {
  byName,
  callBegins,
  callEnds,
  noCalls,
  nodeIn,
  type OpenCalls,
  type TcaKnown,
  tcaProperty,
} from './context.ts';
import { mustEnd } from './left-over.ts';

const wayOf = (from: number, to: number): string => `Node[${from}] to Node[${to}]`;

/** What a message is known by at both ends. */
const nameOf = (
  from: number,
  to: number,
  reply: boolean,
  { kind, handler, args, bytes }: Pick<MessageCall, 'kind' | 'handler' | 'args' | 'bytes'>,
): string =>
  `${reply ? 'reply' : 'request'} ${kind === 'longAsync' ? 'long' : kind} ${handler}(${args.map((arg) => arg >>> 0)}) with ${bytes} bytes, ${wayOf(from, to)}`;

/** Messages of one name and way. */
interface Sent {
  readonly name: string;
  readonly way: string;
}

interface Messages {
  /** How many are on their way, by name. */
  readonly under: Record<string, { count: number; readonly way: string }>;
  /** What each open call has sent. */
  readonly calls: OpenCalls<Sent | null>;
  /** By node: who sent the messages whose handlers run. */
  readonly running: number[][];
  /** Whether the job has ended. */
  over: boolean;
}

/** Every message that was sent runs its handler at its target, once (TCA specification 12.2; 19, I11). */
export const messagesAreHandledOnce = ({ config: { nodes } }: TcaKnown) =>
  tcaProperty({
    sentence: 'every message runs its handler once, where it was sent to',
    watches: ['gasnet.call', 'gasnet.return', 'cpu.exit'],
    begin: (): Messages => ({
      under: {},
      calls: noCalls(nodes),
      running: Array.from({ length: nodes }, () => []),
      over: false,
    }),
    see(messages, { from, to, event }, found, met) {
      const { under, calls, running } = messages;
      if (event.type === 'cpu.exit') {
        messages.over = true;
        return;
      }
      if (event.type === 'gasnet.call') {
        const node = nodeIn(from);
        const { call } = event;
        const handlers = running[node]!;
        let sent: Sent | null = null;
        if (call.call === 'request' || call.call === 'reply') {
          const target = call.call === 'request' ? call.target : (handlers.at(-1) ?? -1);
          sent = { name: nameOf(node, target, call.call === 'reply', call), way: wayOf(node, target) };
          // It may be handled before the call returns.
          change(under, sent, 1);
        }
        callBegins(calls, node, call, sent);
        if (call.call === 'handled') handlers.pop();
        return;
      }
      const node = nodeIn(to);
      const { answer } = event;
      if (answer.answer === 'handler') {
        const { source, reply } = answer.delivery;
        running[node]!.push(source);
        const name = nameOf(source, node, reply, answer.delivery);
        met?.(name);
        if (change(under, { name, way: wayOf(source, node) }, -1) < 0)
          found([to], `${name} is handled, and nobody has sent it`);
        return;
      }
      const sent = callEnds(calls, node, answer);
      // What was refused is not sent.
      if (sent && answer.status !== 'OK') change(under, sent, -1);
    },
    ...mustEnd(
      'was sent and not handled',
      'messages were sent and not handled',
      ({ under, over }: Messages) =>
        over
          ? []
          : byName(under).flatMap(([what, { count, way }]) =>
              Array.from({ length: Math.max(0, count) }, () => ({ who: way, what })),
            ),
    ),
  });

function change(under: Messages['under'], { name, way }: Sent, by: number): number {
  under[name] ??= { count: 0, way };
  under[name].count += by;
  const { count } = under[name];
  if (count === 0) delete under[name];
  return count;
}
