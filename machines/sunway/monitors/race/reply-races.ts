import { coreName, type Operation, type ReplyWord } from './race-event.ts';
import type { Involved, RaceReport } from './race-report.ts';
import type { Coverage, Pending, WordStore } from './reply-ledger.ts';
import type { Transfer } from './transfer.ts';

const issued = ({ issue: { operation, core, cycle } }: Transfer, does: string): Involved => ({
  ...operation,
  core,
  cycle,
  does,
});

const bytesOf = ({ space, offset }: ReplyWord): RaceReport['range'] => ({
  space,
  from: offset,
  to: offset + 4,
});

/** A program stores to a word while an increment is outstanding: `storedLast`, or before the transfer and unknown to its issuer. */
export function resetReport(
  { transfer, reply }: Pending,
  store: Omit<WordStore, 'time'>,
  storedLast: boolean,
): RaceReport {
  const { word } = transfer.issue.replies[reply]!;
  const owner = coreName(word.space);
  const adds = issued(transfer, `adds to a word of ${owner}`);
  const sets: Involved = { ...store.operation, core: store.core, cycle: store.cycle, does: 'sets the word' };
  const [first, second] = storedLast ? [adds, sets] : [sets, adds];
  return {
    kind: 'ReplyResetRace',
    severity: 'error',
    cycle: second.cycle,
    cores: [...new Set([store.core, adds.core])],
    first,
    second,
    range: bytesOf(word),
    word,
    missing: storedLast
      ? `a wait of ${owner} on the word that covers the increment before it is set`
      : `a synchronisation between the store of ${coreName(store.core)} to the word and the issue of the transfer`,
    fix: 'set the word before a synchronisation with whoever increments it, and set it again only after a wait',
  };
}

/** A wait has returned while more increments were outstanding than were waited for. */
export function ambiguousReport(
  word: ReplyWord,
  value: number,
  wait: { readonly core: number; readonly cycle: number; readonly operation: Operation },
  { outstanding, left }: Coverage,
): RaceReport {
  const { core, cycle, operation } = wait;
  // Of those that may or may not have come, one of the core's own is told where there is one.
  const { transfer } = left.find((one) => one.transfer.issue.core === core) ?? left[0]!;
  return {
    kind: 'AmbiguousWait',
    severity: 'warning',
    cycle,
    cores: [...new Set([core, transfer.issue.core])],
    first: issued(transfer, 'may have added to the word or not'),
    second: { ...operation, core, cycle, does: `waits for ${value}` },
    range: bytesOf(word),
    word,
    missing: `${outstanding} increments were outstanding on the word: which of them came cannot be told`,
    fix: 'wait for all of them, or give each transfer a word of its own',
  };
}
