import { judged, property } from '../property.ts';
import { nodeIn, OpenCalls, said, type TcaContext } from './context.ts';

/** No node leaves a phase of the barrier before all have entered it (TCA specification 12.6; 19, I24). */
export const barriersHoldEveryNode = property<TcaContext>(
  'no node leaves a barrier before all have entered it',
  (run, { config }) =>
    judged(said(run, 'gasnet.call', 'gasnet.return'), (found) => {
      const entered = new Array<number>(config.nodes).fill(0);
      const left = new Array<number>(config.nodes).fill(0);
      const calls = new OpenCalls();

      return {
        see({ from, to, event }) {
          if (event.type === 'gasnet.call') {
            const node = nodeIn(from);
            if (event.call.call === 'barrierNotify') entered[node]!++;
            calls.begin(node, event.call);
            return;
          }
          const node = nodeIn(to);
          const { answer } = event;
          const ended = calls.end(node, answer);
          if (answer.answer !== 'done' || ended?.call !== 'barrierFinish' || answer.status === 'NOT_READY')
            return;
          left[node]!++;
          const late = entered.findIndex((count) => count < left[node]!);
          if (late >= 0) found([to], `it leaves barrier ${left[node]}, which node ${late} has not entered`);
        },
      };
    }),
);
