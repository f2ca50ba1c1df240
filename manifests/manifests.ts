/* The machines that come with Lockstep. A further one is one line here. */

export { abd } from './abd.ts';
export { alternatingBit } from './alternating-bit.ts';
export { cell } from './cell.ts';
export { cellbe } from './cellbe.ts';
export { chiplet } from './chiplet.ts';
export { fairness } from './fairness.ts';
export { gossipCounter } from './gossip-counter.ts';
export { grape } from './grape.ts';
export { kStateRing } from './k-state-ring.ts';
export { lamportMutex } from './lamport-mutex.ts';
export { leaseLock } from './lease-lock.ts';
export { mesi } from './mesi.ts';
export { mutualExclusion } from './mutual-exclusion.ts';
export { paxos } from './paxos.ts';
export { philosophers } from './philosophers.ts';
export { pingPong } from './ping-pong.ts';
export { raft } from './raft.ts';
export { recoverableCommit } from './recoverable-commit.ts';
export { register } from './register.ts';
export { ringElection } from './ring-election.ts';
export { singleCopy } from './single-copy.ts';
export { slidingWindow } from './sliding-window.ts';
export { snapshot } from './snapshot.ts';
export { sunway } from './sunway.ts';
export { tca } from './tca.ts';
export { twoPhaseCommit } from './two-phase-commit.ts';
