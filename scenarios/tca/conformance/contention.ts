import type { Gasnet } from '../../../actors/tca/gasnet/gasnet.ts';
import type { Handle } from '../../../actors/tca/gasnet/handle.ts';
import type { Handler } from '../../../actors/tca/gasnet/handler.ts';
import type { Task } from '../../../actors/tca/gasnet/task.ts';
import type { NodeAnswer, NodeOperation } from '../../../actors/tca/node-program.ts';
import type { ConformanceCase } from './case.ts';
import { agree, pattern, sameBytes } from './judge.ts';
import { enter, leave, type Party } from './party.ts';

const threads = 4;
const rounds = 5;
const place = 2 ** 13;

/** What a thread of a node gives the word with. */
const pause = Symbol('pause');
type Thread = Generator<NodeOperation | typeof pause, void, NodeAnswer>;

/** Runs the threads of a node by turns, until all are done: each goes on until it has to wait. */
function* byTurns(party: Party, list: readonly Thread[]): Task<void> {
  const open = [...list];
  while (open.length > 0) {
    const at = party.draw(open.length);
    const thread = open[at]!;
    let step = thread.next(undefined as never);
    while (!step.done && step.value !== pause) step = thread.next(yield step.value);
    if (step.done) open.splice(at, 1);
    else yield* party.gasnet.poll();
  }
}

function* until(gasnet: Gasnet, handle: Handle): Thread {
  while (!(yield* gasnet.test(handle))) yield pause;
}

/** C18: several programs a node, which mix all operations. */
export const contention: ConformanceCase = {
  id: 'C18',
  title: 'several programs a node mix puts, gets and messages of odd sizes; nothing is lost',
  mirrors: 'testcontend, testlockcontend, testthreads',
  mandatory: false,
  program: ({ seed }) =>
    function* (gasnet) {
      const answered = new Array<number>(threads).fill(0);
      let taken = 0;
      const take: Handler = function* (here, token, { args: [thread, given, size], payload }) {
        sameBytes('the payload of a thread', payload, pattern(given!, size!));
        taken++;
        agree('a reply', yield* token.reply('short', here.indexOf(answer), { args: [thread!] }), 'OK');
      };
      const answer: Handler = (_gasnet, _token, { args: [thread] }) => {
        answered[thread!]!++;
      };
      const party = yield* enter(gasnet, seed, [take, answer]);
      const limit = gasnet.limits.mediumBytes;
      const thread = function* (number: number): Thread {
        for (let round = 0; round < rounds; round++) {
          const size = [limit - 1, limit, 1 + party.draw(limit)][party.draw(3)]!;
          const target = party.further(1 + party.draw(party.nodes));
          const given = party.draw(1000);
          const src = party.own('cpu', number * place);
          const dst = party.at(target, 'gpu', (party.rank * threads + number) * place + party.draw(8));
          yield* gasnet.write(src, pattern(given, size + 1));
          // One byte more than a packet brings.
          yield* until(gasnet, yield* gasnet.putNb(dst, src, size + 1, { bulk: true }));
          const options = { args: [number, given, size], src, bytes: size };
          agree('a message', yield* gasnet.request(target, 'medium', gasnet.indexOf(take), options), 'OK');
          const back = party.own('private', number * place);
          yield* until(gasnet, yield* gasnet.getNb(back, dst, size + 1));
          yield* party.holds('what a thread has put', back, pattern(given, size + 1));
          while (answered[number]! <= round) yield pause;
        }
      };
      yield* byTurns(
        party,
        Array.from({ length: threads }, (_, number) => thread(number)),
      );
      yield* leave(party);
      agree('replies', answered.join(), new Array<number>(threads).fill(rounds).join());
      // Rank 0 hears how many each has taken: together as many as were sent.
      yield* tally(party, taken);
    },
};

function* tally(party: Party, taken: number): Task<void> {
  const { gasnet, rank, nodes } = party;
  agree('a count', yield* gasnet.putValue(party.at(0, 'cpu', 2 ** 17 + 4 * rank), taken, 4), 'OK');
  yield* leave(party);
  if (rank !== 0) return;
  const bytes = yield* gasnet.read(party.own('cpu', 2 ** 17), 4 * nodes);
  const counts = new Uint32Array(bytes.slice().buffer);
  agree(
    'messages of all threads',
    counts.reduce((sum, count) => sum + count, 0),
    threads * rounds * nodes,
  );
}
