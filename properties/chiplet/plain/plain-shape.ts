import type { NetworkConfig } from '../../../machines/chiplet/config.ts';

/*
 * Routers, wires and ways of a network, read off the specification (5.2, 5.7) coordinate by coordinate: slow and plain, for comparisons.
 */

/** Where a port leads. */
export interface PlainWire {
  readonly router: number;
  readonly port: number;
  readonly delay: number;
}

/** An output channel: its port, and its number there. */
export type PlainWay = readonly [port: number, channel: number];

export interface PlainShape {
  readonly routers: number;
  /** Ports of each router, that of injection among them. */
  readonly ports: number;
  /** Cycles between two turns of a router. */
  period(router: number): number;
  wire(router: number, port: number): PlainWire;
  /** What a packet may take on its way, in the order of the specification. */
  ways(router: number, target: number, now: number): readonly PlainWay[];
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, one) => one);
const over = (port: number, channels: readonly number[]): readonly PlainWay[] =>
  channels.map((channel) => [port, channel] as const);

/** Coordinates of a router, the most significant one first, and back. */
function addresses(A: number, c: number) {
  const at = (router: number): number[] => upTo(c).map((d) => Math.floor(router / A ** (c - 1 - d)) % A);
  const number = (address: readonly number[]): number => address.reduce((sum, one) => sum * A + one, 0);
  /** The router one step along a dimension, around the side. */
  const beside = (router: number, port: number): number => {
    const address = at(router);
    const d = Math.floor((port - 1) / 2);
    address[d] = (address[d]! + (port % 2 === 1 ? A - 1 : 1)) % A;
    return number(address);
  };
  return { at, number, beside };
}

const otherEnd = (port: number): number => (port % 2 === 1 ? port + 1 : port - 1);

function grid({ A, c, R, V }: NetworkConfig): PlainShape {
  const { at, beside } = addresses(A, c);
  const dimensions = R === 1 ? upTo(c) : [...upTo(c)].reverse();
  return {
    routers: A ** c,
    ports: 2 * c + 1,
    period: () => 1,
    wire: (router, port) => ({ router: beside(router, port), port: otherEnd(port), delay: 0.9 }),
    ways(router, target) {
      const [from, to] = [at(router), at(target)];
      const d = dimensions.find((one) => from[one] !== to[one])!;
      const offset = to[d]! - from[d]!;
      const [negative, positive] = [2 * d + 1, 2 * d + 2];
      if (R === 0) return over(offset < 0 ? negative : positive, upTo(Math.min(4, V)));
      const isNear = 2 * Math.abs(offset) <= A;
      if (offset < 0) return [[isNear ? negative : positive, 0]];
      return [[isNear ? positive : negative, 1]];
    },
  };
}

/** Inside a chiplet, towards a core there or to its gateway. */
function inChiplet(from: readonly number[], toX: number, toY: number): readonly PlainWay[] | undefined {
  const [, , x, y] = from as [number, number, number, number];
  if (x !== toX) return over(toX < x ? 5 : 6, [0, 1]);
  if (y !== toY) return over(toY < y ? 7 : 8, [0, 1]);
  return undefined;
}

function meshOfChiplets({ A, correctWires }: NetworkConfig): PlainShape {
  const { at, beside } = addresses(A, 4);
  return {
    routers: A ** 4,
    ports: 9,
    period: () => 1,
    wire: (router, port) => ({
      router: beside(router, port),
      port: otherEnd(port),
      delay: port < 5 || (port === 5 && !correctWires) ? 153.16 : 9.57,
    }),
    ways(router, target) {
      const [from, to] = [at(router), at(target)];
      const isHere = from[0] === to[0] && from[1] === to[1];
      const inside = isHere ? inChiplet(from, to[2]!, to[3]!) : inChiplet(from, 0, 0);
      if (inside) return inside;
      if (from[0] !== to[0]) return over(to[0]! < from[0]! ? 1 : 2, [0, 1]);
      return over(to[1]! < from[1]! ? 3 : 4, [0, 1]);
    },
  };
}

function starOfChiplets({ A }: NetworkConfig): PlainShape {
  const { at, number, beside } = addresses(A, 4);
  const centre = number([A - 1, A - 1, 0, 0]);
  const spoke = (x: number): number => (x === 1 || x === 2 ? 47.8721 : 124.4789);
  return {
    routers: A ** 4,
    ports: Math.max(9, 16) + 1,
    period: () => 1,
    wire(router, port) {
      if (router === centre) {
        const [x, y] = [Math.floor((port - 1) / (A - 1)), (port - 1) % (A - 1)];
        return { router: number([x, y, 0, 0]), port: 9, delay: spoke(x) };
      }
      const [x, y] = at(router) as [number, number];
      if (port === 9) return { router: centre, port: x * (A - 1) + y + 1, delay: spoke(x) };
      return { router: beside(router, port), port: otherEnd(port), delay: 9.57 };
    },
    ways(router, target) {
      const [from, to] = [at(router), at(target)];
      if (router === centre) return over(to[0]! * (A - 1) + to[1]! + 1, [0, 1]);
      const isHere = from[0] === to[0] && from[1] === to[1];
      const inside = isHere ? inChiplet(from, to[2]!, to[3]!) : inChiplet(from, 0, 0);
      return inside ?? over(9, [0, 1]);
    },
  };
}

