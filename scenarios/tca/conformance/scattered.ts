import type { Task } from '../../../actors/tca/gasnet/task.ts';
import type { ConformanceCase } from './case.ts';
import { agree, pattern, sameBytes } from './judge.ts';
import { enter, type Kind, leave, type Party } from './party.ts';

const area = 2 ** 13;
const untouched = 204;
type Extent = { readonly address: number; readonly bytes: number };
type Pieces = readonly { readonly at: number; readonly bytes: number }[];

/** Pieces of an area that do not overlap, `total` bytes together. */
function apart(party: Party, total: number): Pieces {
  const sizes: number[] = [];
  for (let left = total; left > 0; left -= sizes.at(-1)!) sizes.push(Math.min(left, party.size(200)));
  let room = area - total;
  let at = 0;
  return sizes.map((bytes) => {
    const gap = party.draw(Math.max(1, Math.floor(room / sizes.length)));
    room -= gap;
    at += gap;
    const piece = { at, bytes };
    at += bytes;
    return piece;
  });
}

/** Pieces of an area anywhere, which may overlap, `total` bytes together. */
function anywhere(party: Party, total: number): Pieces {
  const pieces: { at: number; bytes: number }[] = [];
  for (let left = total; left > 0; left -= pieces.at(-1)!.bytes) {
    const bytes = Math.min(left, party.size(300));
    pieces.push({ at: party.draw(area - bytes), bytes });
  }
  return pieces;
}

const extents = (base: number, pieces: Pieces): Extent[] =>
  pieces.map(({ at, bytes }) => ({ address: base + at, bytes }));

/** What the area holds when the source's pieces have come one after the other into the target's. */
function moved(source: Uint8Array, sources: Pieces, targets: Pieces): Uint8Array {
  const stream = sources.flatMap(({ at, bytes }) => [...source.subarray(at, at + bytes)]);
  const result = new Uint8Array(area).fill(untouched);
  let taken = 0;
  for (const { at, bytes } of targets) {
    result.set(stream.slice(taken, taken + bytes), at);
    taken += bytes;
  }
  return result;
}

/** What a move is about: lists, lists of one length, or levels of strides. */
interface Move {
  readonly sources: Pieces;
  readonly targets: Pieces;
  put(dst: number, src: number): Task<void>;
  get(dst: number, src: number): Task<void>;
}

function vector(party: Party): Move {
  const { gasnet } = party;
  const total = party.size(2500);
  const [sources, targets] = [anywhere(party, total), apart(party, total)];
  const lists = {
    targets: (base: number) => extents(base, targets),
    sources: (base: number) => extents(base, sources),
  };
  return {
    sources,
    targets,
    *put(dst, src) {
      const [to, from] = [lists.targets(dst), lists.sources(src)];
      const before = JSON.stringify([to, from]);
      yield* gasnet.waitMoves(yield* gasnet.putVectorNb(to, from));
      agree('the lists of a move', JSON.stringify([to, from]), before);
    },
    *get(dst, src) {
      const [to, from] = [lists.targets(dst), lists.sources(src)];
      const before = JSON.stringify([to, from]);
      yield* gasnet.getVector(to, from);
      agree('the lists of a move', JSON.stringify([to, from]), before);
    },
  };
}

function indexed(party: Party): Move {
  const { gasnet } = party;
  const [sourceBytes, many] = [4 * (1 + party.draw(24)), 1 + party.draw(4)];
  const [sourceCount, targetBytes] = [many * (1 + party.draw(6)), sourceBytes * many];
  const targetCount = sourceCount / many;
  const sources = Array.from({ length: sourceCount }, () => ({
    at: party.draw(area - sourceBytes),
    bytes: sourceBytes,
  }));
  const targets = Array.from({ length: targetCount }, (_, k) => ({
    at: k * (targetBytes + 20),
    bytes: targetBytes,
  }));
  const of = (base: number, pieces: Pieces) => pieces.map(({ at }) => base + at);
  return {
    sources,
    targets,
    put: (dst, src) => gasnet.putIndexed(of(dst, targets), targetBytes, of(src, sources), sourceBytes),
    get: (dst, src) => gasnet.getIndexed(of(dst, targets), targetBytes, of(src, sources), sourceBytes),
  };
}

/** Blocks with so many levels of strides above them. */
function strided(party: Party, levels: number, wide: boolean): Move {
  const { gasnet } = party;
  const size = wide ? 16 * (4 + party.draw(4)) : 1 + party.draw(30);
  const count = [size, ...Array.from({ length: levels }, () => 1 + party.draw(4))];
  const strides = (loose: number): number[] => {
    const list: number[] = [];
    let span = size;
    for (let level = 1; level <= levels; level++) {
      const step = span + (wide ? 16 * party.draw(3) : party.draw(loose));
      list.push(step);
      span = step * count[level]!;
    }
    return list;
  };
  const [from, to] = [strides(9), strides(11)];
  const pieces = (list: readonly number[]): Pieces => {
    let places = [0];
    for (let level = levels; level >= 1; level--)
      places = places.flatMap((at) =>
        Array.from({ length: count[level]! }, (_, k) => at + k * list[level - 1]!),
      );
    return places.map((at) => ({ at, bytes: size }));
  };
  const of = (address: number, list: readonly number[]) => ({ address, strides: list });
  return {
    sources: pieces(from),
    targets: pieces(to),
    put: (dst, src) => gasnet.putStrided(of(dst, to), of(src, from), count),
    get: (dst, src) => gasnet.getStrided(of(dst, to), of(src, from), count),
  };
}

/** What is moved: the lists, and the levels of strides, the last of them too small for blocks of the engine. */
const shapes: readonly ((party: Party) => Move)[] = [
  vector,
  indexed,
  (party) => strided(party, 0, true),
  (party) => strided(party, 1, true),
  (party) => strided(party, 2, party.draw(2) === 0),
  (party) => strided(party, 3, false),
];

/** C13: scattered moves against what single copies of bytes come to. A job for each shape. */
export const scattered: ConformanceCase = {
  id: 'C13',
  title: 'vector, indexed and strided puts and gets; overlapping sources; what lies around stays as it is',
  mirrors: 'testvis',
  mandatory: true,
  variants: shapes.length,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const target = party.further(1 + party.draw(party.nodes));
      const { sources, targets, put, get } = shapes[variant]!(party);
      const kind: Kind = seed % 2 === 0 ? 'cpu' : 'gpu';
      const content = pattern(party.draw(1000), area);
      const src = party.own(kind, 2 ** 15 + party.draw(3) * 16);
      const far = party.at(target, kind, 2 ** 16 + party.rank * area);
      const back = party.own('private', 0);
      yield* gasnet.write(src, content);
      agree('the fill of an area', yield* gasnet.memset(far, untouched, area), 'OK');
      yield* put(far, src);
      agree('the area fetched', yield* gasnet.get(back, far, area), 'OK');
      sameBytes('what was put', yield* gasnet.read(back, area), moved(content, sources, targets));
      yield* party.holds('the sources of a put', src, content);

      agree('the area put', yield* gasnet.put(far, src, area), 'OK');
      yield* gasnet.write(back, new Uint8Array(area).fill(untouched));
      yield* get(back, far);
      sameBytes('what was fetched', yield* gasnet.read(back, area), moved(content, sources, targets));
      yield* gasnet.putVector([], []);
      yield* gasnet.getIndexed([], 4, [], 4);
      yield* gasnet.putStrided(
        { address: party.at(target, 'cpu', 0), strides: [8] },
        { address: party.own('cpu', 0), strides: [8] },
        [0, 4],
      );
      yield* leave(party);
    },
};
