import type { CoreWaits } from '../../../../actors/sunway/probes.ts';
import type { SunwayConfig } from '../../config.ts';
import { type CoreId, cpeCore, groupOf, mpeCore } from '../race/race-event.ts';
import type { Meeting } from './blocked.ts';

/** What a core waits for: what its primitive says, or, for a host process, the end of threads. */
export type Awaited =
  | CoreWaits['on']
  | { readonly op: 'threads'; readonly tids: readonly number[] }
  | { readonly op: 'service'; readonly what: string };

/** Locks of an array are its own; those of the node, of its hosts and of words in memory are everybody's. */
export const lockName = (core: CoreId, key: string): string =>
  groupOf(core) === 0 || key === 'node' || key === 'hosts' || key.startsWith('word ')
    ? key
    : `${key} of CG ${groupOf(core)}`;

/** A lock as a host process asks for it: that of all hosts, or a word in memory. */
const hostLockKey = (key: unknown): string => (key === 'node' ? 'hosts' : `word ${Number(key)}`);

const everyTid: readonly number[] = Array.from({ length: 64 }, (_, tid) => tid);

/** What a call of a host process waits for: a host tells its calls, not its primitives. Undefined for a call that no other core ends. */
export function hostAwaits(
  core: CoreId,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Awaited | undefined {
  const group = groupOf(core);
  const what = given['tid'] ?? given['id'] ?? given['key'];
  switch (name) {
    case 'athread_join':
      return { op: 'threads', tids: everyTid };
    case 'athread_wait':
      return { op: 'threads', tids: [Number(what)] };
    case 'sync_master_spe':
      return { op: 'meet', word: `spe ${group} ${Number(what)}`, cycles: 0 };
    case 'sync_master_array':
      return { op: 'meet', word: `array ${group}`, cycles: 0 };
    case 'sync_node':
      return { op: 'meet', word: 'hosts', cycles: 0 };
    case 'mutex_lock_node':
    case 'mutex_lock':
      return { op: 'lock', key: hostLockKey(what) };
    default:
      return undefined;
  }
}

const services: readonly (readonly [RegExp, string])[] = [
  [/mutex_unlock/, 'the unit of its locks'],
  [/^(ld|st)(Block)?$/, 'memory'],
  [/^task_/, 'the task pool'],
];

/** The part that ends a call which no other core ends; undefined for a call of which the primitives say what they wait for. */
export function serviceAwaited(name: string): Awaited | undefined {
  const what = services.find(([names]) => names.test(name))?.[1];
  return what === undefined ? undefined : { op: 'service', what };
}

/** The parties of a word of the node: `hosts`, `node`, `array 0`, `spe 0 5`. */
export function meetingOfWord({ cgs }: SunwayConfig, word: string): Meeting {
  const [kind, group = 0, tid = 0] = word.split(' ').map((part, at) => (at === 0 ? part : Number(part))) as [
    string,
    number?,
    number?,
  ];
  const groups = Array.from({ length: cgs }, (_, cgn) => cgn);
  switch (kind) {
    case 'spe':
      return {
        kind: 'host',
        name: `the meeting of the host with CPE ${tid}`,
        members: [cpeCore(tid, group), mpeCore(group)],
      };
    case 'array':
      return {
        kind: 'host',
        name: 'the meeting of the host with its array',
        members: [cpeCore(0, group), mpeCore(group)],
      };
    case 'hosts':
      return { kind: 'node', name: 'the meeting of the hosts', members: groups.map((cgn) => mpeCore(cgn)) };
    default:
      return {
        kind: 'node',
        name: 'the meeting of the arrays of the node',
        members: groups.map((cgn) => cpeCore(0, cgn)),
      };
  }
}
