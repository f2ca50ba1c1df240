import type { CellLogHeader } from './log-events.ts';
import type { LoggedRun, LoggedTransfer } from './transfers-of-log.ts';

/** Names a ring as people see it, "ring 0 →" for direction 0 and "ring 0 ←" for direction 1 (Cell specification 1). */
export function ringName(dir: number, ring: number): string {
  return `ring ${ring} ${dir === 0 ? '→' : '←'}`;
}

/** Says what a transfer does in a few characters, "S0→S2 put 4 B" (Cell specification 3). */
export function transferLabel({ sender, receiver, kind, size }: LoggedTransfer): string {
  return `S${sender}→S${receiver} ${kind} ${size} B`;
}

/** Tells the whole story of one transfer in a few lines: who, what, when, where, how long it waited (Cell specification 14). */
export function transferStory(transfer: LoggedTransfer): string {
  const { spu, id, kind, sender, receiver, size, issue, state, wait, occupation } = transfer;
  const head = `S${spu} #${id}: ${kind} S${sender}→S${receiver}, ${counted(size, 'byte')}\nissued in cycle ${issue}`;
  if (state === 'empty') return `${head}, complete without a ring`;
  if (occupation === null)
    return `${head}, still waiting at the end of the run after ${counted(wait, 'cycle')}`;
  const { dir, ring, nodes, first, last } = occupation;
  const when = first === last ? `cycle ${first}` : `cycles ${first}–${last}`;
  const cut = state === 'running' ? ', cut by the end of the run' : '';
  return `${head}, waited ${counted(wait, 'cycle')}\nran in ${when} on ${ringName(dir, ring)}, nodes ${nodes.join(', ')}${cut}`;
}

/** The key figures of a run in one line: cycles, bytes, transfers, total wait, and what is unfinished (Cell specification 14). */
export function runFigures(run: LoggedRun): string[] {
  const unfinished = run.transfers.filter(({ state }) => state === 'waiting' || state === 'running').length;
  const figures = [
    counted(run.cycles, 'cycle'),
    counted(run.bytes, 'byte'),
    counted(run.transfers.length, 'transfer'),
    `total wait ${counted(run.totalWait, 'cycle')}`,
  ];
  if (unfinished > 0) figures.push(`${unfinished} unfinished`);
  return figures;
}

/** The second line of a picture's title: the figures of the run and of its machine (Cell specification 14). */
export function figuresLine({ N, K, policy }: CellLogHeader, run: LoggedRun): string {
  const machine = [counted(N, 'node'), `${counted(K, 'ring')} each way`, `policy ${policy}`];
  return [...runFigures(run), ...machine].join(' · ');
}

/** Writes a number with its noun, "1 cycle" or "2 cycles". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
