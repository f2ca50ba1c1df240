import type { Handler } from '../../../actors/tca/gasnet/handler.ts';
import type { ConformanceCase } from './case.ts';
import { agree, pattern, sameBytes } from './judge.ts';
import { enter, leave } from './party.ts';

const kinds = ['short', 'medium', 'long', 'longAsync'] as const;
const rounds = 2;
/** More than a ring holds. */
const burst = 12;
const bytes = 700;

/** C06: messages to and fro one by one, then many at once from all sides. */
export const flood: ConformanceCase = {
  id: 'C06',
  title: 'round trips and floods of messages of all kinds end',
  mirrors: 'testam',
  mandatory: true,
  program: ({ seed }) =>
    function* (gasnet) {
      let answered = 0;
      let taken = 0;
      const take: Handler = function* (here, token, { args: [kind], payload, address, bytes: size }) {
        const data = kind! >= 2 ? yield* here.read(address, size) : payload;
        sameBytes(
          'a payload of the flood',
          data,
          kind === 0 ? new Uint8Array(0) : pattern(token.source, bytes),
        );
        taken++;
        agree('a reply of the flood', yield* token.reply('short', here.indexOf(answer)), 'OK');
      };
      const answer: Handler = () => {
        answered++;
      };
      const party = yield* enter(gasnet, seed, [take, answer]);
      const src = party.own('cpu', 0);
      yield* gasnet.write(src, pattern(party.rank, bytes));
      const send = function* (target: number, kind: number) {
        // Two that write to the same place bring the same bytes.
        const dst = party.at(target, 'gpu', 1024 * party.rank);
        const options = { args: [kind], ...(kind > 0 && { src, bytes }), ...(kind > 1 && { dst }) };
        agree('a message', yield* gasnet.request(target, kinds[kind]!, gasnet.indexOf(take), options), 'OK');
      };
      const target = party.further(1);
      let sent = 0;
      for (let round = 0; round < rounds; round++)
        for (const kind of kinds.keys()) {
          yield* send(target, kind);
          sent++;
          yield* gasnet.waitUntil(() => answered === sent);
        }
      for (let number = 0; number < burst; number++, sent++) yield* send(target, number % kinds.length);
      yield* gasnet.waitUntil(() => answered === sent);
      yield* leave(party);
      agree('messages taken', taken, sent);
    },
};
