import { gasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import type { Handler } from '../../actors/tca/gasnet/handler.ts';

const heard: Handler = () => {};

/** Everybody sends messages to the last node, whose program has ended: nobody takes them out of the rings, and the rings fill. */
export const nobodyPolls = gasnetProgram(function* (gasnet) {
  yield* gasnet.init();
  yield* gasnet.attach([{ handler: heard }]);
  yield* gasnet.barrier();
  const last = gasnet.nodes - 1;
  if (gasnet.rank === last) return;
  for (let number = 0; number < 20; number++)
    yield* gasnet.request(last, 'short', gasnet.indexOf(heard), { args: [number] });
});

/** The last node waits for a message before it comes to the barrier in which all others wait. */
export const missingNode = gasnetProgram(function* (gasnet) {
  let come = false;
  const wakes: Handler = () => {
    come = true;
  };
  yield* gasnet.init();
  yield* gasnet.attach([{ handler: wakes }]);
  if (gasnet.rank === gasnet.nodes - 1) yield* gasnet.waitUntil(() => come);
  yield* gasnet.barrier(1);
});
