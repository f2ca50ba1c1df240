/** `lockstep/machines/protocols`: the protocols of the literature. */
export { mesi } from '../machines/protocols/mesi.ts';
export { mutualExclusion } from '../machines/protocols/mutual-exclusion.ts';
export { philosophers } from '../machines/protocols/philosophers.ts';
export { pingPong } from '../machines/protocols/ping-pong.ts';
export { abd, paxos, singleCopy } from '../machines/protocols/put-get.ts';
export { raft } from '../machines/protocols/raft.ts';
export { recoverableCommit } from '../machines/protocols/recoverable-commit.ts';
export { sharedRegister } from '../machines/protocols/register.ts';
export { ringElection } from '../machines/protocols/ring-election.ts';
export { twoPhaseCommit } from '../machines/protocols/two-phase-commit.ts';
