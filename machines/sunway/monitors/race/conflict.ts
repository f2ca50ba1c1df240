import type { Access } from './access.ts';
import { coreName, mainMemory, type ReplyWord } from './race-event.ts';
import type { Involved, RaceKind, RaceReport } from './race-report.ts';

const isFlag = ({ sort }: Access): boolean => sort === 'flagLoad' || sort === 'flagStore';

/** True when the order of two accesses to the same bytes matters. */
export function conflict(earlier: Access, later: Access): boolean {
  if (!earlier.writes && !later.writes) return false;
  if (earlier.transfer && earlier.transfer === later.transfer) return false;
  if (isFlag(earlier) && isFlag(later)) return false;
  // A core sees its own stores through its cache, and does everything else in the order of its program.
  if (earlier.core === later.core && !earlier.transfer && !later.transfer)
    return earlier.sort === 'dirty' && isFlag(later);
  if (earlier.rewrites || later.rewrites) return earlier.writes && later.writes;
  return true;
}

/**
 * The kind of a pair that nothing orders. `underLenient` says that only the strict rules leave it open.
 *
 * Details: two puts of one CPE to the same bytes of memory are a `MemoryConflict` also when the first one was waited for. A wait tells that a put
 * has left the LDM and not that it has reached memory (Sunway specification 3.3), transfers of one CPE complete in any order unless a barrier
 * operation separates them (7.1), and no edge leads from the write of a put to a reply (7.3); so a DMA barrier or a round trip to others (7.5) is
 * missing, and the later put may come first. What a core does with the target of its own get before the wait is a `ReadBeforeArrival` for
 * stores as well: what it uses has not come.
 */
function kindOf(earlier: Access, later: Access, underLenient: boolean): RaceKind {
  if (underLenient) return 'UnwaitedRemoteArrival';
  if (earlier.sort === 'rewrite' || later.sort === 'rewrite') return 'CacheClobber';
  if (earlier.space === mainMemory) return 'MemoryConflict';
  if (earlier.transfer && later.transfer)
    return earlier.sort === 'source' && earlier.core === later.core && earlier.core === earlier.space
      ? 'OverwriteBeforeSent'
      : 'TransferOverlap';
  const transfer = earlier.transfer ? earlier : later.transfer ? later : undefined;
  const access = transfer === earlier ? later : earlier;
  if (!transfer || access.core !== access.space) return 'RemoteConflict';
  if (transfer.core === access.core)
    return transfer.sort === 'source' ? 'OverwriteBeforeSent' : 'ReadBeforeArrival';
  return transfer === earlier && transfer.sort === 'copy' && !access.writes
    ? 'ReadBeforeArrival'
    : 'RemoteConflict';
}

/** The reply word whose wait would say that this access is over. */
function wordOf(access: Access): ReplyWord | undefined {
  const replies = access.transfer?.issue.replies ?? [];
  const exact = replies.find(({ announces }) =>
    access.sort === 'source' ? announces === 'source' : announces === access.copy,
  );
  return (exact ?? (access.sort === 'source' ? replies[0] : undefined))?.word;
}

/** A word that counts the transfer, though it may say less than that the access is over. */
const anyWord = ({ transfer }: Access): ReplyWord | undefined => transfer?.issue.replies[0]?.word;

const does = (access: Access): string => {
  const deed = access.writes ? 'writes' : 'reads';
  if (access.sort === 'dirty') return 'writes in its cache';
  if (access.sort === 'rewrite') return 'writes back the whole line';
  return access.transfer ? `${deed} by a transfer` : deed;
};

function involved(access: Access, from: number): Involved {
  const { operation, cycle } = access.deedAt(from);
  return { ...operation, core: access.core, cycle, does: does(access) };
}

function missingEdge(earlier: Access, later: Access, word: ReplyWord | undefined): string {
  const [first, second] = [coreName(earlier.core), coreName(later.core)];
  if (earlier.sort === 'rewrite' || later.sort === 'rewrite') {
    const [holder, other] = later.sort === 'rewrite' ? [second, first] : [first, second];
    return `an eviction of the line by ${holder} that is ordered with what ${other} does: the whole line is written back, with bytes as they were when it was filled`;
  }
  if (earlier.sort === 'dirty')
    return `the line of ${first} was not written back before ${second} touches memory`;
  if (!earlier.transfer) return `nothing orders what ${first} did before what ${second} does`;
  if (word) {
    const waits = `a wait on the reply word at 0x${word.offset.toString(16)} of ${coreName(word.space)} that covers the transfer`;
    return word.space === later.core ? waits : `${waits}, and a synchronisation from there to ${second}`;
  }
  return `the end of the transfer, which no reply word tells, before ${second} goes on`;
}

const fixes: Partial<Record<RaceKind, string>> = {
  ReadBeforeArrival:
    'wait on the reply word for the number of transfers issued on it before using the buffer',
  OverwriteBeforeSent:
    'wait on the reply word of the put before writing to its buffer, or use a second buffer',
  TransferOverlap: 'wait for the first transfer, or put a barrier operation between them, or use other bytes',
  RemoteConflict:
    'synchronise with the owner before the transfer, and let the owner wait on the remote reply word',
  MemoryConflict:
    'wait for the put and synchronise (or queue a DMA barrier) before the other access; write back cached stores',
  CacheClobber:
    'keep data of different cores in different cache lines, or evict the line before the others write',
  UnwaitedRemoteArrival:
    'let the receiver wait on the remote reply word: the group synchronisation does not say that the data are there',
};

/** Kinds that a wait on a reply word mends. */
const byWaiting: ReadonlySet<RaceKind> = new Set([
  'ReadBeforeArrival',
  'OverwriteBeforeSent',
  'UnwaitedRemoteArrival',
]);

function fixOf(kind: RaceKind, earlier: Access, later: Access): string {
  const moved = earlier.transfer ?? later.transfer;
  const plain =
    !moved && earlier.sort !== 'dirty' && (kind === 'RemoteConflict' || kind === 'MemoryConflict');
  if (plain)
    return 'put a synchronisation or one lock around both, or mark the word that announces data as a flag (stFlag, ldFlag)';
  if (earlier.transfer && byWaiting.has(kind) && wordOf(earlier) === undefined)
    return 'give the transfer a reply word that tells when this is over (of a get that is the word of its issuer), and wait on it before the other access';
  return fixes[kind] ?? '';
}

/** What is to be said of two accesses that share the bytes `from` to `to` and that nothing orders, or only the lenient rules. */
export function conflictReport(
  earlier: Access,
  later: Access,
  [from, to]: readonly [number, number],
  underLenient: boolean,
): RaceReport {
  const kind = kindOf(earlier, later, underLenient);
  const word = wordOf(earlier) ?? wordOf(later) ?? anyWord(earlier) ?? anyWord(later);
  return {
    kind,
    severity: 'error',
    cycle: later.cycle,
    cores: [...new Set([earlier.core, later.core])],
    first: involved(earlier, from),
    second: involved(later, from),
    range: { space: earlier.space, from, to },
    word,
    missing: missingEdge(earlier, later, wordOf(earlier)),
    fix: fixOf(kind, earlier, later),
  };
}
