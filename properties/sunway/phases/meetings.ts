import fc from 'fast-check';
import type { WrittenCall } from '../../../machines/sunway/operations.ts';
import { now } from './drawn.ts';
import type { Phase } from './stage.ts';

const skew = fc.constantFrom(0, 3, 40);

/** Barriers that every CPE of the array may call (Sunway specification 6.2). */
const ofAll = [
  'ssync_array',
  'ssync_row',
  'ssync_col',
  'ssync_2spe',
  'ssync_1spc',
  'ssync_8spe',
  'ssync_2spc',
  'ssync_16spe',
  'ssync_4spc',
  'ssync_32spe',
  'ssync_8spc',
] as const;

/** CPEs that come at unlike times meet. */
export const meetings: fc.Arbitrary<Phase> = fc
  .record({ barrier: fc.constantFrom(...ofAll), skew })
  .map(({ barrier, skew: cycles }) => (stage) => {
    stage.late(cycles);
    stage.add([barrier]);
  });

/** Barriers of halves and pairs, which not all call with the same words (6.2). */
export const halfMeetings: fc.Arbitrary<Phase> = fc
  .record({ kind: fc.constantFrom('halves', 'peers', 'primitives', 'sharers'), skew })
  .map(({ kind, skew: cycles }) => (stage) => {
    stage.late(cycles);
    switch (kind) {
      case 'halves': {
        // By the manual of columns, by the header of rows (15, C1).
        const place = (tid: number): number =>
          stage.shape.halves === 'header' ? Math.floor(tid / 8) : tid % 8;
        stage.add(
          ...stage.only((tid) => place(tid) < 4, ['ssync_col_left']),
          ...stage.only((tid) => place(tid) > 3, ['ssync_col_right']),
        );
        return;
      }
      case 'peers': {
        const paired = (tid: number): boolean => Math.floor(tid / 2) * 2 + 1 < stage.shape.cpes;
        stage.add(
          ...stage.only((tid) => paired(tid) && tid % 2 === 0, ['ssync_peer', { number: 1, perCpe: 1 }]),
          ...stage.only((tid) => paired(tid) && tid % 2 === 1, ['ssync_peer', { number: -1, perCpe: 1 }]),
        );
        return;
      }
      case 'primitives':
        stage.add(['synr', 0xff], ['sync', 0xff]);
        return;
      default:
        stage.add([stage.shape.shareMode < 0 ? 'ssync_array' : 'ssync_sldm']);
    }
  });

/** CPEs and their host meet: the whole array, or one of them (5.3). */
export const hostMeetings: fc.Arbitrary<Phase> = fc
  .record({ tid: fc.nat(15), ofArray: fc.boolean(), isSignalled: fc.boolean(), skew })
  .map(({ tid: drawn, ofArray, isSignalled, skew: cycles }) => (stage) => {
    // A host whose handler meets CPE 0 would meet it twice at once.
    const first = stage.shape.handling === 'meets' ? 1 : 0;
    const tid = first + (drawn % (stage.shape.cpes - first));
    // The host waits already when the signal comes.
    if (isSignalled) {
      stage.signal(tid, 8);
      stage.add(['compute', 900]);
    }
    stage.late(cycles);
    // An array meets its host as a group that was spawned.
    if (ofArray && !stage.shape.oneByOne) {
      stage.add(['ssync_master_array']);
      stage.host(['sync_master_array']);
    } else {
      stage.add(...stage.only((one) => one === tid, ['ssync_master_spe']));
      stage.host(['sync_master_spe', tid]);
    }
  });

/** All arrays of the node meet, or all hosts; those of later or of earlier core groups may come much later (6.2, 5.3). */
export const nodeMeetings: fc.Arbitrary<Phase> = fc
  .record({
    ofHosts: fc.boolean(),
    skew,
    groupSkew: fc.constantFrom(0, 300, 5000),
    isReversed: now(false, true),
  })
  .map(({ ofHosts, skew: cycles, groupSkew, isReversed }) => (stage) => {
    const last = stage.shape.cgs - 1;
    if (ofHosts) stage.amongHosts(['compute', cycles + 1], ['sync_node']);
    else {
      stage.late(cycles);
      stage.add(
        (cgn): WrittenCall => ['compute', 1 + groupSkew * (isReversed ? last - cgn : cgn)],
        ['ssync_node'],
      );
    }
  });

/** Hosts take turns with a lock of the node, or of a word (5.4). */
export const hostLocks: fc.Arbitrary<Phase> = fc.boolean().map((ofNode) => (stage) => {
  const given: readonly [] | readonly [ReturnType<typeof stage.word>] = ofNode
    ? []
    : [stage.word('hostLock')];
  const suffix = ofNode ? '_node' : '';
  const call = (name: string): WrittenCall => [`mutex_${name}${suffix}`, ...given];
  stage.amongHosts(call('lock'), ['compute', 5], call('unlock'));
});

/** What hosts wait for while they are signalled. */
const waits = ['hosts', 'lock of the node', 'lock', 'threads'] as const;

/** Hosts wait for each other, or for a lock that another one has, and are signalled meanwhile; what they wait for may come while they handle it (5.6, 8.3). */
export const interruptionsOf = (...of: readonly (typeof waits)[number][]): fc.Arbitrary<Phase> =>
  fc
    .record({
      waitsFor: fc.constantFrom(...(of.length > 0 ? of : waits)),
      by: fc.nat(15),
      /** MPE cycles that each host comes later than the one before it. */
      later: fc.constantFrom(0, 700, 3000),
      /** Cycles until the signals, and between them. */
      until: fc.constantFrom(1, 300, 1500),
      gap: fc.constantFrom(1, 60, 1500),
      times: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ waitsFor, by, later, until, gap, times }) => (stage) => {
      // What hosts and CPEs do next is under way together. A host whose handler meets CPE 0 meets another one here.
      const met = stage.shape.handling === 'meets' ? 1 : by % stage.shape.cpes;
      stage.add(...stage.only((tid) => tid === met, ['ssync_master_spe']), ['ssync_array']);
      stage.host(['sync_master_spe', met]);
      for (let k = 0; k < times; k++) {
        stage.add(['compute', k === 0 ? until : gap]);
        stage.signal((by + k) % stage.shape.cpes, k);
      }
      if (waitsFor === 'threads') return;
      stage.hostEach((cgn): WrittenCall => ['compute', later * cgn + 1]);
      if (waitsFor === 'hosts') stage.amongHosts(['sync_node']);
      else if (waitsFor === 'lock') {
        const word = stage.word('hostLock');
        stage.amongHosts(['mutex_lock', word], ['compute', 900], ['mutex_unlock', word]);
      } else stage.amongHosts(['mutex_lock_node'], ['compute', 900], ['mutex_unlock_node']);
    });
