import {
  type ArbitrationInstance,
  arbitrate,
  checkPlacements,
  type InstanceRequest,
  type Placement,
} from '../../actors/cell/arbitrate.ts';
import { createPolicy } from '../../actors/cell/policies/policies.ts';
import { resultIn } from '../../machines/cell/assembly.ts';
import { arbiterName, cellProperty } from './context.ts';

/** Requests of a run up to which they are arbitrated once more. */
const requestsMax = 2000;

/**
 * The starts of a run are those that its requests get when they are arbitrated alone, without the machine (Cell specification 6, 17, 18.3).
 *
 * Details: what the arbiter decides depends on the requests issued so far and on nothing else, so the list of requests, taken from the result, is an arbitration
 * instance. In a run that is cut, what had not started has to start later. Judged at the end of runs of parts without faults.
 */
export const startsAsArbitratedAlone = cellProperty(
  'requests start when and where they do when they are arbitrated alone',
  ['STOP'],
  () => ({ cycles: -1 }),
  ({ given }) => ({
    see(memory, { cycles }) {
      memory.cycles = cycles;
    },
    seeState(memory, state, found) {
      const { cycles } = memory;
      if (cycles < 0) return;
      memory.cycles = -1;
      if (given.mutants.length > 0 || given.faults?.length) return;
      const { transfers } = resultIn(given, (name) => state.actor<never>(name).context);
      const { N, K, policy, boundedWait, planSeed } = given.config;
      const rows = transfers.filter(([, , , , , size]) => size > 0);
      if (rows.length > requestsMax) return;
      const instance: ArbitrationInstance = {
        N,
        K,
        requests: rows.map(([, , , src, dst, size, issue]) => [issue, src, dst, size]),
      };
      const alone = arbitrate(instance, createPolicy(policy, { N, K, boundedWait, seed: planSeed }));
      const impossible = checkPlacements(instance, alone.placements);
      if (impossible !== null) found([arbiterName], `arbitrated alone, ${impossible}`);
      for (const [index, [spu, id, , , , , issue, start, dir, ring]] of rows.entries()) {
        const expected = alone.placements[index]!;
        if (start < 0 ? expected[0] >= cycles : sameAs(expected, [start, dir, ring])) continue;
        const here = start < 0 ? 'not at all' : textOf([start, dir, ring]);
        const why = `request ${id} of SPU ${spu}, issued in ${issue}, starts ${here}; alone ${textOf(expected)}`;
        found([arbiterName], why);
        return;
      }
      const accepted = acceptedWrongly(instance);
      if (accepted !== undefined)
        found([arbiterName], `arbitrated alone, a last request ${JSON.stringify(accepted)} is accepted`);
      const waits = alone.placements.map(([start], index) => start - rows[index]![6] - 1);
      const total = waits.reduce((sum, wait) => sum + wait, 0);
      const mean = waits.length === 0 ? 0 : total / waits.length;
      if (alone.totalWait !== total || alone.meanWait !== mean || alone.maxWait !== Math.max(0, ...waits))
        found(
          [arbiterName],
          `arbitrated alone the waits are ${alone.totalWait}, at most ${alone.maxWait}, ${alone.meanWait} on average; expected ${total}, ${Math.max(0, ...waits)}, ${mean}`,
        );
    },
  }),
);

/** The last request made wrong in one number, where it is arbitrated nevertheless: out of order, without such a node, empty, or with a part of a byte. */
function acceptedWrongly({ N, K, requests }: ArbitrationInstance): InstanceRequest | undefined {
  const last = requests.at(-1);
  if (last === undefined) return undefined;
  const [issue, src, dst, size] = last;
  const others = requests.slice(0, -1);
  const wrong: readonly InstanceRequest[] = [
    [(others.at(-1)?.[0] ?? 0) - 1, src, dst, size],
    [issue + 0.5, src, dst, size],
    ...[-1, N].flatMap((no): InstanceRequest[] => [
      [issue, no, dst, size],
      [issue, src, no, size],
    ]),
    [issue, src, dst, 0],
    [issue, src, dst, 1.5],
  ];
  const policy = createPolicy('fifo-both', { N, K });
  // What is accepted is not arbitrated: it might not end.
  const decide = (): never => {
    throw new Error('accepted');
  };
  return wrong.find((request) => {
    try {
      arbitrate({ N, K, requests: [...others, request] }, { ...policy, decide });
      return true;
    } catch (error) {
      return !(error instanceof RangeError);
    }
  });
}

const sameAs = (one: Placement, other: Placement): boolean => one.every((value, at) => value === other[at]);

const textOf = ([start, dir, ring]: Placement): string => `in ${start} on ring ${ring} of direction ${dir}`;
