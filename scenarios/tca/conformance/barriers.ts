import { barrierFlags } from '../../../actors/tca/gasnet/barrier.ts';
import type { Status } from '../../../actors/tca/gasnet/calls.ts';
import type { Task } from '../../../actors/tca/gasnet/task.ts';
import type { ConformanceCase } from './case.ts';
import { agree } from './judge.ts';
import { enter, leave, type Party } from './party.ts';

const { named, anonymous, mismatch } = barrierFlags;
const ways = ['wait', 'try', 'blocking'] as const;
type Way = (typeof ways)[number];

/** Comes to a barrier, and through it, in one of three ways; a name for each call. */
function* pass(
  { gasnet }: Party,
  way: Way,
  [id, flags]: readonly [number, number],
  [endId, endFlags]: readonly [number, number] = [id, flags],
): Task<Status> {
  if (way === 'blocking') return yield* gasnet.barrier(id, flags);
  yield* gasnet.barrierNotify(id, flags);
  if (way === 'wait') return yield* gasnet.barrierWait(endId, endFlags);
  for (;;) {
    const status = yield* gasnet.barrierTry(endId, endFlags);
    if (status !== 'NOT_READY') return status;
    yield* gasnet.compute(300);
  }
}

/** Finds how the last barrier came out. */
function cameOut({ gasnet }: Party, what: string, status: Status, id: number | undefined): void {
  agree(`${what}: result`, gasnet.barrierResult?.status, status);
  agree(`${what}: name`, gasnet.barrierResult?.id, id);
}

/** C14: barriers with names, without, and mixed. A job for each way through. */
export const barriers: ConformanceCase = {
  id: 'C14',
  title: 'named, anonymous and mixed barriers: wait, try, blocking; the name that comes out',
  mirrors: 'testbarrier',
  mandatory: true,
  variants: ways.length,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const way = ways[variant]!;
      const name = 1000 + 7 * variant;
      yield* gasnet.compute(party.draw(3000));
      agree('a named barrier', yield* pass(party, way, [name, named]), 'OK');
      cameOut(party, 'a named barrier', 'OK', name);
      agree('an anonymous barrier', yield* pass(party, way, [0, anonymous]), 'OK');
      cameOut(party, 'an anonymous barrier', 'OK', undefined);
      const mine = (party.rank + seed) % 2 === 0 ? ([name, named] as const) : ([0, anonymous] as const);
      agree('a mixed barrier', yield* pass(party, way, mine), 'OK');
      cameOut(party, 'a mixed barrier', 'OK', name);
      // One rank alone gives the name; each rank in its turn.
      const only = seed % party.nodes;
      const given = party.rank === only ? ([5, named] as const) : ([0, anonymous] as const);
      agree('a barrier with one name', yield* pass(party, way, given), 'OK');
      cameOut(party, 'a barrier with one name', 'OK', 5);
      yield* gasnet.barrierNotify(3, named);
      // Messages and puts go on between the two.
      agree(
        'a put meanwhile',
        yield* gasnet.put(party.at(party.further(1), 'cpu', 0), party.own('private', 0), 8),
        'OK',
      );
      agree('the wait after it', yield* gasnet.barrierWait(3, named), 'OK');
      yield* leave(party);
    },
};

/** C15: barriers that do not match. A job for each way through. */
export const mismatches: ConformanceCase = {
  id: 'C15',
  title: 'what does not match is told everywhere: a flag, other names at notify or at wait, two names',
  mirrors: 'testbarrierconf',
  mandatory: true,
  variants: ways.length,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const { rank, nodes } = party;
      const way = ways[variant]!;
      // The one that is different: the first, the last, and one by the seed.
      for (const odd of new Set([0, nodes - 1, seed % nodes])) {
        const isOdd = rank === odd;
        const flag = isOdd ? ([0, mismatch] as const) : ([8, named] as const);
        agree('a flag at one node', yield* pass(party, way, flag), 'BARRIER_MISMATCH');
        cameOut(party, 'a flag at one node', 'BARRIER_MISMATCH', undefined);
        const name = [isOdd ? 10 : 9, named] as const;
        agree('another name at one node', yield* pass(party, way, name), 'BARRIER_MISMATCH');
        const [second, silent] = [[12, named] as const, [0, anonymous] as const];
        const pair = isOdd ? ([11, named] as const) : rank === (odd + 1) % nodes ? second : silent;
        agree('two names among anonymous ones', yield* pass(party, way, pair), 'BARRIER_MISMATCH');
        const one = isOdd ? ([13, named] as const) : ([0, anonymous] as const);
        agree('one name among anonymous ones', yield* pass(party, way, one), 'OK');
        cameOut(party, 'one name among anonymous ones', 'OK', 13);
      }
      if (way !== 'blocking') {
        agree('another name at wait', yield* pass(party, way, [14, named], [15, named]), 'BARRIER_MISMATCH');
        agree('anonymous, then a name', yield* pass(party, way, [0, anonymous], [16, named]), 'OK');
        agree('a name, then anonymous', yield* pass(party, way, [17, named], [0, anonymous]), 'OK');
        cameOut(party, 'a name, then anonymous', 'OK', 17);
      }
      agree('a name for each node', yield* pass(party, 'blocking', [rank + 1, named]), 'BARRIER_MISMATCH');
      agree('a barrier that matches again', yield* pass(party, 'blocking', [18, named]), 'OK');
      yield* leave(party);
    },
};

/** C16: nodes that come late. A job for each way through. */
export const lateNodes: ConformanceCase = {
  id: 'C16',
  title: 'a node that is late at notify or at wait delays the others, and breaks nothing',
  mirrors: 'testbarrierlate',
  mandatory: true,
  variants: ways.length,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const { rank, nodes } = party;
      const late = 30_000;
      const way = ways[variant]!;
      for (const slow of new Set([0, nodes - 1, seed % nodes])) {
        const name = 20 + slow;
        if (rank === slow) yield* gasnet.compute(late);
        const before = yield* gasnet.now();
        agree('a barrier with a late node', yield* pass(party, way, [name, named]), 'OK');
        cameOut(party, 'a barrier with a late node', 'OK', name);
        const waited = (yield* gasnet.now()) - before;
        if (rank !== slow && waited < late / 2)
          throw new Error(`a node waited ${waited} ns for one that is ${late} ns late`);
        if (way === 'blocking') continue;
        // Late at the wait: the others are through, and meet it in the next phase.
        yield* gasnet.barrierNotify(name, named);
        if (rank === slow) yield* gasnet.compute(late);
        agree('the end of a barrier, late', yield* gasnet.barrierWait(name, named), 'OK');
        agree('the next barrier', yield* pass(party, way, [name + 1, named]), 'OK');
      }
      yield* leave(party);
    },
};