interface PlainEdge {
  readonly ends: readonly [number, number];
  readonly weight: number;
}

/** Reads the DOT text of a graph: chains of edges, attributes of one chain or node, and those of all that follow. */
function plainGraph(text: string): { readonly edges: PlainEdge[]; readonly stages: Map<number, number> } {
  const bare = text.replaceAll(/\/\/[^\n]*/g, '');
  const body = bare.slice(bare.indexOf('{') + 1, bare.lastIndexOf('}'));
  const edges: PlainEdge[] = [];
  const stages = new Map<number, number>();
  let [weight, stage] = [1, 1];
  const attribute = (list: string, name: string): number | undefined => {
    const found = new RegExp(`${name}\\s*=\\s*"?([\\d.eE+-]+)`).exec(list);
    return found ? Number(found[1]) : undefined;
  };
  for (const [, what = '', list = ''] of body.matchAll(
    /(edge|node|\d+(?:\s*--\s*\d+)*)\s*(?:\[([^\]]*)\])?/g,
  )) {
    if (what === 'edge') weight = attribute(list, 'weight') ?? weight;
    else if (what === 'node') stage = attribute(list, 'pipeline_stage_delay') ?? stage;
    else {
      const chain = what.split('--').map(Number);
      for (const node of chain) if (!stages.has(node)) stages.set(node, stage);
      const own = attribute(list, 'pipeline_stage_delay');
      if (chain.length === 1 && own !== undefined) stages.set(chain[0]!, own);
      for (let i = 1; i < chain.length; i++)
        edges.push({ ends: [chain[i - 1]!, chain[i]!], weight: attribute(list, 'weight') ?? weight });
    }
  }
  return { edges, stages };
}

/** Cycles before the end of a period in which its own edges are not used any more. */
const lastCycles = 20;

function graph({ V, graphText = '', reconfigurationText }: NetworkConfig): PlainShape {
  const { edges, stages } = plainGraph(graphText);
  const own = edges.length;
  const nodes = stages.size;
  const periods: (readonly number[])[] = [];
  let periodCycles = Number.POSITIVE_INFINITY;
  if (reconfigurationText !== undefined) {
    const numbers = reconfigurationText.trim().split(/\s+/).map(Number);
    const next = (): number => numbers.shift()!;
    const count = next();
    periodCycles = next();
    for (let members = next(); members > 0; members--) next();
    for (let period = 0; period < count; period++)
      periods.push(
        upTo(next()).map(() => {
          const [first, second, weight] = [next(), next(), next()];
          const known = edges.findIndex(
            (one, at) =>
              at >= own && one.ends[0] === first && one.ends[1] === second && one.weight === weight,
          );
          return known >= 0 ? known : edges.push({ ends: [first, second], weight }) - 1;
        }),
      );
  }
  const wires: PlainWire[][] = upTo(nodes).map(() => [{ router: -1, port: -1, delay: 0 }]);
  /** By edge: its port at each end. */
  const portsOf = edges.map(({ ends: [a, b], weight }) => {
    const [atA, atB] = [wires[a]!.length, wires[b]!.length];
    wires[a]!.push({ router: b, port: atB, delay: weight });
    wires[b]!.push({ router: a, port: atA, delay: weight });
    return [atA, atB] as const;
  });
  const inRouter = (node: number): number => 5 * stages.get(node)!;
  const table = (open: readonly number[]): number[][] => {
    const distance = upTo(nodes).map(() => upTo(nodes).map(() => Number.POSITIVE_INFINITY));
    const port = upTo(nodes).map(() => upTo(nodes).map(() => 0));
    for (const number of open) {
      const { ends, weight } = edges[number]!;
      const [a, b] = ends;
      const whole = inRouter(a) + weight + inRouter(b);
      if (whole >= distance[a]![b]!) continue;
      distance[a]![b] = whole;
      distance[b]![a] = whole;
      [port[a]![b], port[b]![a]] = portsOf[number]!;
    }
    for (const k of upTo(nodes))
      for (const i of upTo(nodes))
        for (const j of upTo(nodes)) {
          if (i === j || i === k || j === k) continue;
          const whole = distance[i]![k]! + distance[k]![j]! - inRouter(k);
          if (whole >= distance[i]![j]!) continue;
          distance[i]![j] = whole;
          port[i]![j] = port[i]![k]!;
        }
    return port;
  };
  const always = table(upTo(own));
  const during = periods.map((added) => table([...upTo(own), ...[...new Set(added)].sort((a, b) => a - b)]));
  return {
    routers: nodes,
    ports: Math.max(...wires.map(({ length }) => length)),
    period: (router) => stages.get(router)!,
    wire: (router, port) => wires[router]![port]!,
    ways(router, target, now) {
      const isLast = now % periodCycles >= periodCycles - lastCycles;
      const used =
        during.length === 0 || isLast ? always : during[Math.floor(now / periodCycles) % during.length]!;
      return over(used[router]![target]!, upTo(V));
    },
  };
}

/** The shape of a network, from its configuration alone. */
export function plainShape(config: NetworkConfig): PlainShape {
  if (config.R >= 4) return graph(config);
  if (config.R === 3) return starOfChiplets(config);
  return config.R === 2 ? meshOfChiplets(config) : grid(config);
}
