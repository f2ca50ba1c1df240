import type { Access } from './access.ts';
import { coreName, type FreeEvent, type ThreadEvent } from './race-event.ts';
import type { RaceKind, RaceReport } from './race-report.ts';
import type { Transfer } from './transfer.ts';

/** A thread ends, or bytes are freed, while a transfer may still be under way. */
export function outlivedReport(
  kind: Extract<RaceKind, 'OrphanTransfer' | 'FreeWhileInFlight'>,
  { issue }: Transfer,
  access: Access,
  event: ThreadEvent | FreeEvent,
): RaceReport {
  const ends = event.kind === 'free' ? 'frees the bytes' : 'ends its thread';
  return {
    kind,
    severity: kind === 'OrphanTransfer' ? 'warning' : 'error',
    cycle: event.cycle,
    cores: [...new Set([issue.core, event.core])],
    first: { ...issue.operation, core: issue.core, cycle: issue.cycle, does: 'issues a transfer' },
    second: { ...event.operation, core: event.core, cycle: event.cycle, does: ends },
    range: { space: access.space, from: access.from, to: access.to },
    word: issue.replies[0]?.word,
    missing: `a wait that covers the transfer before ${coreName(event.core)} ${ends}`,
    fix: 'wait for every transfer that was issued on a buffer before giving it up',
  };
}
