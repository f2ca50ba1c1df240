import type { BlockContext } from '../../actors/grape/broadcast-block.ts';
import type { ControlContext } from '../../actors/grape/control-processor.ts';
import type { Slot } from '../../actors/grape/program.ts';
import type { Run } from '../../kernel/run.ts';
import { actorsNamed, type Scene, type SceneBox, type SceneLine, type Tone } from '../scene.ts';
import type { GrapeConfig } from './config.ts';

const [wide, tall] = [96, 62];
const units = ['mul', 'add', 'bm', 'idp', 'rrn'] as const;

/** The units that a slot uses: what lights up in a block. */
const unitsOf = (slot: Slot | null): string =>
  slot ? units.filter((unit) => slot[unit] !== undefined).join(' ') || 'nop' : '';

const toneOf = (state: string): Tone => (/^(idle|free|ready|resting)$/.test(state) ? 'rest' : 'work');

/** A chip at a moment: the control processor, ports and external memory above, the blocks with the slot that each carries out below. */
export function grapeScene({ nPE }: Pick<GrapeConfig, 'nPE'>, run: Run): Scene {
  const blocks = actorsNamed<BlockContext>(run, /^Block\[(\d+)\]$/);
  const columns = Math.min(8, Math.max(4, blocks.length));
  const width = columns * (wide + 12) + 20;
  const [control] = actorsNamed<ControlContext>(run, /^ControlProcessor$/);
  const others = actorsNamed<object>(run, /^(?:Host|ExternalMemory|InputPort|ReductionNetwork|OutputPort)$/);
  const head = (width - 20 - 12 * (others.length - 1)) / Math.max(1, others.length);
  const above = others.map(
    ({ name, state, waiting }, index): SceneBox => ({
      kind: 'box',
      x: 10 + index * (head + 12),
      y: 10,
      width: head,
      height: 40,
      tone: waiting ? 'wait' : toneOf(state),
      words: [name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase(), state],
      actor: name,
    }),
  );
  const { issued = 0, section = 'before', pass = 0, job = null } = control?.context ?? {};
  const middle: SceneBox = {
    kind: 'box',
    x: 10,
    y: 66,
    width: width - 20,
    height: 36,
    tone: job === null ? 'rest' : 'work',
    words: [
      `control processor: ${control?.state ?? ''}${job === null ? '' : `, ${section}, pass ${pass}, ${issued} slots of the step issued`}`,
    ],
    ...(control && { actor: control.name }),
  };
  const placeOf = (block: number): readonly [number, number] => [
    10 + (block % columns) * (wide + 12),
    132 + Math.floor(block / columns) * (tall + 12),
  ];
  const boxes = blocks.map(({ name, numbers: [block], state, context }): SceneBox => {
    const [x, y] = placeOf(block!);
    const { slot, queue, element, arriving } = context;
    const used = slot?.slot ? unitsOf(slot.slot) : '';
    return {
      kind: 'box',
      x,
      y,
      width: wide,
      height: tall,
      tone: slot ? 'work' : queue.length > 0 ? 'wait' : 'rest',
      level: slot ? element / Math.max(1, slot.length) : 0,
      words: slot
        ? [`block ${block}`, `slot ${slot.seq}`, used]
        : [`block ${block}`, queue.length > 0 ? `${queue.length} wait` : state],
      actor: name,
      tooltip: `${name}: ${state}${slot ? `, slot ${slot.seq}${slot.slot ? ` of line ${slot.slot.line}` : ''}, ${used}, cycle ${element} of ${slot.length}` : ''}; ${queue.length} slots wait, ${arriving.length} words on their way from the input port`,
    };
  });
  const ways = boxes.map(
    ({ x, width: own, y }, block): SceneLine => ({
      kind: 'line',
      points: [
        [x + own / 2, block < columns ? 102 : y - 12],
        [x + own / 2, y],
      ],
      tone: blocks[block]!.context.arriving.length > 0 ? 1 : 'link',
      width: 2,
    }),
  );
  const working = boxes.filter(({ tone }) => tone === 'work').length;
  const rows = Math.ceil(blocks.length / columns);
  return {
    width,
    height: 142 + rows * (tall + 12),
    summary: `cycle ${run.now}: ${working} of ${blocks.length} blocks of ${nPE} PEs carry out a slot`,
    shapes: [...ways, ...above, middle, ...boxes],
    legend: [
      { tone: 'work', words: 'at work; a block is filled as far as its slot' },
      { tone: 'wait', words: 'waits' },
      { tone: 'rest', words: 'idle' },
      { tone: 1, words: 'words on their way from the input port' },
    ],
  };
}
