import type { SyncAnswer, TransferCommand } from '../../actors/chiplet/interchiplet/commands.ts';
import { descriptions } from '../../actors/chiplet/interchiplet/commands.ts';
import type { Address } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import { written } from '../pictures/drawing.ts';
import type { InterchipletPrograms } from './interchiplet-config.ts';
import { type SpanRecord, systemTimeline, type TimelineHeader, timelineSketch } from './system-timeline.ts';

/** First record of the event log of processes under a coordinator. */
export interface CoordinatorLogHeader extends TimelineHeader {
  readonly format: 'chiplet-coordinator-log/1';
}

export const coordinatorHeader = (name: string, programs: InterchipletPrograms): CoordinatorLogHeader => ({
  format: 'chiplet-coordinator-log/1',
  name,
  mode: 'coordinator',
  chiplets: programs.map(({ x, y }) => ({ at: [x, y], kind: 'process' })),
});

const transactionOf = ({ type, description }: TransferCommand): SpanRecord['what'] => {
  if (description & descriptions.barrier) return 'barrier';
  if (description & descriptions.lock) return 'lock';
  if (description & descriptions.unlock) return 'unlock';
  if (description & descriptions.launch) return 'launch';
  return type === 'command.write' ? 'send' : 'receive';
};

/** Follows a run as the transactions of its processes, from the cycle of a command to that of its SYNC, in cycles of the system. */
export function followCoordinator(
  run: Run,
  processes: readonly Address[],
  programs: InterchipletPrograms,
  take: (record: object) => void,
): void {
  const indices = new Map(processes.map((address, index) => [address as number, index]));
  const open = new Map<number, TransferCommand>();
  let round = 0;
  run.messages$.subscribe(({ message: { to, event } }) => {
    if (event.type === 'process.begin') round = (event as unknown as { readonly round: number }).round;
    if (event.type === 'command.write' || event.type === 'command.read') {
      const command = event as TransferCommand;
      open.set(command.by, command);
    }
    if (event.type !== 'answer.sync') return;
    const command = open.get(to)!;
    open.delete(to);
    const chiplet = indices.get(to)!;
    const { clockRate } = programs[chiplet]!;
    const span: SpanRecord = {
      chiplet,
      row: `round ${round}`,
      what: transactionOf(command),
      from: command.cycle / clockRate,
      to: (event as SyncAnswer).cycle / clockRate,
    };
    take(span);
  });
}

/** The transactions of all processes over time, a row for each round. */
export const coordinatorPicture = (
  name: string,
  programs: InterchipletPrograms,
  records: readonly object[],
): string =>
  written(name, systemTimeline(coordinatorHeader(name, programs), records as readonly SpanRecord[]));

/** The same as text. */
export const coordinatorSketch = (
  name: string,
  programs: InterchipletPrograms,
  records: readonly object[],
  width: number,
): string => timelineSketch(coordinatorHeader(name, programs), records as readonly SpanRecord[], width);
