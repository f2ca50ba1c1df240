import type { CpuContext } from './cpu-context.ts';
import type { Called } from './cpu-operations.ts';
import type { Flag } from './node-program.ts';
import type { TcaMessage } from './protocol.ts';

const nameOf = ({ source, slot }: Pick<Flag, 'source' | 'slot'>): string => `${source} ${slot}`;

const isAwaited = ({ tag }: Flag, value: number): boolean => tag === undefined || tag === value;

/** Takes the flags that are there already; the others are missing. */
export function lookAtBoard(c: CpuContext): void {
  const { flags } = c.operation as Called<'wait'>;
  c.missing = [];
  for (const flag of flags) {
    const values = c.flags.get(nameOf(flag)) ?? [];
    const at = values.findIndex((value) => isAwaited(flag, value));
    if (at < 0) c.missing.push(flag);
    else c.flags.set(nameOf(flag), values.toSpliced(at, 1));
  }
}

/** A word was written: somebody waits for it, or it is kept. */
export function noteFlag(c: CpuContext, flag: TcaMessage<'flag.set'>): void {
  const name = nameOf(flag);
  const at = c.missing.findIndex((one) => nameOf(one) === name && isAwaited(one, flag.value));
  if (at >= 0) c.missing.splice(at, 1);
  else c.flags.set(name, [...(c.flags.get(name) ?? []), flag.value]);
}

/** Flags that the operation at hand waits for. */
export const flagsWaitedFor = (c: CpuContext): number => (c.operation as Called<'wait'>).flags.length;

/** Channels whose stop the operation at hand waits for. */
export const channelsWaitedFor = (c: CpuContext): readonly number[] =>
  (c.operation as Called<'stopped'>).channels;

/** Whether all chains of a channel have ended. */
export const isStopped = (c: CpuContext, channel: number): boolean =>
  c.finished[channel]! >= c.started[channel]!;
