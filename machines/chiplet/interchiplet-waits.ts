import type { TransferCommand } from '../../actors/chiplet/interchiplet/commands.ts';
import type { FunctionalCoordinatorContext } from '../../actors/chiplet/interchiplet/functional-coordinator.ts';
import { anyPlace, type Place, samePlace } from '../../actors/chiplet/interchiplet/place.ts';
import type { TimingCoordinatorContext } from '../../actors/chiplet/interchiplet/timing-coordinator.ts';
import type { Address } from '../../kernel/message.ts';

/** A process whose command is not answered, and why (E-DEADLOCK, chiplet specification 13). */
export interface BlockedProcess {
  readonly process: string;
  readonly why: string;
}

const named = ({ x, y }: Place): string => `(${x},${y})`;

/** Who waits at the coordinators for what, functional commands first. */
export function blockedProcesses(
  functional: FunctionalCoordinatorContext,
  timing: TimingCoordinatorContext,
  nameOf: (address: Address) => string,
): readonly BlockedProcess[] {
  return [...atFunctionalCoordinator(functional), ...atTimingCoordinator(timing)].map(({ by, why }) => ({
    process: nameOf(by),
    why,
  }));
}

interface Blocked {
  readonly by: Address;
  readonly why: string;
}

function* atFunctionalCoordinator(coordinator: FunctionalCoordinatorContext): Iterable<Blocked> {
  for (const [uid, { count, waiting }] of Object.entries(coordinator.barriers))
    for (const { by } of waiting)
      yield {
        by,
        why: `waits for RESULT of BARRIER ${uid}: ${waiting.length} of ${count === 0 ? 'an unknown number' : count} are there`,
      };
  for (const [uid, { holder, queue }] of Object.entries(coordinator.locks))
    for (const { by } of queue) {
      const [turn] = coordinator.lockOrders[`${uid},0`] ?? [];
      const why = holder
        ? `which ${named(holder)} holds`
        : `whose next turn is recorded for ${turn ? named(turn) : 'nobody'}`;
      yield { by, why: `waits for RESULT of LOCK ${uid}, ${why}` };
    }
  for (const { by, target } of coordinator.launches)
    yield { by, why: `waits for RESULT of LAUNCH: ${named(target)} has no WAITLAUNCH for it` };
  for (const { by, source } of coordinator.awaited)
    yield {
      by,
      why: `waits for RESULT of WAITLAUNCH: no LAUNCH from ${samePlace(source, anyPlace) ? 'anybody' : named(source)}`,
    };
}

const transfer = ({ source, target, bytes }: TransferCommand): string =>
  `${named(source)} to ${named(target)}, ${bytes} bytes`;

function* atTimingCoordinator(coordinator: TimingCoordinatorContext): Iterable<Blocked> {
  for (const write of coordinator.writes)
    yield { by: write.by, why: `waits for SYNC of WRITE ${transfer(write)}: no READ fits` };
  for (const read of coordinator.reads)
    yield { by: read.by, why: `waits for SYNC of READ ${transfer(read)}: no WRITE fits` };
  for (const { count, waiting } of Object.values(coordinator.barriers))
    for (const { by, target } of waiting)
      yield {
        by,
        why: `waits for SYNC of barrier ${target.x}: ${waiting.length} of ${count === 0 ? 'an unknown number' : count} are there`,
      };
  for (const { holder, waiting } of Object.values(coordinator.locks))
    for (const { by, target } of waiting)
      yield {
        by,
        why: `waits for SYNC of lock ${target.x}, which ${holder ? named(holder) : 'nobody'} holds`,
      };
}
