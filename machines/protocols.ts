import type { Machine } from './machine.ts';
import { mutualExclusion } from './protocols/mutual-exclusion.ts';
import { recoverableCommit } from './protocols/recoverable-commit.ts';
import { sharedRegister } from './protocols/register.ts';
import { twoPhaseCommit } from './protocols/two-phase-commit.ts';

/** Protocols outside hardware, small enough to explore every schedule: how to model yours is told in docs/model-your-protocol.md. */
export const protocolMachines: readonly Machine[] = [
  twoPhaseCommit as unknown as Machine,
  recoverableCommit as unknown as Machine,
  sharedRegister as unknown as Machine,
  mutualExclusion as unknown as Machine,
];
