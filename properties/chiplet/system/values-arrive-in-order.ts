import type { MessageArrived, MessageSend } from '../../../actors/chiplet/gpu/messages.ts';
import type { MessageWanted } from '../../../actors/chiplet/system/latency-messages.ts';
import { judged } from '../../property.ts';
import { pairOf, type Said, type SystemProperty, said } from './context.ts';

/** What comes is what was sent, in that order, and no more (chiplet specification 14, M1, M2). */
export const valuesArriveInOrder: SystemProperty = {
  sentence: 'the values that come from a chiplet are those it has sent, each once, in the order of sending',
  observe: (run, { config: { mode } }) =>
    judged(said(run, 'message.send', 'message.arrived', 'message.wanted'), (found) => {
      const sent = new Map<string, number[]>();
      const came = new Map<string, number>();
      /** In rounds a message comes when it is asked for. */
      const wanted = new Map<string, number>();
      return {
        see({ actor, event }: Said<MessageSend | MessageArrived | MessageWanted>) {
          const pair = pairOf(event.src, event.dst);
          if (event.type === 'message.wanted') {
            wanted.set(pair, (wanted.get(pair) ?? 0) + 1);
            return;
          }
          const values = sent.get(pair) ?? [];
          sent.set(pair, values);
          if (event.type === 'message.send') {
            values.push(event.value);
            return;
          }
          const index = came.get(pair) ?? 0;
          came.set(pair, index + 1);
          if (index >= values.length) found([actor], `message ${index} from ${pair} comes before it is sent`);
          else if (values[index] !== event.value)
            found([actor], `message ${index} from ${pair} is ${event.value}, sent was ${values[index]}`);
        },
        end() {
          if (!run.quiet) return;
          for (const [pair, { length }] of sent) {
            const due = mode === 'iterative' ? Math.min(length, wanted.get(pair) ?? 0) : length;
            if ((came.get(pair) ?? 0) < due)
              found([], `of ${length} messages from ${pair} ${came.get(pair) ?? 0} came`);
          }
        },
      };
    }),
};
