import type { Run } from '../../kernel/run.ts';
import type { Scene, SceneBox, SceneLine, Tone } from '../scene.ts';
import { chipletName } from './gpu-chiplet.ts';
import { networkScene } from './network-scene.ts';
import type { WiredChiplet, WiredSystem } from './system-assembly.ts';
import type { SystemLogHeader } from './system-log.ts';

const [wide, tall, gap] = [132, 76, 44];

/** What a chiplet does: its host, and how many of its cores are at work. */
function doingOf(run: Run, { host, cores, entry }: WiredChiplet) {
  const { name: state, waiting } = run.part(host).configuration;
  const working = cores.filter((core) => run.part(core).configuration.name !== 'idle').length;
  const tone: Tone =
    working > 0 ? 'work' : /ended|done|stopped/.test(state) ? 'rest' : waiting ? 'wait' : 'work';
  return {
    tone,
    actor: run.nameOf(host),
    words: [
      `${entry.kind}: ${state.slice(state.lastIndexOf('.') + 1)}`,
      ...(cores.length > 0 ? [`${working} of ${cores.length} cores on`] : []),
    ],
  };
}

/** A system of chiplets at a moment: over its network where messages go through one, else side by side, with the messages under way between them. */
export function systemScene(run: Run, wired: WiredSystem, header: Pick<SystemLogHeader, 'routers'>): Scene {
  const { chiplets, network, plan, cycleTicks } = wired;
  if (network) {
    const at = new Map(
      chiplets.map((one) => [header.routers.findIndex((address) => address.join() === one.at.join()), one]),
    );
    const scene = networkScene(run, network, plan, header, {
      cycleTicks,
      room: [120, 64],
      at: (router) => {
        const chiplet = at.get(router);
        return chiplet && doingOf(run, chiplet);
      },
    });
    const ofLinks = scene.legend.filter(({ tone }) => typeof tone === 'number');
    return { ...scene, legend: [...legend, ...ofLinks] };
  }
  const cornerOf = ({ at: [x, y] }: WiredChiplet): readonly [number, number] => [
    16 + y * (wide + gap),
    16 + x * (tall + gap),
  ];
  const byName = new Map(chiplets.map((one) => [chipletName(one.at), one]));
  const chipletOf = (actor: string): WiredChiplet | undefined =>
    byName.get(/^Chip\[\d+\]\[\d+\]/.exec(actor)?.[0] ?? '');
  const underWay = run.state.messages.flatMap(({ from, to, event }): readonly SceneLine[] => {
    const [source, target] = [chipletOf(from), chipletOf(to)];
    if (!source || !target || source === target) return [];
    const [[x, y], [toX, toY]] = [cornerOf(source), cornerOf(target)];
    return [
      {
        kind: 'line',
        points: [
          [x + wide / 2, y + tall / 2],
          [toX + wide / 2, toY + tall / 2],
        ],
        tone: 1,
        width: 3,
        head: true,
        tooltip: `${event.type} from ${from} to ${to}`,
      },
    ];
  });
  const boxes = chiplets.map((one): SceneBox => {
    const [x, y] = cornerOf(one);
    const { words, ...rest } = doingOf(run, one);
    return {
      kind: 'box',
      x,
      y,
      width: wide,
      height: tall,
      ...rest,
      words: [one.at.join(','), ...words],
      tooltip: `${chipletName(one.at)}: ${words.join(', ')}`,
    };
  });
  const working = boxes.filter(({ tone }) => tone === 'work').length;
  return {
    width: Math.max(...boxes.map(({ x }) => x)) + wide + 16,
    height: Math.max(...boxes.map(({ y }) => y)) + tall + 16,
    summary: `cycle ${Math.floor(run.now / cycleTicks)}: ${working} of ${boxes.length} chiplets work, ${underWay.length} messages under way between them`,
    shapes: [...underWay, ...boxes],
    legend: [...legend, { tone: 1, words: 'a message under way' }],
  };
}

const legend = [
  { tone: 'work', words: 'works; a router is filled as far as its fullest buffer' },
  { tone: 'wait', words: 'waits' },
  { tone: 'rest', words: 'nothing to do' },
] as const;
