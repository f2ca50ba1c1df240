/** A command in a log, and the term in which a leader received it. Entry `i` of a log has index `i + 1`. */
export interface RaftEntry {
  readonly term: number;
  readonly value: number;
}

/** Entries, and what comes before them. */
export interface LogPart {
  readonly prevIndex: number;
  readonly prevTerm: number;
  readonly entries: readonly RaftEntry[];
}

/** The term of the entry at an index; 0 where there is none. */
export const termAt = (log: readonly RaftEntry[], index: number): number => log[index - 1]?.term ?? 0;

/** True when a log with this last entry is at least as new as another one (section 5.4.1). */
export function isUpToDate(lastIndex: number, lastTerm: number, log: readonly RaftEntry[]): boolean {
  const own = termAt(log, log.length);
  return lastTerm > own || (lastTerm === own && lastIndex >= log.length);
}

/** All of a log behind an index. */
export const partBehind = (log: readonly RaftEntry[], prevIndex: number): LogPart => ({
  prevIndex,
  prevTerm: termAt(log, prevIndex),
  entries: log.slice(prevIndex),
});

/** True when a log has what comes before these entries. */
export const fits = (log: readonly RaftEntry[], { prevIndex, prevTerm }: LogPart): boolean =>
  prevIndex <= log.length && termAt(log, prevIndex) === prevTerm;

/** Writes entries: from the first that conflicts with what is there the log is theirs, else it stays (section 5.3). */
export function writeBehind(log: RaftEntry[], { prevIndex, entries }: LogPart): void {
  const conflict = entries.findIndex(({ term }, at) => termAt(log, prevIndex + at + 1) !== term);
  if (conflict >= 0) log.splice(prevIndex + conflict, Number.POSITIVE_INFINITY, ...entries.slice(conflict));
}

/** The index up to which a log is committed: a majority has its last entry, which is of the present term (section 5.4.2). `match`: by server, up to where it is known to have the log. */
export function committedBy(
  match: readonly number[],
  majority: number,
  {
    log,
    term,
    commit,
  }: { readonly log: readonly RaftEntry[]; readonly term: number; readonly commit: number },
): number {
  const last = [...match].sort((a, b) => b - a)[majority - 1]!;
  return last > commit && termAt(log, last) === term ? last : commit;
}
