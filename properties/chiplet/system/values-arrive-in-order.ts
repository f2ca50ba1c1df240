import { count, listOf } from '../../judging.ts';
import { judging, pairOf, type SystemContext } from './context.ts';

/** By pair of chiplets. */
interface Values {
  readonly sent: Record<string, number[]>;
  readonly came: Record<string, number>;
  /** In rounds a message comes when it is asked for. */
  readonly wanted: Record<string, number>;
}

/** What comes is what was sent, in that order, and no more (chiplet specification 14, M1, M2). */
export const valuesArriveInOrder = ({ config: { mode } }: SystemContext) =>
  judging({
    sentence: 'the values that come from a chiplet are those it has sent, each once, in the order of sending',
    watches: ['message.send', 'message.arrived', 'message.wanted'],
    about: ({ event }) => pairOf(event.src, event.dst),
    begin: (): Values => ({ sent: {}, came: {}, wanted: {} }),
    see({ sent, came, wanted }, { to: actor, event }, tell) {
      const pair = pairOf(event.src, event.dst);
      if (event.type === 'message.wanted') {
        count(wanted, pair, 1);
        return;
      }
      const values = listOf(sent, pair);
      if (event.type === 'message.send') {
        values.push(event.value);
        return;
      }
      const index = count(came, pair, 1) - 1;
      if (index >= values.length) tell([actor], `message ${index} from ${pair} comes before it is sent`);
      else if (values[index] !== event.value)
        tell([actor], `message ${index} from ${pair} is ${event.value}, sent was ${values[index]}`);
    },
    atRest({ sent, came, wanted }, tell) {
      for (const [pair, { length }] of Object.entries(sent)) {
        const due = mode === 'iterative' ? Math.min(length, wanted[pair] ?? 0) : length;
        if ((came[pair] ?? 0) < due) tell([], `of ${length} messages from ${pair} ${came[pair] ?? 0} came`);
      }
    },
  });
