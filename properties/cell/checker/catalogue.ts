/** The four classes of errors (Cell specification 13). */
export type ErrorClass = 'EXCEPTION' | 'FATAL' | 'SYNC' | 'PERF';

/** One property of every run: a sentence that must hold (Cell specification 12). */
export interface Invariant {
  readonly id: string;
  readonly sentence: string;
  readonly class: ErrorClass;
  /** Where the rule comes from, with the specification's marks. */
  readonly origin: string;
}

const entry = (id: string, sentence: string, severity: ErrorClass, origin: string): Invariant => ({
  id,
  sentence,
  class: severity,
  origin,
});

/** The invariants CK-01..CK-28, in order (Cell specification 12). */
export const INVARIANTS: readonly Invariant[] = [
  entry('CK-01', 'ids returned by one DMA module are pairwise distinct', 'FATAL', 'seed'),
  entry('CK-02', 'every status answer is one of the four values', 'FATAL', 'seed'),
  entry(
    'CK-03',
    'every status answer follows from issue cycle, start, size and cycle of the query',
    'FATAL',
    'seed, design',
  ),
  entry('CK-04', 'a RUNNING answer carries the granted direction and ring', 'FATAL', 'seed'),
  entry(
    'CK-05',
    'the answers about a request never go back, and an issued id is never INVALID',
    'FATAL',
    'seed',
  ),
  entry('CK-06', 'a transfer starts in the cycle after its grant and after its issue cycle', 'FATAL', 'seed'),
  entry('CK-07', 'byte i of a transfer moves in cycle start+i, exactly once', 'FATAL', 'seed'),
  entry('CK-08', 'a transfer uses one existing direction and ring from start to end', 'FATAL', 'seed'),
  entry(
    'CK-09',
    'a transfer occupies its whole segment, both end points included, in all its cycles',
    'FATAL',
    'seed',
  ),
  entry('CK-10', 'no node of a ring belongs to two running transfers', 'FATAL', 'seed'),
  entry(
    'CK-11',
    'after its last byte a transfer is free of its segment and never served again',
    'FATAL',
    'seed',
  ),
  entry(
    'CK-12',
    "the initiator's module moves each byte from its place at the sender to its place at the receiver",
    'FATAL',
    'seed',
  ),
  entry(
    'CK-13',
    'each byte follows its own command in the same cycle, and there are no other commands',
    'FATAL',
    'seed',
  ),
  entry(
    'CK-14',
    'the intervals in which the command bus is held are disjoint, and commands lie inside them',
    'SYNC',
    'seed',
  ),
  entry('CK-15', 'every cycle has as many commands as running transfers', 'FATAL', 'derived'),
  entry('CK-16', 'each of the 2N+1 entities reports the end of each cycle exactly once', 'SYNC', 'seed'),
  entry('CK-17', 'nothing of a later cycle happens before the last report of a cycle', 'SYNC', 'seed'),
  entry('CK-18', 'all entities run the same number of cycles', 'SYNC', 'seed'),
  entry('CK-19', 'accesses to one memory exclude each other', 'SYNC', 'seed'),
  // A cycle in the order graph is class SYNC; wrong contents are FATAL.
  entry('CK-20', "some serial order of a cycle's accesses explains every byte", 'FATAL', 'seed'),
  entry('CK-21', 'only addresses inside a memory are touched', 'FATAL', 'seed'),
  entry('CK-22', 'every grant answers a pending request, and a request is granted once', 'FATAL', 'seed'),
  entry('CK-23', 'every accepted request of a run until idle finishes', 'FATAL', 'design'),
  entry('CK-24', 'the total waiting time stays within the configured limit', 'PERF', 'seed'),
  entry(
    'CK-25',
    'a work-conserving policy leaves no request waiting before a free segment',
    'PERF',
    'design',
  ),
  entry('CK-26', 'with bounded waiting every urgent request starts by its bound', 'PERF', 'design'),
  entry('CK-27', 'equal configuration, programs and seed give an equal log', 'FATAL', 'design'),
  entry('CK-28', 'a program observes its results in program order', 'FATAL', 'seed'),
];

/** Findings that are no invariant of their own: a log that cannot be judged, and an exception of a program (Cell specification 13 and 18.4). */
export const OTHER_FINDINGS: readonly Invariant[] = [
  entry('LOG', 'every record fits the log format and its header', 'FATAL', 'design'),
  entry('EXC', 'no program raises an exception', 'EXCEPTION', 'seed'),
];

const CLASSES = new Map(
  [...INVARIANTS, ...OTHER_FINDINGS].map((invariant) => [invariant.id, invariant.class]),
);

/** The class of an invariant's findings; FATAL for a name that the catalogue does not have (Cell specification 13). */
export function classOf(id: string): ErrorClass {
  return CLASSES.get(id) ?? 'FATAL';
}
