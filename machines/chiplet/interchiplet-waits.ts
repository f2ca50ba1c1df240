import type { TransferCommand } from '../../actors/chiplet/interchiplet/commands.ts';
import type { FunctionalDeskContext } from '../../actors/chiplet/interchiplet/functional-desk.ts';
import { anyPlace, type Place, samePlace } from '../../actors/chiplet/interchiplet/place.ts';
import type { TimingDeskContext } from '../../actors/chiplet/interchiplet/timing-desk.ts';
import type { Address } from '../../kernel/message.ts';

/** A process whose command is not answered, and why (E-DEADLOCK, chiplet specification 13). */
export interface BlockedProcess {
  readonly process: string;
  readonly why: string;
}

const named = ({ x, y }: Place): string => `(${x},${y})`;

/** Who waits at the desks for what, functional commands first. */
export function blockedProcesses(
  functional: FunctionalDeskContext,
  timing: TimingDeskContext,
  nameOf: (address: Address) => string,
): readonly BlockedProcess[] {
  return [...atFunctionalDesk(functional), ...atTimingDesk(timing)].map(({ by, why }) => ({
    process: nameOf(by),
    why,
  }));
}

interface Blocked {
  readonly by: Address;
  readonly why: string;
}

function* atFunctionalDesk(desk: FunctionalDeskContext): Iterable<Blocked> {
  for (const [uid, { count, waiting }] of Object.entries(desk.barriers))
    for (const { by } of waiting)
      yield {
        by,
        why: `waits for RESULT of BARRIER ${uid}: ${waiting.length} of ${count === 0 ? 'an unknown number' : count} are there`,
      };
  for (const [uid, { holder, queue }] of Object.entries(desk.locks))
    for (const { by } of queue) {
      const [turn] = desk.lockOrders[`${uid},0`] ?? [];
      const why = holder
        ? `which ${named(holder)} holds`
        : `whose next turn is recorded for ${turn ? named(turn) : 'nobody'}`;
      yield { by, why: `waits for RESULT of LOCK ${uid}, ${why}` };
    }
  for (const { by, target } of desk.launches)
    yield { by, why: `waits for RESULT of LAUNCH: ${named(target)} has no WAITLAUNCH for it` };
  for (const { by, source } of desk.awaited)
    yield {
      by,
      why: `waits for RESULT of WAITLAUNCH: no LAUNCH from ${samePlace(source, anyPlace) ? 'anybody' : named(source)}`,
    };
}

const transfer = ({ source, target, bytes }: TransferCommand): string =>
  `${named(source)} to ${named(target)}, ${bytes} bytes`;

function* atTimingDesk(desk: TimingDeskContext): Iterable<Blocked> {
  for (const write of desk.writes)
    yield { by: write.by, why: `waits for SYNC of WRITE ${transfer(write)}: no READ fits` };
  for (const read of desk.reads)
    yield { by: read.by, why: `waits for SYNC of READ ${transfer(read)}: no WRITE fits` };
  for (const { count, waiting } of Object.values(desk.barriers))
    for (const { by, target } of waiting)
      yield {
        by,
        why: `waits for SYNC of barrier ${target.x}: ${waiting.length} of ${count === 0 ? 'an unknown number' : count} are there`,
      };
  for (const { holder, waiting } of Object.values(desk.locks))
    for (const { by, target } of waiting)
      yield {
        by,
        why: `waits for SYNC of lock ${target.x}, which ${holder ? named(holder) : 'nobody'} holds`,
      };
}
