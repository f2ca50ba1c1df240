import type { Collectives } from '../../../actors/tca/gasnet/collectives.ts';
import type { Task } from '../../../actors/tca/gasnet/task.ts';
import type { ConformanceCase } from './case.ts';
import { everyCollective } from './collectives.ts';
import { agree, pattern } from './judge.ts';
import { enter, leave, type Party } from './party.ts';

/** How wide the grid of nodes is: 2 x 1, 2 x 2, 4 x 2, 4 x 4. */
const widthOf = (nodes: number): number => 2 ** Math.ceil(Math.log2(nodes) / 2);
const late = 20_000;
const rounds = 3;

interface Teams {
  readonly row: Collectives;
  /** From the last row to the first: the order of a team is not that of the job. */
  readonly column: Collectives;
}

function* rowsAndColumns({ gasnet, rank, nodes }: Party): Task<Teams> {
  const width = widthOf(nodes);
  const row = yield* gasnet.collectives.split(Math.floor(rank / width), rank);
  const column = yield* gasnet.collectives.split(rank % width, nodes - rank);
  agree('nodes of a row', row.nodes, width);
  agree('nodes of a column', column.nodes, nodes / width);
  agree('the rank in a row', row.rank, rank % width);
  agree('the rank in a column', column.rank, nodes / width - 1 - Math.floor(rank / width));
  return { row, column };
}

/** What members have put before a barrier of their team is there behind it, however late one of them comes. */
function* barriersHold(party: Party, { row, column }: Teams): Task<void> {
  const { gasnet } = party;
  for (let round = 0; round < rounds; round++)
    for (const [k, team] of [row, column].entries()) {
      if (team.rank === round % team.nodes) yield* gasnet.compute(late);
      const next = team.jobRankOf((team.rank + 1) % team.nodes);
      const place = 8 * (2 * round + k);
      const before = team.jobRankOf((team.rank + team.nodes - 1) % team.nodes);
      const value = (rank: number): bigint => BigInt(1000 * round + 10 * rank + k + 1);
      agree('a value', yield* gasnet.putValue(party.at(next, 'cpu', place), value(party.rank), 8), 'OK');
      yield* team.barrier();
      const found = yield* gasnet.getValue(party.own('cpu', place), 8);
      agree('what a member put before the barrier', found, value(before));
    }
}

/** Every member is the root once; rows and columns at the same time. */
function* broadcastsArrive(party: Party, { row, column }: Teams, seed: number): Task<void> {
  const { gasnet } = party;
  const [src, dst] = [party.own('cpu', 0), party.own('gpu', 0)];
  for (const team of [row, column, row])
    for (let root = 0; root < team.nodes; root++) {
      const bytes = (rank: number): Uint8Array => pattern(seed + rank + 7 * root, 1 + ((seed + root) % 300));
      yield* gasnet.write(src, bytes(party.rank));
      yield* team.broadcast(root, dst, src, bytes(0).length);
      yield* party.holds('a broadcast in a team', dst, bytes(team.jobRankOf(root)));
    }
}

/** Two teams of the same nodes: what is under way in one is not taken for that of the other. */
function* twinsKeepApart(party: Party, { row }: Teams): Task<void> {
  const { gasnet } = party;
  const twins = [yield* row.split(0, row.rank), yield* row.split(0, row.rank)];
  const src = party.own('cpu', 0);
  const dst = (k: number): number => party.own('gpu', 64 * k);
  // Both broadcasts have come to the others, and been taken, when they ask for the first.
  if (row.rank > 0) {
    yield* gasnet.compute(late);
    for (let packet = 0; packet < 2 * twins.length; packet++) yield* gasnet.poll();
  }
  for (const [k, twin] of twins.entries()) {
    yield* gasnet.write(src, pattern(k, 8));
    yield* twin.broadcast(0, dst(k), src, 8);
  }
  for (const k of twins.keys()) yield* party.holds('the broadcast of a twin', dst(k), pattern(k, 8));
}

/** C21: rows and columns of nodes as teams. A job for barriers, one for broadcasts, one for the other collectives. */
export const teams: ConformanceCase = {
  id: 'C21',
  title: 'teams of rows and columns: barriers and collectives inside of them, side by side',
  mirrors: 'testteam, testteambarrier, testteambcast',
  mandatory: false,
  variants: 3,
  program: ({ seed, variant }) =>
    function* (gasnet) {
      const party = yield* enter(gasnet, seed);
      const both = yield* rowsAndColumns(party);
      if (variant === 0) yield* barriersHold(party, both);
      if (variant === 1) {
        yield* broadcastsArrive(party, both, seed % 1000);
        yield* twinsKeepApart(party, both);
      }
      if (variant === 2) {
        for (const team of [both.column, both.row, gasnet.collectives])
          yield* everyCollective(party, team, seed, 1 + (seed % 60), { out: 'none' });
        // Halves of a row: a team out of a team.
        const half = yield* both.row.split(both.row.rank < both.row.nodes / 2 ? 0 : 1, 0);
        yield* everyCollective(party, half, seed + 1, 9, {});
      }
      yield* leave(party);
    },
};
