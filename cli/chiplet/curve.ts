import type { Command } from 'commander';
import type { NamedCurve } from '../../machines/chiplet/curve-picture.ts';
import { type CurvePoint, curvePoint, kneeOf } from '../../machines/chiplet/load-curve.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';
import { naturalOption } from '../natural-option.ts';
import { writeOutput } from '../output.ts';
import { UsageError } from '../usage-error.ts';

interface CurveWords {
  readonly side: number;
  readonly channels: readonly number[];
  readonly buffer: number;
  readonly flits: number;
  readonly cycles: number;
  readonly seed: number;
  readonly loads: readonly number[];
  readonly json?: boolean;
  readonly plot?: string;
}

const usualLoads = [0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45];

/** `lockstep chiplet curve`: delay over load in a mesh under uniform traffic. */
export function declareCurve(command: Command, session: Session): void {
  command
    .option('--side <n>', 'routers in each dimension', naturalOption('--side'), 8)
    .option(
      '--channels <list>',
      'virtual channels, a curve each: 1,3',
      listOption('--channels', 32, true),
      [3],
    )
    .option('--buffer <flits>', 'input buffer of a channel', naturalOption('--buffer'), 12)
    .option('--flits <n>', 'flits of a packet', naturalOption('--flits'), 5)
    .option('--cycles <n>', 'cycles from the empty network', naturalOption('--cycles'), 4000)
    .option('--seed <n>', 'seed of traffic and arbitration', naturalOption('--seed'), 1)
    .option(
      '--loads <list>',
      'flits a router and cycle: 0.1,0.2',
      listOption('--loads', 1, false),
      usualLoads,
    )
    .option('--json', 'one JSON object {curves} on standard output')
    .option('--plot <file.svg>', 'draw delay over load')
    .action(async (options: CurveWords) => {
      session.exitCode = await curve(options, session);
    });
}

async function curve(options: CurveWords, { terminal }: Session): Promise<number> {
  const { side, channels, buffer, flits, cycles, seed, loads } = options;
  if (side < 2 || side > 64 || buffer < 1 || flits < 1 || cycles < 1)
    throw new UsageError(
      'found a mesh without routers, places or time',
      'sides are 2 to 64, all others at least 1',
    );
  const curves: NamedCurve[] = [];
  const interrupt = new Interrupt(terminal);
  try {
    for (const count of channels) {
      const points: CurvePoint[] = [];
      curves.push({ name: `${count} channel${count === 1 ? '' : 's'}`, points });
      for (const load of loads) {
        points.push(curvePoint({ side, channels: count, bufferDepth: buffer, flits, cycles, seed }, load));
        await new Promise((resolve) => setImmediate(resolve));
        if (interrupt.asked) break;
      }
      if (interrupt.asked) break;
    }
  } finally {
    interrupt.release();
  }
  const told = curves.map(({ name, points }) => ({ name, knee: kneeOf(points) ?? null, points }));
  if (options.json) terminal.out(`${JSON.stringify({ curves: told })}\n`);
  else for (const { name, knee, points } of told) terminal.out(curveText(name, knee, points));
  if (options.plot !== undefined) {
    const { curvePicture } = await import('../../machines/chiplet/curve-picture.ts');
    const title = `delay over load, ${side}x${side} mesh, packets of ${flits} flit${flits === 1 ? '' : 's'}`;
    writeOutput(terminal, options.plot, curvePicture(title, curves));
    terminal.err(`picture written: ${options.plot}\n`);
  }
  return interrupt.asked ? exitCodes.interrupted : exitCodes.ok;
}

function curveText(name: string, knee: number | null, points: readonly CurvePoint[]): string {
  const rows = points.map(
    ({ offered, accepted, delay }) =>
      `  ${offered.toFixed(3).padStart(7)}  ${accepted.toFixed(4).padStart(8)}  ${delay.toFixed(2).padStart(9)}\n`,
  );
  const end = knee === null ? '' : `  the delay has doubled at ${knee.toFixed(3)}\n`;
  return `${name}\n  offered  accepted      delay\n${rows.join('')}${end}`;
}

/** Numbers above 0 in rising order, separated by commas. Errors: `UsageError`. */
const listOption =
  (option: string, most: number, whole: boolean) =>
  (text: string): readonly number[] => {
    const list = text.split(',').map(Number);
    const rises = list.every((one, at) => at === 0 || one > list[at - 1]!);
    if (rises && list.every((one) => one > 0 && one <= most && (!whole || Number.isInteger(one))))
      return list;
    throw new UsageError(
      `${option}: found "${text}", expected ${whole ? 'whole ' : ''}numbers above 0 up to ${most}, rising`,
      `for example ${option} ${whole ? '1,3' : '0.1,0.2'}`,
    );
  };
