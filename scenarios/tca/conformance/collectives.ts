import type {
  CollectiveOptions,
  Collectives,
  Synchronisation,
} from '../../../actors/tca/gasnet/collectives.ts';
import type { Task } from '../../../actors/tca/gasnet/task.ts';
import type { ConformanceCase } from './case.ts';
import { pattern } from './judge.ts';
import { enter, homes, leave, type Party } from './party.ts';

/** Synchronisation at entry and exit: alike, and mixed. */
const flags: readonly (readonly [Synchronisation, Synchronisation])[] = [
  ['none', 'none'],
  ['my', 'my'],
  ['all', 'all'],
  ['none', 'all'],
  ['all', 'my'],
];

const joined = (parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/** Each collective once, among all nodes or those of a team, every value judged; `seed` names what the ranks bring. */
export function* everyCollective(
  party: Party,
  team: Collectives,
  seed: number,
  bytes: number,
  options: CollectiveOptions,
): Task<void> {
  const { gasnet } = party;
  const { rank, nodes } = team;
  const root = seed % nodes;
  const of = (source: number, share = 0): Uint8Array =>
    pattern(seed + 31 * team.jobRankOf(source) + share, bytes);
  const src = party.own(homes[(seed + rank) % 3]!, 0);
  const dst = party.own(homes[(seed + rank + 1) % 3]!, 2 ** 17);
  const all = Array.from({ length: nodes }, (_, one) => one);

  yield* gasnet.write(src, of(rank));
  yield* team.broadcast(root, dst, src, bytes, options);
  yield* party.holds('broadcast', dst, of(root));

  yield* team.gather(root, dst, src, bytes, options);
  if (rank === root) yield* party.holds('gather', dst, joined(all.map((source) => of(source))));

  yield* team.gatherAll(dst, src, bytes, options);
  yield* party.holds('gatherAll', dst, joined(all.map((source) => of(source))));

  yield* gasnet.write(src, joined(all.map((share) => of(rank, share + 1))));
  yield* team.scatter(root, dst, src, bytes, options);
  yield* party.holds('scatter', dst, of(root, rank + 1));

  yield* team.exchange(dst, src, bytes, options);
  yield* party.holds('exchange', dst, joined(all.map((source) => of(source, rank + 1))));
}

/** C19: collectives under all synchronisation flags. A job for each pair of them. */
export const collectives: ConformanceCase = {
  id: 'C19',
  title: 'broadcast, gather, scatter, gather_all, exchange under all flags; each value judged',
  mirrors: 'testcoll',
  mandatory: true,
  variants: flags.length,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const [before, behind] = flags[variant]!;
      // Another round follows at once: what the first one leaves under way must not harm it.
      for (const k of [0, 1]) {
        yield* gasnet.compute(party.draw(2000));
        yield* everyCollective(party, gasnet.collectives, seed + 7 * k, 1 + ((seed + 13 * k) % 40), {
          in: before,
          out: behind,
        });
      }
      yield* leave(party);
    },
};

/** Little endian numbers of four bytes. */
const words = (...list: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(list).buffer);
const view = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);

/** Puts together what depends on the order of its parts: a x + b after c x + d. */
const after = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  const [[a, b], [c, d]] = [view(left), view(right)];
  return words(Math.imul(a!, c!) >>> 0, (Math.imul(c!, b!) + d!) >>> 0);
};

/** C20: larger collectives, and those that put together. */
export const largerCollectives: ConformanceCase = {
  id: 'C20',
  title: 'larger collectives, reduce and scan in the order of ranks, sums',
  mirrors: 'testcollperf',
  mandatory: false,
  program: ({ seed }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const { rank, nodes } = party;
      yield* everyCollective(party, gasnet.collectives, seed, 5000, {});
      const part = (source: number): Uint8Array =>
        words(2 * ((seed + source) % 1000) + 3, seed + 5 * source + 1);
      const upTo = (last: number): Uint8Array =>
        Array.from({ length: last + 1 }, (_, source) => part(source)).reduce(after);
      const [src, dst] = [party.own('cpu', 0), party.own('private', 64)];
      yield* gasnet.write(src, part(rank));
      const root = seed % nodes;
      yield* gasnet.collectives.reduce(root, dst, src, 8, after);
      if (rank === root) yield* party.holds('reduce', dst, upTo(nodes - 1));
      yield* gasnet.collectives.scan(dst, src, 8, after);
      yield* party.holds('scan', dst, upTo(rank));
      if (Number.isInteger(Math.log2(nodes)))
        for (const kind of ['cpu', 'gpu'] as const) {
          const address = party.own(kind, 128);
          const sums = (value: (source: number) => number) =>
            new Uint8Array(new Float64Array([value(0), value(1)]).buffer);
          yield* gasnet.write(
            address,
            sums((k) => (k === 0 ? rank + 1 : rank * 0.5)),
          );
          yield* gasnet.collectives.allreduceSum(address, 2, 'double');
          const whole = (nodes * (nodes + 1)) / 2;
          yield* party.holds(
            'a sum at every node',
            address,
            sums((k) => (k === 0 ? whole : (nodes * (nodes - 1)) / 4)),
          );
        }
      yield* leave(party);
    },
};
