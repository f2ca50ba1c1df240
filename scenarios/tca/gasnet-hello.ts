import { gasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import type { Handler } from '../../actors/tca/gasnet/handler.ts';

const bytes = 16;
const greeting = (rank: number): Uint8Array =>
  Uint8Array.from(`hello from ${rank}`.padEnd(bytes), (letter) => letter.charCodeAt(0));

/**
 * Every rank puts its name into the GPU memory of the next one, and asks rank 0 to count it.
 *
 * Details: a put is done when the target has answered; after the barrier all have put. A request runs a handler at its target, which may reply once.
 */
export const hello = gasnetProgram(function* (gasnet) {
  let present = 0;
  let counted: number | undefined;
  const count: Handler = function* (_gasnet, token) {
    present++;
    yield* token.reply('short', gasnet.indexOf(told), { args: [present] });
  };
  const told: Handler = (_gasnet, _token, { args: [number] }) => {
    counted = number;
  };
  yield* gasnet.init();
  yield* gasnet.attach([{ handler: count }, { handler: told }]);

  const { rank, nodes } = gasnet;
  const next = (rank + 1) % nodes;
  const own = gasnet.segment(rank, 'cpu').base;
  yield* gasnet.write(own, greeting(rank));
  yield* gasnet.put(gasnet.segment(next, 'gpu').base, own, bytes);
  yield* gasnet.request(0, 'short', gasnet.indexOf(count));
  yield* gasnet.waitUntil(() => counted !== undefined);
  yield* gasnet.barrier();

  const found = yield* gasnet.read(gasnet.segment(rank, 'gpu').base, bytes);
  const expected = greeting((rank + nodes - 1) % nodes);
  const good = found.every((byte, k) => byte === expected[k]);
  yield* gasnet.barrier();
  yield* gasnet.exit(good ? 0 : 1);
});
