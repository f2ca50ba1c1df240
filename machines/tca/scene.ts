import type { DmacContext } from '../../actors/tca/dmac-context.ts';
import type { LinkContext } from '../../actors/tca/link.ts';
import { nanoseconds } from '../../actors/tca/parameters.ts';
import type { Run } from '../../kernel/run.ts';
import { actorsNamed, type Scene, type SceneBox, type SceneLine, type SceneText } from '../scene.ts';
import type { TcaConfig } from './config.ts';

const [cardWidth, cardHeight] = [176, 112];

/** Which node a cable of a port leads to (TCA specification 2): on along the own ring, back, or to the other ring. */
function farEnd(
  { topology, nodes }: Pick<TcaConfig, 'topology' | 'nodes'>,
  node: number,
  port: string,
): number {
  const length = topology === 'dualRing' ? nodes / 2 : nodes;
  const first = node - (node % length);
  if (port === 'S') return (node + length) % nodes;
  return first + ((node - first + (port === 'E' ? 1 : length - 1)) % length);
}

/** A TCA sub-cluster at a moment: nodes with processor, GPU and the four channels of their chip, and cables with what they carry. */
export function tcaScene(config: Pick<TcaConfig, 'topology' | 'nodes'>, run: Run): Scene {
  const { topology, nodes } = config;
  const length = topology === 'dualRing' ? nodes / 2 : nodes;
  const columns = topology === 'dualRing' ? length : Math.ceil(length / 2);
  /** Rings run along the upper row and back along the lower one; two rings lie one below the other. */
  const placeOf = (node: number): readonly [number, number] => {
    const at = node % length;
    if (topology === 'dualRing') return [at, Math.floor(node / length)];
    return at < columns ? [at, 0] : [length - 1 - at, 1];
  };
  const cornerOf = (node: number): readonly [number, number] => {
    const [column, row] = placeOf(node);
    return [16 + column * (cardWidth + 60), 16 + row * (cardHeight + 70)];
  };
  const cables = actorsNamed<LinkContext>(run, /^Node\[(\d+)\]\.Link\.(?:E|W|S)$/).map(
    ({ name, numbers: [node], state, context }): SceneLine => {
      const port = name.at(-1)!;
      const to = farEnd(config, node!, port);
      const [from, end] = [cornerOf(node!), cornerOf(to)].map(
        ([x, y]) => [x + cardWidth / 2, y + cardHeight / 2] as const,
      ) as [readonly [number, number], readonly [number, number]];
      const distance = Math.hypot(end[0] - from[0], end[1] - from[1]) || 1;
      const [aside, below] = [(-5 * (end[1] - from[1])) / distance, (5 * (end[0] - from[0])) / distance];
      const waiting = context.queue.length + context.reads.length;
      const busy = state !== 'idle';
      return {
        kind: 'line',
        points: [
          [from[0] + aside, from[1] + below],
          [end[0] + aside, end[1] + below],
        ],
        tone: state === 'noCredit' ? 'fault' : busy ? 1 : 'link',
        width: busy ? 4 : 2,
        tooltip: `${name} to node ${to}: ${state}, ${waiting} packets wait, ${context.packets} sent so far`,
      };
    },
  );
  const channels = actorsNamed<DmacContext>(run, /^Node\[(\d+)\]\.Dmac\[(\d+)\]$/);
  const cards = actorsNamed<object>(run, /^Node\[(\d+)\]\.Cpu$/).flatMap(
    ({ name, numbers: [node], state, waiting }): readonly (SceneBox | SceneText)[] => {
      const [x, y] = cornerOf(node!);
      const gpu = actorsNamed<object>(run, new RegExp(`^Node\\[${node}\\]\\.GpuKernel$`))[0];
      const own = channels.filter(({ numbers }) => numbers[0] === node);
      return [
        { kind: 'box', x, y, width: cardWidth, height: cardHeight, tone: 'link', tooltip: `node ${node}` },
        {
          kind: 'box',
          x: x + 8,
          y: y + 8,
          width: cardWidth - 16,
          height: 26,
          tone: waiting ? 'wait' : /done|idle/.test(state) ? 'rest' : 'work',
          words: [`node ${node}: ${state}`],
          actor: name,
        },
        ...(gpu
          ? [
              {
                kind: 'box',
                x: x + 8,
                y: y + 38,
                width: cardWidth - 16,
                height: 22,
                tone: gpu.state === 'idle' ? 'rest' : 'work',
                words: [`GPU: ${gpu.state}`],
                actor: gpu.name,
              } as const,
            ]
          : []),
        ...own.map(({ name: dmac, numbers: [, channel], state: doing, context }): SceneBox => {
          const { chain, descriptor, reads } = context;
          return {
            kind: 'box',
            x: x + 8 + channel! * ((cardWidth - 12) / 4),
            y: y + 66,
            width: (cardWidth - 12) / 4 - 4,
            height: 38,
            tone: doing === 'idle' ? 'rest' : /wait|noTag|stall/i.test(doing) ? 'wait' : 'work',
            level: doing === 'idle' ? 0 : descriptor / Math.max(1, chain.length),
            words:
              doing === 'idle'
                ? [`ch ${channel}`, doing]
                : [`ch ${channel}`, `${descriptor} of ${chain.length}`],
            actor: dmac,
            tooltip: `${dmac}: ${doing}; descriptor ${descriptor} of ${chain.length}, ${reads.length} reads under way`,
          };
        }),
      ];
    },
  );
  const busy = channels.filter(({ state }) => state !== 'idle').length;
  const carrying = cables.filter(({ tone }) => tone === 1).length;
  return {
    width: 32 + columns * (cardWidth + 60) - 60,
    height: 32 + 2 * cardHeight + 70,
    summary: `${(nanoseconds(run.now) / 1000).toFixed(2)} µs: ${busy} channels at work, ${carrying} cables carry a packet`,
    shapes: [...cables, ...cards],
    legend: [
      { tone: 'work', words: 'works; a channel is filled as far as its chain' },
      { tone: 'wait', words: 'waits' },
      { tone: 1, words: 'a packet on the cable' },
      { tone: 'fault', words: 'no credit: the far end has no room' },
    ],
  };
}
