import { addressOf, nodeOf } from '../../actors/tca/address-map.ts';
import { nodeIn, type TcaKnown, tcaProperty } from './context.ts';
import {
  type HimenoEnd,
  type HimenoProblem,
  himenoEnd,
  interiorPointsOf,
  planesOf,
} from './himeno-reference.ts';
import { mustEnd } from './left-over.ts';
import { readBytes, type WrittenBytes, writeBytes } from './written-bytes.ts';

const pageBytes = 4096;
const pages = (bytes: number): number => Math.ceil(bytes / pageBytes) * pageBytes;
const named = { XS: [32, 32, 64], S: [64, 64, 128], M: [128, 128, 256] } as const;

/** The problem that the environment of a job names; what it leaves out is XS on 2 x 1 blocks for three iterations. */
function problemOf(environment: Readonly<Record<string, string>>): HimenoProblem {
  const {
    HIMENO_SIZE = 'XS',
    HIMENO_DECOMPOSITION = '2x1',
    HIMENO_DATA = 'mixed',
    HIMENO_ORDER = 'sequential',
    HIMENO_ITERATIONS = '3',
  } = environment;
  return {
    size: (named[HIMENO_SIZE as 'XS'] ?? HIMENO_SIZE.split('x').map(Number)) as HimenoProblem['size'],
    blocks: HIMENO_DECOMPOSITION.split('x').map(Number) as unknown as HimenoProblem['blocks'],
    data: HIMENO_DATA as HimenoProblem['data'],
    order: HIMENO_ORDER as HimenoProblem['order'],
    iterations: Number(HIMENO_ITERATIONS),
  };
}

/** The rank of a node: blocks go to and fro along the ring. */
function rankOf(node: number, { blocks: [, alongJ] }: HimenoProblem): number {
  const row = Math.floor(node / alongJ);
  const place = node % alongJ;
  return row * alongJ + (row % 2 === 0 ? place : alongJ - 1 - place);
}

/** Where the residual and the whole p lie in GPU memory: behind two arrays of the largest block, halo included. */
function placesOf({ size: [imax, jmax, kmax], blocks: [A, B] }: HimenoProblem) {
  const widest = (planes: number, blocks: number): number =>
    Math.max(
      ...Array.from({ length: blocks }, (_, block) => {
        const [first, end] = planesOf(block, planes, blocks);
        return end - first + (block > 0 ? 1 : 0) + (block < blocks - 1 ? 1 : 0);
      }),
    );
  const array = pages(4 * widest(imax, A) * widest(jmax, B) * kmax);
  return { residual: 2 * array, whole: 2 * array + pageBytes };
}

interface Solving {
  /** By node: iterations that its GPU was given, the residual that it has last got, and the code with which it ended. */
  readonly launched: number[];
  readonly residual: number[];
  readonly exits: (number | null)[];
  /** What lies where the whole p is put together. */
  readonly whole: WrittenBytes;
}

/** The schedules of a scenario share what must be left. */
const known = new WeakMap<TcaKnown['config'], HimenoEnd>();

/** Himeno on blocks is Himeno on one array, to the last bit of p, in so many sweeps of the right length (TCA specification 13; 19, I16). */
export const himenoIsAsOneBlock = ({ config, programs }: TcaKnown) => {
  const isHimeno = 'job' in programs;
  const problem = problemOf(config.gasnet?.environment ?? {});
  const ranks = problem.blocks[0] * problem.blocks[1];
  const places = placesOf(problem);
  const whole = addressOf(0, 'gpu', places.whole);
  const wholeBytes = 4 * problem.size[0] * problem.size[1] * problem.size[2];
  const endOf = (): HimenoEnd => {
    const end = known.get(config) ?? himenoEnd(problem);
    known.set(config, end);
    return end;
  };
  const wrongAt = (found: Uint8Array, { p }: HimenoEnd): number => {
    const view = new DataView(found.buffer, found.byteOffset);
    return p.findIndex((value, k) => !Object.is(view.getFloat32(4 * k, true), value));
  };

  return tcaProperty({
    sentence: 'Himeno on blocks comes out as on one array, to the last bit',
    watches: isHimeno ? ['memory.visible', 'kernel.launch', 'cpu.exit'] : [],
    begin: (): Solving => ({
      launched: new Array<number>(config.nodes).fill(0),
      residual: new Array<number>(config.nodes).fill(0),
      exits: new Array<null>(config.nodes).fill(null),
      whole: {},
    }),
    see(solving, { from, to, event }, found) {
      switch (event.type) {
        case 'memory.visible': {
          const node = nodeOf(event.addr);
          if (event.addr === addressOf(node, 'gpu', places.residual) && event.data.length === 8)
            solving.residual[node] = new DataView(event.data.buffer, event.data.byteOffset).getFloat64(
              0,
              true,
            );
          if (event.addr >= whole && event.addr < whole + wholeBytes)
            writeBytes(solving.whole, event.addr, event.data);
          return;
        }
        case 'kernel.launch': {
          const node = nodeIn(from);
          solving.launched[node]!++;
          const ns = 8000 + (interiorPointsOf(problem, rankOf(node, problem)) * 56) / 150;
          if (node >= ranks || Math.abs(event.ns - ns) > 1e-6)
            found([from], `a sweep takes ${event.ns} ns, expected ${node < ranks ? ns : 'none'}`);
          return;
        }
        default: {
          const node = nodeIn(to);
          solving.exits[node] = event.code;
          const end = endOf();
          const { HIMENO_CRC32: asked } = config.gasnet?.environment ?? {};
          const code = asked === undefined || asked === end.crc32 ? 0 : 1;
          if (event.code !== code) found([to], `the job ends with ${event.code}, expected ${code}`);
          const sweeps = node < ranks ? problem.iterations : 0;
          if (solving.launched[node] !== sweeps)
            found([to], `${solving.launched[node]} sweeps, expected ${sweeps}`);
          if (Math.abs(solving.residual[node]! - end.gosa) > 1e-12 * end.gosa)
            found([to], `the residual is ${solving.residual[node]}, expected ${end.gosa}`);
          const wrong = node === 0 ? wrongAt(readBytes(solving.whole, whole, wholeBytes), end) : -1;
          if (wrong >= 0) found([to], `value ${wrong} of p is not ${end.p[wrong]}`);
        }
      }
    },
    ...mustEnd('has not ended the job', 'nodes have not ended the job', ({ exits }: Solving) =>
      isHimeno
        ? exits.flatMap((code, node) =>
            code === null ? [{ who: `Node[${node}].Cpu`, what: `node ${node}` }] : [],
          )
        : [],
    ),
  });
};
