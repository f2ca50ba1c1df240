import type { DmaContext } from '../../actors/cell/dma-module.ts';
import type { Run } from '../../kernel/run.ts';
import { actorsNamed, arc, type Scene, type SceneBox, type SceneLine, type Tone } from '../scene.ts';
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

/** Nodes in a circle, `K` rings of direction 0 around them and `K` of direction 1 inside, what moves on each as an arc. */
export function ringsScene(
  summary: string,
  nodes: readonly RingNode[],
  K: number,
  transfers: readonly RingTransfer[],
  legend: Scene['legend'],
): Scene {
  const N = nodes.length;
  const inner = Math.max(40 + wide / 2 + K * pitch, (N * (wide + 10)) / (2 * Math.PI)) + gap;
  const middle = inner + wide + gap + K * pitch + 12;
  const angleOf = (node: number): number => (2 * Math.PI * node) / N;
  const radiusOf = (dir: number, ring: number): number =>
    inner + (dir === 1 ? -1 : 1) * (wide / 2 + gap + Math.max(0, ring) * pitch);
  const along = (dir: number, ring: number, from: number, to: number): SceneLine['points'] =>
    arc([middle, middle], radiusOf(dir, ring), angleOf(from), angleOf(to));
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
  const boxes = nodes.map(
    (node, at): SceneBox => ({
      kind: 'box',
      x: middle + inner * Math.sin(angleOf(at)) - wide / 2,
      y: middle - inner * Math.cos(angleOf(at)) - tall / 2,
      width: wide,
      height: tall,
      ...node,
    }),
  );
  return { width: 2 * middle, height: 2 * middle, summary, shapes: [...rings, ...arcs, ...boxes], legend };
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
