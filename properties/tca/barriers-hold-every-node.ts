import {
  callBegins,
  callEnds,
  noCalls,
  nodeIn,
  type OpenCalls,
  type TcaKnown,
  tcaProperty,
} from './context.ts';

/** By node: barriers that it has entered and left. */
interface Barriers {
  readonly entered: number[];
  readonly left: number[];
  readonly calls: OpenCalls;
}

/** No node leaves a phase of the barrier before all have entered it (TCA specification 12.6; 19, I24). */
export const barriersHoldEveryNode = ({ config: { nodes } }: TcaKnown) =>
  tcaProperty({
    sentence: 'no node leaves a barrier before all have entered it',
    watches: ['gasnet.call', 'gasnet.return'],
    begin: (): Barriers => ({
      entered: new Array<number>(nodes).fill(0),
      left: new Array<number>(nodes).fill(0),
      calls: noCalls(nodes),
    }),
    see({ entered, left, calls }, { from, to, event }, found) {
      if (event.type === 'gasnet.call') {
        const node = nodeIn(from);
        if (event.call.call === 'barrierNotify') entered[node]!++;
        callBegins(calls, node, event.call, event.call.call);
        return;
      }
      const node = nodeIn(to);
      const { answer } = event;
      const ended = callEnds(calls, node, answer);
      if (answer.answer !== 'done' || ended !== 'barrierFinish' || answer.status === 'NOT_READY') return;
      left[node]!++;
      const late = entered.findIndex((count) => count < left[node]!);
      if (late >= 0) found([to], `it leaves barrier ${left[node]}, which node ${late} has not entered`);
    },
  });
