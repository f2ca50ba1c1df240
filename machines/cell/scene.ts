import type { DmaContext } from '../../actors/cell/dma-module.ts';
import type { Run } from '../../kernel/run.ts';
import { actorsNamed, type Scene, type SceneBox, type SceneLine, type Tone } from '../scene.ts';
import type { CellConfig } from './config.ts';

/** Px between two rings, and between the nodes and the first ring of a direction; size of a node. */
const [pitch, gap, wide, tall] = [12, 16, 80, 34];

/** A node on the rings, and what it does. */
interface RingNode {
  readonly words: readonly [string, string];
  readonly tone: Tone;
  readonly actor: string;
  readonly tooltip: string;
}

/** What moves on a ring from one node to another. */
interface RingTransfer {
  readonly src: number;
  readonly dst: number;
  readonly dir: number;
  readonly ring: number;
  readonly tooltip: string;
}

/** Where nodes and rings lie: `at` takes a place between nodes, 1.5 for half way from node 1 to node 2, and px to the outside. */
interface Track {
  readonly width: number;
  readonly height: number;
  at(place: number, outwards: number): readonly [x: number, y: number];
}

/** Nodes that are more than so many lie in two rows, as the bus is mostly drawn: in a circle there would be much in the middle and little to read. */
const circleMax = 5;
/** Steps from one node to the next in which a ring is drawn. */
const stepsOfNode = 16;

/** A circle, the first node on top. */
function circleOf(N: number, K: number): Track {
  const across = wide / 2 + gap + K * pitch;
  const radius = Math.max(40 + across - gap, (N * (wide + 10)) / (2 * Math.PI)) + gap;
  const middle = radius + across + 12;
  return {
    width: 2 * middle,
    height: 2 * middle,
    at(place, outwards) {
      const angle = (2 * Math.PI * place) / N;
      // Nodes are wider than they are tall, and rings go around and inside of all of them.
      const far = radius + outwards + (Math.sign(outwards) * (wide - tall)) / 2;
      return [middle + far * Math.sin(angle), middle - far * Math.cos(angle)];
    },
  };
}

/** A row from left to right, one back below it, and half a circle at each end. */
function rowsOf(N: number, K: number): Track {
  const across = tall / 2 + gap + K * pitch;
  const radius = across + 4;
  const above = Math.ceil(N / 2);
  const length = (above - 1) * (wide + 10);
  const middle = radius + across + 12;
  const left = middle;
  const turn = (x: number, angle: number, far: number) =>
    [x + far * Math.sin(angle), middle - far * Math.cos(angle)] as const;
  return {
    width: 2 * left + length,
    height: 2 * middle,
    at(place, outwards) {
      const on = ((place % N) + N) % N;
      const far = radius + outwards;
      if (on <= above - 1) return [left + (length * on) / (above - 1), middle - far];
      if (on < above) return turn(left + length, Math.PI * (on - above + 1), far);
      if (on <= N - 1) return [left + length * (1 - (on - above) / (N - above - 1)), middle + far];
      return turn(left, Math.PI * (on - N + 2), far);
    },
  };
}

/** Nodes in a circle or in two rows, `K` rings of direction 0 around them and `K` of direction 1 inside, with what moves on each. */
export function ringsScene(
  summary: string,
  nodes: readonly RingNode[],
  K: number,
  transfers: readonly RingTransfer[],
  legend: Scene['legend'],
): Scene {
  const N = nodes.length;
  const track = (N > circleMax ? rowsOf : circleOf)(N, K);
  const outwards = (dir: number, ring: number): number =>
    (dir === 1 ? -1 : 1) * (tall / 2 + gap + Math.max(0, ring) * pitch);
  const along = (dir: number, ring: number, from: number, to: number): SceneLine['points'] => {
    const steps = Math.max(2, Math.ceil(Math.abs(to - from) * stepsOfNode));
    return Array.from({ length: steps + 1 }, (_, step) =>
      track.at(from + ((to - from) * step) / steps, outwards(dir, ring)),
    );
  };
  const rings = [0, 1].flatMap((dir) =>
    Array.from(
      { length: K },
      (_, ring): SceneLine => ({
        kind: 'line',
        points: along(dir, ring, 0, N),
        tone: 'link',
        width: 1,
        tooltip: `ring ${ring} of direction ${dir}`,
      }),
    ),
  );
  const arcs = transfers.map(({ src, dst, dir, ring, tooltip }, index): SceneLine => {
    const [from, to] =
      src === dst
        ? [src - 0.25, src + 0.25]
        : dir === 1
          ? [src, src - ((src - dst + N) % N)]
          : [src, src + ((dst - src + N) % N)];
    const points = along(dir, ring, from, to);
    return { kind: 'line', points, tone: index % 7, width: 5, head: true, tooltip };
  });
  const boxes = nodes.map((node, at): SceneBox => {
    const [x, y] = track.at(at, 0);
    return { kind: 'box', x: x - wide / 2, y: y - tall / 2, width: wide, height: tall, ...node };
  });
  const { width, height } = track;
  return { width, height, summary, shapes: [...rings, ...arcs, ...boxes], legend };
}

/** A Cell machine at a moment: what its DMA modules know of their requests, on the rings. */
export function cellScene({ K }: Pick<CellConfig, 'K'>, run: Run): Scene {
  const { now } = run;
  const requests = actorsNamed<Pick<DmaContext, 'table'>>(run, /^Cell\.Spu\[(\d+)\]\.Dma$/).flatMap(
    ({ numbers: [spu], context }) => context.table.entries.map((request) => ({ spu: spu!, ...request })),
  );
  const moving = requests.filter(({ start, size }) => start >= 0 && start <= now && now < start + size);
  const waiting = requests.filter(({ start }) => start < 0 || start > now);
  const nodes = actorsNamed<object>(run, /^Cell\.Spu\[(\d+)\]$/).map(
    ({ name, numbers: [spu], state }): RingNode => {
      const own = moving.filter((one) => one.spu === spu).length;
      const asked = waiting.filter((one) => one.spu === spu).length;
      return {
        tone: own > 0 ? 'work' : asked > 0 ? 'wait' : 'rest',
        words: [`SPU ${spu}`, own + asked > 0 ? `${own} on, ${asked} wait` : state],
        actor: name,
        tooltip: `${name}: ${state}; ${own} of its requests move bytes, ${asked} wait for a ring`,
      };
    },
  );
  const transfers = moving.map(({ spu, id, start, size, ...way }) => ({
    ...way,
    tooltip: `SPU ${spu}, request ${id}: byte ${now - start + 1} of ${size} from SPU ${way.src} to SPU ${way.dst}, direction ${way.dir}, ring ${way.ring}`,
  }));
  return ringsScene(
    `cycle ${now}: ${moving.length} transfers move a byte each, ${waiting.length} requests wait`,
    nodes,
    K,
    transfers,
    [
      { tone: 'work', words: 'its requests move bytes' },
      { tone: 'wait', words: 'its requests wait for a ring' },
      { tone: 'rest', words: 'no request under way' },
    ],
  );
}
