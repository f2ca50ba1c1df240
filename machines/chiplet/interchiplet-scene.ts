import type { ProcessContext } from '../../actors/chiplet/interchiplet/process.ts';
import type { RoundsContext } from '../../actors/chiplet/interchiplet/rounds.ts';
import type { Run } from '../../kernel/run.ts';
import { actorsNamed, type NamedActor, type Scene, type SceneBox, type SceneLine } from '../scene.ts';

const [wide, tall, gap, edge] = [150, 58, 40, 16];

/** A coordinator at a moment: its parts side by side, below them the processes of the chiplets at their places, and the messages under way. */
export function interchipletScene(run: Run): Scene {
  const boxes: SceneBox[] = [];
  const add = (
    { name, state, waiting }: NamedActor<unknown>,
    column: number,
    row: number,
    tone: SceneBox['tone'],
    words: readonly string[],
  ) =>
    boxes.push({
      kind: 'box',
      x: edge + column * (wide + gap),
      y: edge + row * (tall + gap),
      width: wide,
      height: tall,
      tone,
      words: [...words, state],
      actor: name,
      tooltip: `${name}: ${state}${waiting ? ', waits' : ''}`,
    });
  const doing = ({ state, waiting }: NamedActor<unknown>) =>
    waiting ? 'wait' : /^(resting|idle|ended|done)/.test(state) ? 'rest' : 'work';
  const [loop, ...parts] = [
    'Coordinator.Rounds',
    'Coordinator.FunctionalDesk',
    'Coordinator.TimingDesk',
    'Network',
  ].map((name) => actorsNamed<RoundsContext>(run, new RegExp(`^${name}$`))[0]!);
  const words = ['rounds', 'functional coordinator', 'timing coordinator', 'network'];
  for (const [column, part] of [loop!, ...parts].entries())
    add(part, column, 0, doing(part), [words[column]!]);
  const processes = actorsNamed<ProcessContext>(run, /^Process\[(\d+),(\d+)\]$/);
  for (const process of processes) {
    const [x, y] = process.numbers;
    const { at, script, clock } = process.context;
    add(process, y!, 1 + x!, doing(process), [
      `process ${x},${y}`,
      `step ${Math.min(at + 1, script.length)} of ${script.length}, cycle ${clock}`,
    ]);
  }
  const at = new Map(boxes.map((box) => [box.actor!, box]));
  const underWay = run.state.messages.flatMap(({ from, to, event }): readonly SceneLine[] => {
    const [source, target] = [at.get(from), at.get(to)];
    if (!source || !target || source === target) return [];
    // The head is halfway, where no box hides it.
    const [x, y] = [source.x + wide / 2, source.y + tall / 2];
    const [toX, toY] = [target.x + wide / 2, target.y + tall / 2];
    const middle = [(x + toX) / 2, (y + toY) / 2] as const;
    const line = { kind: 'line', tone: 1, width: 3, tooltip: `${event.type} from ${from} to ${to}` } as const;
    return [
      { ...line, points: [[x, y], middle], head: true },
      { ...line, points: [middle, [toX, toY]] },
    ];
  });
  const { round, cycles } = loop!.context;
  const waiting = processes.filter((one) => one.waiting).length;
  return {
    width: Math.max(...boxes.map(({ x }) => x)) + wide + edge,
    height: Math.max(...boxes.map(({ y }) => y)) + tall + edge,
    summary: `round ${round}, ${cycles} cycles so far: ${waiting} of ${processes.length} processes wait, ${underWay.length / 2} messages under way`,
    shapes: [...underWay, ...boxes],
    legend: [
      { tone: 'work', words: 'at work' },
      { tone: 'wait', words: 'waits' },
      { tone: 'rest', words: 'nothing to do' },
      { tone: 1, words: 'a message under way' },
    ],
  };
}
