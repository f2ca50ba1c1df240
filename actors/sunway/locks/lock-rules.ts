import type { Report } from '../../../kernel/message.ts';
import type { JitterInput } from '../jitter.ts';

/** The locks of one core group, or of the node. */
export interface MutexUnitInput extends JitterInput {
  /** Cycles from a request, or from the release before it, to the grant; at least 2. */
  readonly grantCycles: number;
}

/** Cycles from the arrival of a request to its grant: it has taken one already. */
export const grantDelay = ({ grantCycles }: MutexUnitInput): number => Math.max(1, grantCycles - 1);

/** A core as reports name it: CPEs are counted over the node, 64 a core group, and hosts from -1 down. */
const nameOf = (core: number): string =>
  core < 0
    ? `the host of core group ${-1 - core}`
    : `CPE ${core % 64} of core group ${Math.floor(core / 64)}`;

/** What is wrong when a core gives back a lock of which another one is the holder, or nobody (specification 6.3, E16). */
export const badUnlock = (key: string, core: number, holder: number | undefined): Report => ({
  property: 'only its holder gives a lock back',
  why: `BadUnlock: ${nameOf(core)} gives back lock ${key}, but ${holder === undefined ? 'nobody' : nameOf(holder)} holds it`,
});
