import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContractSubject, contractOf } from '../../../kernel/contract.ts';
import { ByteMemory } from '../../common/byte-memory.ts';
import { Program } from '../../common/program.ts';
import { eibCommandBus } from './command-bus.ts';
import { eibDataArbiter } from './data-arbiter.ts';
import { publishedEib } from './eib-spec.ts';
import { mfc } from './mfc.ts';
import { type EibOperation, type EibResult, getFrom, putTo, untilCycle, waitForTags } from './operations.ts';
import { programUnit } from './program-unit.ts';
import { eibProtocol } from './protocol.ts';
import { RingScheduler } from './ring-scheduler.ts';
import { store } from './store.ts';

const spec = publishedEib;
const stores = spec.elements.map((_, element) => 20 + element);
const mfcs = spec.elements.map((_, element) => 40 + element);
const element = fc.nat(spec.elements.length - 1);
const { Unit, Mfc, CommandBus, DataArbiter, Store } = eibProtocol.roles;
const members = { Unit: spec.elements.map((_, at) => at) };

const command = fc
  .record({
    kind: fc.constantFrom(getFrom, putTo),
    element,
    local: fc.nat(64),
    size: fc.integer({ min: 1, max: 300 }),
  })
  .map(
    ({ kind, element, local, size }) => (kind(local, element, local, size) as { command: object }).command,
  );

const program = () =>
  new Program<EibOperation, EibResult>(function* () {
    yield untilCycle(3);
    yield putTo(0, 2, 64, 256);
    yield waitForTags(0);
    yield getFrom(0, 3, 128, 16);
    yield untilCycle(6);
    yield putTo(-16, 2, 64, 256);
  });

const unitEvents = ['unit.begin', 'unit.wake', 'mfc.accepted', 'mfc.settled'];
const but = (own: string) => unitEvents.filter((type) => type !== own);
// A program unit wants one thing at a time and hears of nothing else (Cell specification 19.1).
const unitUndecided = {
  off: but('unit.begin'),
  sleeping: but('unit.wake'),
  issuing: but('unit.wake'),
  waitingForPlace: but('mfc.accepted'),
  waitingForTags: but('mfc.settled'),
  halted: unitEvents,
};

describe.each<[string, ContractSubject]>([
  [
    'data arbiter',
    {
      machine: eibDataArbiter,
      input: () => ({ scheduler: new RingScheduler(spec), stores }),
      speaks: DataArbiter,
      members,
    },
  ],
  [
    'store',
    {
      machine: store,
      input: () => ({ spec, bytes: new ByteMemory(512), stores, mfcs }),
      speaks: Store,
      members,
    },
  ],
  [
    'command bus',
    {
      machine: eibCommandBus,
      input: () => ({ spec, arbiter: 1 }),
      speaks: CommandBus,
      members,
    },
  ],
  [
    'MFC',
    {
      machine: mfc,
      input: () => ({ spec, element: 1, bus: 2 }),
      speaks: Mfc,
      members,
      values: { command, issuer: fc.nat(2), 'packet.done.command': fc.nat(5), tags: fc.constant([0]) },
    },
  ],
  [
    'program unit',
    {
      machine: programUnit,
      input: () => ({
        spec,
        element: 1,
        storeBytes: spec.elements.map(() => 1024),
        program: program(),
        mfcs,
      }),
      speaks: Unit,
      undecided: unitUndecided,
    },
  ],
])('EIB %s', (name, subject) => {
  for (const { sentence, failures } of contractOf(name, { runs: 40, ...subject }))
    test(sentence, () => expect(failures()).toEqual([]));
});
