import type { LinkContext } from '../../actors/chiplet/network/link.ts';
import type { Run } from '../../kernel/run.ts';
import type { Scene, SceneBox, SceneLine, Tone } from '../scene.ts';
import type { NetworkPlan, WiredNetwork } from './assembly.ts';
import { type ChipletLogHeader, placesOf } from './heat-map.ts';
import { flitsIn, heldIn } from './standstill.ts';

/** What stands in the box of a router, where something is at it. */
export interface RouterWords {
  readonly words: readonly string[];
  readonly tone: Tone;
  readonly actor?: string;
}

/** How a network is drawn: ticks of its cycle, words beside those of a router itself, px that a router has. */
export interface NetworkDrawing {
  readonly cycleTicks: number;
  readonly at?: (router: number) => RouterWords | undefined;
  readonly room?: readonly [width: number, height: number];
}

/** A network at a moment: routers at their addresses, filled as far as their buffers are, and links, wider the more went over them so far. */
export function networkScene(
  run: Run,
  wired: WiredNetwork,
  { topology, channels, bufferDepth }: NetworkPlan,
  { routers }: Pick<ChipletLogHeader, 'routers'>,
  { cycleTicks, at = () => undefined, room = [64, 44] }: NetworkDrawing,
): Scene {
  const places = placesOf({ routers });
  const columns = Math.max(...places.map(([column]) => column)) + 1;
  const rows = Math.max(...places.map(([, row]) => row)) + 1;
  const [wide, tall] = columns > 12 ? ([34, 26] as const) : room;
  const [across, down] = [wide + 45, tall + 40];
  const middle = (router: number): readonly [number, number] => [
    places[router]![0] * across + wide / 2 + 12,
    places[router]![1] * down + tall / 2 + 12,
  ];
  const onWire = new Set(run.state.messages.map(({ from }) => from));
  const uses = wired.links.map(({ address }) => (run.part(address).context as unknown as LinkContext).flits);
  const most = Math.max(1, ...uses);
  const links = wired.links.map(({ address, from, to }, index): SceneLine => {
    const [[x, y], [toX, toY]] = [middle(from), middle(to)];
    const length = Math.hypot(toX - x, toY - y) || 1;
    // The two directions of a link lie side by side.
    const [aside, below] = [(-4 * (toY - y)) / length, (4 * (toX - x)) / length];
    const busy = onWire.has(run.nameOf(address));
    return {
      kind: 'line',
      points: [
        [x + aside, y + below],
        [toX + aside, toY + below],
      ],
      tone: busy ? 1 : uses[index]! > 0 ? 4 : 'link',
      width: busy ? 5 : 1 + (3 * uses[index]!) / most,
      tooltip: `link from ${routers[from]!.join(',')} to ${routers[to]!.join(',')}: ${uses[index]} flits so far${busy ? ', one on the wire' : ''}`,
    };
  });
  let flits = 0;
  const boxes = wired.routers.map((address, router): SceneBox => {
    const counts = Array.from({ length: topology.ports * channels }, (_, input) =>
      input < channels || wired.inputs[router]?.[input] === undefined || wired.inputs[router]![input]! >= 0
        ? flitsIn(run, wired, router, input)
        : 0,
    );
    const own = counts.reduce((sum, one) => sum + one, 0);
    flits += own;
    const inBuffers = counts.slice(channels);
    const fill = Math.max(0, ...inBuffers) / bufferDepth;
    const held = heldIn(run, wired, router).length;
    const { words = [], tone, actor } = at(router) ?? {};
    const name = run.nameOf(address);
    return {
      kind: 'box',
      x: middle(router)[0] - wide / 2,
      y: middle(router)[1] - tall / 2,
      width: wide,
      height: tall,
      tone: tone ?? (held > 0 ? 'wait' : own > 0 ? 'work' : 'rest'),
      level: fill,
      words: [routers[router]!.join(','), ...words, ...(own > 0 ? [`${own} flit${own > 1 ? 's' : ''}`] : [])],
      actor: actor ?? name,
      tooltip: `${name}: ${own} flits, the fullest buffer has ${Math.max(0, ...inBuffers)} of ${bufferDepth}; ${held} buffers whose packets cannot go on`,
    };
  });
  const busy = links.filter(({ tone }) => tone === 1).length;
  return {
    width: (columns - 1) * across + wide + 24,
    height: (rows - 1) * down + tall + 24,
    summary: `cycle ${Math.floor(run.now / cycleTicks)}: ${flits} flits in routers, ${busy} links carry one`,
    shapes: [...links, ...boxes],
    legend: [
      { tone: 'work', words: 'flits in the router; filled as far as its fullest buffer' },
      { tone: 'wait', words: 'a packet in it cannot go on' },
      { tone: 1, words: 'a flit is on the wire' },
      { tone: 4, words: 'links, wider the more went over them' },
    ],
  };
}
