import type { CoreWaits } from '../../../../actors/sunway/probes.ts';
import type { WaitingFor } from './activity.ts';

/** What a core waits for: of which kind it is, and in words that follow "waits". */
export interface Awaited {
  readonly waitsFor: WaitingFor;
  readonly on: string;
}

/** What a primitive of a CPE waits for; undefined for one that only takes its time. */
export function awaitedBy(on: CoreWaits['on']): Awaited | undefined {
  switch (on.op) {
    case 'wait':
      return {
        waitsFor: 'transfer',
        on: `for its reply word at 0x${on.word.toString(16)}${on.value === 'issued' ? '' : ` to reach ${on.value}`}`,
      };
    case 'arrive':
      return {
        waitsFor: 'barrier',
        on:
          on.kind === 'pair'
            ? `at the pair ${Math.min(on.index, on.mask)} ${Math.max(on.index, on.mask)}`
            : `at ${on.kind} ${on.index} with mask 0x${on.mask.toString(16)}`,
      };
    case 'meet':
      return { waitsFor: 'host', on: `at the meeting ${on.word}` };
    case 'lock':
      return { waitsFor: 'lock', on: `for the lock ${on.key}` };
    case 'signal':
      return { waitsFor: 'host', on: 'for its host to take a signal' };
    case 'append':
      return { waitsFor: 'host', on: `for the file ${on.file}` };
    default:
      return undefined;
  }
}

/** What a call of a host process waits for; undefined for one that waits for nobody. */
export function awaitedByHost(
  name: string,
  { tid, id }: Readonly<Record<string, unknown>>,
): Awaited | undefined {
  switch (name) {
    case 'athread_join':
      return { waitsFor: 'threads', on: 'for its threads to end' };
    case 'athread_wait':
      return { waitsFor: 'threads', on: `for the thread of CPE ${Number(id)} to end` };
    case 'sync_master_spe':
      return { waitsFor: 'barrier', on: `at the meeting with CPE ${Number(tid)}` };
    case 'sync_master_array':
      return { waitsFor: 'barrier', on: 'at the meeting with its array' };
    case 'sync_node':
      return { waitsFor: 'barrier', on: 'at the meeting of the hosts' };
    case 'mutex_lock':
    case 'mutex_lock_node':
      return { waitsFor: 'lock', on: 'for a lock of hosts' };
    default:
      return undefined;
  }
}
