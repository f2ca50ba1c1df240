import type { CpeState } from '../../actors/sunway/cpe/cpe-state.ts';
import type { Descriptor } from '../../actors/sunway/descriptor.ts';
import type { Run } from '../../kernel/run.ts';
import {
  actorsNamed,
  type Scene,
  type SceneBox,
  type SceneLine,
  type SceneText,
  type Tone,
} from '../scene.ts';
import type { SunwayConfig } from './config.ts';

/** CPEs in a row of an array (specification 1). */
const side = 8;

/** A transfer under way, and the group of its issuer. */
interface Flight {
  readonly cgn: number;
  readonly descriptor: Descriptor;
}

/** Transfers that engines have in hand, whichever of their twins does the work. */
function flightsOf(run: Run): readonly Flight[] {
  const explicit = actorsNamed<{ readonly descriptor: Descriptor | null }>(
    run,
    /^Cg\[(\d+)\]\.Cpe\[(\d+)\]\.Transfer\[/,
  ).flatMap(({ numbers: [cgn], context: { descriptor } }) => (descriptor ? [{ cgn: cgn!, descriptor }] : []));
  const fast = actorsNamed<{ readonly flights?: ReadonlyMap<number, { readonly descriptor: Descriptor }> }>(
    run,
    /^Cg\[(\d+)\]\.Tbox\[(\d+)\]$/,
  ).flatMap(({ numbers: [cgn], context: { flights = new Map() } }) =>
    [...flights.values()].map(({ descriptor }) => ({ cgn: cgn!, descriptor })),
  );
  return [...explicit, ...fast];
}

const toneOf = (state: string, waiting: boolean): Tone =>
  /offline|ended|idle/i.test(state)
    ? 'rest'
    : /fault|error/i.test(state)
      ? 'fault'
      : waiting && !/issue$/.test(state)
        ? 'wait'
        : 'work';

/** A Sunway node at a moment: the array of each core group with what each CPE does, and the DMA and RMA under way. */
export function sunwayScene({ cgs }: Pick<SunwayConfig, 'cgs'>, run: Run): Scene {
  const [wide, tall] = cgs === 1 ? [66, 38] : [34, 24];
  const [stepX, stepY] = [wide + 10, tall + 10];
  const groupsInRow = Math.min(cgs, 3);
  const cpes = actorsNamed<CpeState>(run, /^Cg\[(\d+)\]\.Cpe\[(\d+)\]$/);
  const lines = Math.ceil(Math.max(1, ...cpes.map(({ numbers }) => numbers[1]! + 1)) / side);
  const [groupWidth, groupHeight] = [side * stepX + 14, lines * stepY + 66];
  const corner = (cgn: number): readonly [number, number] => [
    12 + (cgn % groupsInRow) * groupWidth,
    12 + Math.floor(cgn / groupsInRow) * groupHeight,
  ];
  const placeOf = (cgn: number, tid: number): readonly [number, number] => {
    const [x, y] = corner(cgn);
    return [x + (tid % side) * stepX, y + 44 + Math.floor(tid / side) * stepY];
  };
  const middleOf = (cgn: number, tid: number): readonly [number, number] => {
    const [x, y] = placeOf(cgn, tid);
    return [x + wide / 2, y + tall / 2];
  };
  const flights = flightsOf(run);
  const ways = flights.map(({ cgn, descriptor }): SceneLine => {
    const { kind, tid, remoteTid, len, transfer } = descriptor;
    const [x, y] = middleOf(cgn, tid);
    const dma = kind.startsWith('dma');
    const other: readonly [number, number] = dma
      ? [x, corner(cgn)[1] + 32]
      : middleOf(cgn, kind.includes('Put') || kind.includes('Get') ? remoteTid : tid);
    const inward = /get/i.test(kind);
    return {
      kind: 'line',
      points: inward ? [other, [x, y]] : [[x, y], other],
      tone: dma ? 0 : 3,
      width: 2,
      head: true,
      tooltip: `${kind} of ${len} bytes for CPE ${tid}${dma ? '' : ` and CPE ${remoteTid}`}, transfer ${transfer}`,
    };
  });
  const boxes = cpes.map(({ name, numbers: [cgn, tid], state, waiting, context }): SceneBox => {
    const [x, y] = placeOf(cgn!, tid!);
    const { call } = context;
    const doing = call && state.startsWith('running') ? call.op : '';
    const own = flights.filter((one) => one.cgn === cgn && one.descriptor.tid === tid).length;
    const short = state.slice(state.lastIndexOf('.') + 1);
    return {
      kind: 'box',
      x,
      y,
      width: wide,
      height: tall,
      tone: toneOf(state, waiting),
      words: cgs === 1 ? [`${tid}`, short] : [`${tid}`],
      actor: name,
      tooltip: `${name}: ${state}${doing === '' ? '' : `, carries out ${doing}`}; ${own} transfers under way`,
    };
  });
  const groups = actorsNamed<object>(run, /^Cg\[(\d+)\]\.Mpe$/).flatMap(
    ({ name, numbers: [cgn], state, waiting }): readonly (SceneBox | SceneText)[] => {
      const [x, y] = corner(cgn!);
      const half = (side * stepX - 10) / 2;
      return [
        {
          kind: 'box',
          x,
          y,
          width: half - 5,
          height: 30,
          tone: toneOf(state, waiting),
          words: [`MPE ${cgn}: ${state}`],
          actor: name,
        },
        {
          kind: 'box',
          x: x + half + 5,
          y,
          width: half - 5,
          height: 30,
          tone: 'link',
          words: ['main memory'],
          actor: `Cg[${cgn}].MemCtrl`,
        },
      ];
    },
  );
  const waiting = boxes.filter(({ tone }) => tone === 'wait').length;
  const dma = ways.filter(({ tone }) => tone === 0).length;
  return {
    width: 24 + groupsInRow * groupWidth - 14,
    height: 12 + Math.ceil(cgs / groupsInRow) * groupHeight,
    summary: `cycle ${run.now}: ${dma} DMA and ${ways.length - dma} RMA transfers under way, ${waiting} of ${boxes.length} CPEs wait`,
    // DMA goes up to main memory below the CPEs on its way.
    shapes: [
      ...groups,
      ...ways.filter(({ tone }) => tone === 0),
      ...boxes,
      ...ways.filter(({ tone }) => tone !== 0),
    ],
    legend: [
      { tone: 'work', words: 'works' },
      { tone: 'wait', words: 'waits' },
      { tone: 'rest', words: 'without a thread' },
      { tone: 0, words: 'DMA' },
      { tone: 3, words: 'RMA' },
    ],
  };
}
