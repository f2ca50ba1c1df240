import type { GraphEdge } from '../../actors/chiplet/network/topology/graph.ts';
import type { Reconfiguration } from '../../actors/chiplet/network/topology/reconfigurable.ts';

/** What is wrong in a text of reconfigurations, and where. */
export interface ReconfigurationFault {
  /** From 1. */
  readonly line: number;
  readonly found: string;
  readonly expected: string;
}

class Refusal extends Error {
  constructor(readonly fault: ReconfigurationFault) {
    super(fault.found);
  }
}

/**
 * Reads the periods of a graph that is reconfigured: number of periods, cycles of a period, count and list of the routers that take part, then
 * for each period a count and so many edges as source, target, cycles (chiplet specification 5.7, R = 5).
 *
 * Details: numbers are separated by any white space. Edges join routers that take part.
 */
export function readReconfiguration(text: string, nodes: number): Reconfiguration | ReconfigurationFault {
  const words = text
    .split('\n')
    .flatMap((line, at) => (line.match(/\S+/g) ?? []).map((word) => ({ word, line: at + 1 })));
  const lastLine = words.at(-1)?.line ?? 1;
  let at = 0;
  const next = (what: string, isRight: (value: number) => boolean): number => {
    const read = words[at++];
    if (read === undefined)
      throw new Refusal({ line: lastLine, found: 'the end of the text', expected: what });
    const value = Number(read.word);
    if (!isRight(value)) throw new Refusal({ line: read.line, found: `"${read.word}"`, expected: what });
    return value;
  };
  const isCount = (least: number) => (value: number) => Number.isInteger(value) && value >= least;
  try {
    const count = next('the number of periods, at least 1', isCount(1));
    const periodCycles = next('the cycles of a period, at least 1', isCount(1));
    const members = next('how many routers are reconfigured', isCount(0));
    const routers = new Set<number>();
    for (let i = 0; i < members; i++)
      routers.add(next(`a router, 0 to ${nodes - 1}`, (value) => isCount(0)(value) && value < nodes));
    const member = (what: string): number =>
      next(`${what}: one of the reconfigured routers ${[...routers].join(', ')}`, (value) =>
        routers.has(value),
      );
    const periods = asMany(count, (period) => {
      const edges = next(`the number of edges of period ${period}`, isCount(0));
      return asMany(edges, (): GraphEdge => {
        const first = member('the source of an edge');
        const second = member('the target of an edge');
        if (first === second)
          throw new Refusal({
            line: words[at - 1]!.line,
            found: `an edge from ${first} to itself`,
            expected: 'two routers',
          });
        const weight = next(
          'cycles on the wire, at least 0',
          (value) => Number.isFinite(value) && value >= 0,
        );
        return { first, second, weight };
      });
    });
    const rest = words[at];
    if (rest !== undefined)
      throw new Refusal({
        line: rest.line,
        found: `"${rest.word}" after ${count} periods`,
        expected: 'the end of the text',
      });
    return { periodCycles, periods };
  } catch (error) {
    if (error instanceof Refusal) return error.fault;
    throw error;
  }
}

/** Reads so many of something. Nothing is reserved before: the text may end long before so large a number. */
function asMany<T>(count: number, read: (index: number) => T): readonly T[] {
  const all: T[] = [];
  for (let index = 0; index < count; index++) all.push(read(index));
  return all;
}
