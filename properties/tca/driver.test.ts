import { describe, expect, test } from 'vitest';
import { addressOf } from '../../actors/tca/address-map.ts';
import {
  type DescriptorChain,
  type Handle,
  type Step,
  type TcaDriver,
  tcaInit,
} from '../../actors/tca/driver/driver.ts';
import { DriverError, type DriverErrorCode, driverErrors } from '../../actors/tca/driver/errors.ts';
import type { NodeAnswer, NodeOperation, NodeProgram } from '../../actors/tca/node-program.ts';
import { trial } from './trial.ts';
import { configOf, copy, givenOf, memoryBytes, pattern } from './workloads.ts';

const memory = { cpuBytes: memoryBytes, gpuBytes: memoryBytes };

/** Runs one program a node with a driver of its own; gives what the run came to. */
function driven(programs: readonly ((tca: TcaDriver, rank: number) => Step)[], changes: object = {}) {
  const config = configOf({ nodes: 2, ...changes });
  return trial(
    givenOf(
      config,
      programs.map(
        (program): NodeProgram =>
          (rank, nodes) =>
            program(tcaInit(config, rank, nodes), rank),
      ),
    ),
  );
}

const idle = function* (): Step {};

/** What a handle of the first piece of 4096 bytes that a node takes looks like at the others. */
const handleOf = (node: number, kind: 'cpu' | 'gpu' = 'gpu', bytes = 4096): Handle => ({
  node,
  kind,
  address: addressOf(node, kind, kind === 'cpu' ? 4096 : 0),
  bytes,
});

/** Writes a pattern into own memory by stores of 64 bytes. */
function* filled(tca: TcaDriver, handle: Handle, seed: number, bytes: number): Step {
  tca.tcaSetPIORegion(handle);
  for (let at = 0; at < bytes; at += 64) {
    tca.tcaSendPIO(at, pattern(seed + at, 64));
    yield* tca.tcaSendPIOCommit();
  }
  // The last store is in place before anything is read.
  yield { op: 'compute', ns: 2000 };
}

const bytesAt = (written: ReadonlyMap<number, number>, address: number, count: number): number[] =>
  Array.from({ length: count }, (_, k) => written.get(address + k) ?? 0);

describe('the driver', () => {
  test('moves a block with a notification, and the same chain again without a new one', () => {
    const seen: number[] = [];
    const { raised, written, result } = driven([
      function* (tca) {
        const source = tca.tcaCreateHandle(tca.tcaMalloc(4096, 'gpu'));
        yield* filled(tca, source, 1, 128);
        const chain = tca.tcaDescNew();
        tca.tcaDescSetMemcpy(
          chain,
          handleOf(1),
          256,
          source,
          0,
          128,
          { notify: true, notifySelf: true },
          3,
          7,
        );
        yield* tca.tcaDescSet(chain, 0);
        for (let round = 0; round < 2; round++) {
          yield* tca.tcaStartDMADesc(0);
          yield* tca.tcaWaitDMAC(0);
          yield* tca.tcaWaitDMARecvDesc({ node: 0 }, 3, 7);
        }
      },
      function* (tca) {
        tca.tcaMalloc(4096, 'gpu');
        seen.push(yield* tca.tcaWaitDMARecvDesc({ node: 0 }, 3, 7));
        seen.push(yield* tca.tcaWaitDMARecvDesc({ node: 0 }, 3, 7));
      },
    ]);

    expect(raised).toEqual([]);
    expect(result.nodes[0]!.chains).toEqual([2, 0, 0, 0]);
    expect(seen).toHaveLength(2);
    expect(bytesAt(written, addressOf(1, 'gpu', 256), 128)).toEqual([...pattern(1, 64), ...pattern(65, 64)]);
  });

  test('a chain of 1000 descriptors runs with one doorbell', () => {
    let doorbells = 0;
    const config = configOf({ parameters: { descriptorFetch: 8 } });
    const { raised, result, written } = trial(
      givenOf(config, [
        function* (rank: number, nodes: number): Step {
          const tca = tcaInit(config, rank, nodes);
          const source = tca.tcaCreateHandle(tca.tcaMalloc(4096, 'cpu'));
          yield* filled(tca, source, 3, 64);
          const chain = tca.tcaDescNew();
          for (let k = 0; k < 1000; k++)
            tca.tcaDescSetMemcpy(chain, handleOf(1, 'gpu', 16_384), 16 * k, source, 0, 16);
          yield* tca.tcaDescSet(chain, 0);
          yield* tca.tcaStartDMADesc(0);
        },
        idle,
      ]),
      {},
      (run) =>
        run.messages$.subscribe(
          ({ message }) => (doorbells += message.event.type === 'dmac.doorbell' ? 1 : 0),
        ),
    );

    expect(raised).toEqual([]);
    expect([doorbells, result.nodes[0]!.chains[0]]).toEqual([1, 1]);
    expect(bytesAt(written, addressOf(1, 'gpu', 0), 16_000)).toEqual(
      Array.from({ length: 16_000 }, (_, k) => pattern(3, 64)[k % 16]),
    );
  });

  test('a wait for one tag lets words with other tags stand', () => {
    const order: string[] = [];
    const { raised } = driven([
      function* (tca) {
        const source = tca.tcaCreateHandle(tca.tcaMalloc(4096, 'gpu'));
        for (const tag of [5, 6]) {
          const chain = tca.tcaDescNew();
          tca.tcaDescSetMemcpy(chain, handleOf(1), 0, source, 0, 4, { notify: true }, 0, tag);
          yield* tca.tcaDescSet(chain, 0);
          yield* tca.tcaStartDMADesc(0);
          yield* tca.tcaWaitDMAC(0);
        }
      },
      function* (tca) {
        for (const tag of [6, 5]) {
          yield* tca.tcaWaitDMARecvDesc({ node: 0 }, 0, tag);
          order.push(`tag ${tag}`);
        }
      },
    ]);

    expect(raised).toEqual([]);
    expect(order).toEqual(['tag 6', 'tag 5']);
  });

  test('blocks at distances, words and descriptors in CPU memory, and no pipelining: the same bytes, later', () => {
    const run = (flags: object) => {
      let time = 0;
      const { raised, written } = driven([
        function* (tca) {
          const source = tca.tcaCreateHandle(tca.tcaMalloc(4096, 'cpu'));
          yield* filled(tca, source, 9, 256);
          const chain = tca.tcaDescNew();
          for (const at of [0, 1024])
            tca.tcaDescSetMemcpy2D(chain, handleOf(1, 'cpu'), at, 128, source, 16, 64, 32, 3, flags);
          tca.tcaDescSetMemcpy(chain, handleOf(1, 'cpu'), 2048, source, 0, 64, { ...flags, notify: true });
          yield* tca.tcaDescSet(chain, 2);
          // Both wait for the same moment, whatever was stored before.
          yield { op: 'compute', ns: 20_000 - Number(yield { op: 'now' }) };
          yield* tca.tcaStartDMADesc(2);
        },
        function* (tca) {
          time = yield* tca.tcaWaitDMARecvDesc({ node: 0 }, 0, 1);
        },
      ]);
      expect(raised).toEqual([]);
      return { time, bytes: bytesAt(written, addressOf(1, 'cpu', 4096), 4096) };
    };

    const first = run({});
    for (const flags of [{ notifyInternal: false }, { useInternal: false }, { pipeline: false }]) {
      const other = run(flags);
      expect(other.bytes).toEqual(first.bytes);
      expect([flags, other.time !== first.time]).toEqual([flags, true]);
    }
    expect(run({ pipeline: false }).time).toBeGreaterThan(first.time);
    expect(run({ useInternal: false }).time).toBeGreaterThan(first.time);
    expect(first.bytes.filter((byte) => byte !== 0).length).toBeGreaterThan(200);
  });

  test('gives memory at pages, and what was freed again', () => {
    const tca = tcaInit(memory, 0, 2);
    const [one, other] = [tca.tcaMalloc(5000, 'gpu'), tca.tcaMalloc(16, 'gpu')];
    tca.tcaFree(one);
    const third = tca.tcaMalloc(8192, 'gpu');

    expect([one.offset, other.offset, third.offset]).toEqual([0, 8192, 0]);
    expect(tca.tcaMalloc(4, 'gpu').offset).toBe(12_288);
  });

  test('stores of one processor arrive in the order of their commits, 64 bytes in 0.83 us', () => {
    let seen = 0;
    let sent = 0;
    const flag = addressOf(1, 'cpu', memoryBytes);
    const { raised, written } = driven([
      function* (tca) {
        tca.tcaSetPIORegion(handleOf(1, 'cpu'));
        for (let k = 1; k <= 20; k++) {
          tca.tcaSendPIO(128, new Uint8Array(64).fill(k));
          yield* tca.tcaSendPIOCommit();
        }
        sent = Number(yield { op: 'now' });
        yield { op: 'pio', address: flag, data: new Uint8Array(8) };
      },
      function* () {
        seen = Number(yield { op: 'wait', flags: [{ source: 0, slot: 0 }] });
      },
    ]);

    expect(raised).toEqual([]);
    expect(bytesAt(written, addressOf(1, 'cpu', 4096 + 128), 64)).toEqual(new Array(64).fill(20));
    expect(Math.abs(seen - sent - 828)).toBeLessThan(30);
  });
});

/** How each refusal of the driver is raised: a call, and the code. */
const refusals: readonly (readonly [string, DriverErrorCode, (tca: TcaDriver) => unknown])[] = [
  ['a size that is no multiple of 4', 'EALIGN', (tca) => block(tca, 0, 0, 6)],
  ['addresses of two classes', 'EALIGN', (tca) => block(tca, 0, 4, 16)],
  ['strides of two classes', 'EALIGN', (tca) => plane(tca, 16, 36)],
  ['a store of 6 bytes', 'EALIGN', (tca) => stored(tca, 0, 6)],
  ['memory that was freed', 'ENOTREG', (tca) => afterFree(tca)],
  [
    'a handle of memory that nobody took',
    'ENOTREG',
    (tca) => void tca.tcaCreateHandle({ kind: 'gpu', offset: 4096, bytes: 8 }),
  ],
  [
    'a source on another node',
    'ENOTREG',
    (tca) => tca.tcaDescSetMemcpy(tca.tcaDescNew(), own(tca), 0, handleOf(1), 0, 4),
  ],
  ['a store without a window', 'ENOTREG', (tca) => tca.tcaSendPIO(0, new Uint8Array(4))],
  ['memory freed twice', 'ENOTREG', (tca) => tca.tcaFree({ kind: 'cpu', offset: 8192, bytes: 4 })],
  ['a block beyond the destination', 'ERANGE', (tca) => block(tca, 0, 4096 - 16, 32)],
  ['a plane beyond the source', 'ERANGE', (tca) => plane(tca, 2048, 16)],
  ['a stride below the handle', 'ERANGE', (tca) => plane(tca, -16, 16)],
  ['slot 256', 'ERANGE', (tca) => tca.tcaWaitDMARecvDesc({ node: 1 }, 256, 1)],
  [
    'a notification into slot 256',
    'ERANGE',
    (tca) => tca.tcaDescSetMemcpy(tca.tcaDescNew(), handleOf(1), 0, own(tca), 0, 4, { notify: true }, 256),
  ],
  ['channel 4', 'ERANGE', (tca) => tca.tcaStartDMADesc(4)],
  ['a store beyond the window', 'ERANGE', (tca) => stored(tca, 4094, 4)],
  ['a handle of a node that is not there', 'EUNREACH', (tca) => void tca.tcaImportHandle(handleOf(16))],
  [
    'a copy to a node that is not there',
    'EUNREACH',
    (tca) => tca.tcaDescSetMemcpy(tca.tcaDescNew(), handleOf(2), 0, own(tca), 0, 4),
  ],
  ['an empty chain', 'ECHAIN', (tca) => tca.tcaDescSet(tca.tcaDescNew(), 0)],
  ['an empty block', 'ECHAIN', (tca) => block(tca, 0, 0, 0)],
  ['a start without a chain', 'ECHAIN', (tca) => tca.tcaStartDMADesc(1)],
  ['the 1025th descriptor', 'ECHAIN', (tca) => many(tca)],
  ['a second store before the commit', 'EBUSY', (tca) => twice(tca)],
  ['a start of a channel that runs', 'EBUSY', (tca) => startedTwice(tca)],
  ['a chain for a channel that runs', 'EBUSY', (tca) => loadedTwice(tca)],
  ['a destination where no memory is', 'EUR', (tca) => unmapped(tca)],
  ['more memory than there is', 'RESOURCE', (tca) => void tca.tcaMalloc(memoryBytes + 1, 'gpu')],
];

const isStep = (value: unknown): value is Step =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;
const own = (tca: TcaDriver): Handle => tca.tcaCreateHandle(tca.tcaMalloc(4096, 'gpu'));
const block = (tca: TcaDriver, from: number, to: number, bytes: number) =>
  tca.tcaDescSetMemcpy(tca.tcaDescNew(), handleOf(1), to, own(tca), from, bytes);
const plane = (tca: TcaDriver, fromPitch: number, toPitch: number) =>
  tca.tcaDescSetMemcpy2D(tca.tcaDescNew(), handleOf(1), 0, toPitch, own(tca), 0, fromPitch, 16, 3);
function stored(tca: TcaDriver, offset: number, bytes: number): void {
  tca.tcaSetPIORegion(handleOf(1));
  tca.tcaSendPIO(offset, new Uint8Array(bytes));
}
function afterFree(tca: TcaDriver): void {
  const taken = tca.tcaMalloc(64, 'gpu');
  const handle = tca.tcaCreateHandle(taken);
  tca.tcaFree(taken);
  tca.tcaDescSetMemcpy(tca.tcaDescNew(), handleOf(1), 0, handle, 0, 4);
}
function many(tca: TcaDriver): void {
  const chain = tca.tcaDescNew();
  const handle = own(tca);
  for (let k = 0; k < 1025; k++) tca.tcaDescSetMemcpy(chain, handleOf(1), 0, handle, 0, 4);
}
function twice(tca: TcaDriver): void {
  stored(tca, 0, 4);
  tca.tcaSendPIO(0, new Uint8Array(4));
}
function* started(tca: TcaDriver): Step<DescriptorChain> {
  const chain = tca.tcaDescNew();
  tca.tcaDescSetMemcpy(chain, handleOf(1), 0, own(tca), 0, 4096);
  yield* tca.tcaDescSet(chain, 0);
  yield* tca.tcaStartDMADesc(0);
  return chain;
}
function* startedTwice(tca: TcaDriver): Step {
  yield* started(tca);
  yield* tca.tcaStartDMADesc(0);
}
function* loadedTwice(tca: TcaDriver): Step {
  const chain = yield* started(tca);
  // Another channel takes it meanwhile, and this one behind its stop.
  yield* tca.tcaDescSet(chain, 1);
  yield* tca.tcaDescSet(chain, 0);
}
function* unmapped(tca: TcaDriver): Step {
  const chain = tca.tcaDescNew();
  tca.tcaDescSetMemcpy(chain, handleOf(1, 'gpu', 2 ** 30), 2 ** 29, own(tca), 0, 64);
  yield* tca.tcaDescSet(chain, 3);
  yield* tca.tcaStartDMADesc(3);
  yield* tca.tcaWaitDMAC(3);
}

describe('refused with its code, cause and cure:', () => {
  test.each(refusals)('%s: %s', (_, code, call) => {
    let error: unknown;
    const { raised } = driven([
      function* (tca) {
        try {
          const steps = call(tca);
          if (isStep(steps)) yield* steps;
        } catch (thrown) {
          error = thrown;
        }
      },
      idle,
    ]);

    expect(raised).toEqual([]);
    expect(error).toBeInstanceOf(DriverError);
    expect((error as DriverError).code).toBe(code);
    expect(String(error)).toContain(driverErrors[code].cure);
  });

  test('every code of the catalogue is raised above', () => {
    expect([...new Set(refusals.map(([, code]) => code))].sort()).toEqual(Object.keys(driverErrors).sort());
  });
});

describe('a channel in error', () => {
  test('tells EUR, leaves the others alone, and works again after a reset with all of its tags', () => {
    const answers: NodeAnswer[] = [];
    const remote = copy(addressOf(1, 'cpu', 0), addressOf(1, 'cpu', 4096), 64);
    const local = copy(addressOf(0, 'cpu', 0), addressOf(1, 'cpu', 8192), 8192);
    const { raised, result } = driven([
      function* (): Generator<NodeOperation, void, NodeAnswer> {
        yield { op: 'start', channel: 1, chain: [local] };
        // Its first block is read, its second one is not here.
        yield { op: 'start', channel: 0, chain: [{ ...local, size: 2048 }, remote] };
        answers.push(yield { op: 'stopped', channels: [0] });
        answers.push(yield { op: 'register', register: 'error', channel: 0 });
        answers.push(yield { op: 'start', channel: 0, chain: [local] });
        yield { op: 'reset', channel: 0 };
        answers.push(yield { op: 'register', register: 'error', channel: 0 });
        yield { op: 'start', channel: 0, chain: [local] };
        answers.push(typeof (yield { op: 'stopped', channels: [0, 1] }));
      },
      idle,
    ]);

    expect(raised).toEqual([]);
    expect(answers).toEqual(['EUR', 'EUR', 'EUR', 0, 'number']);
    expect(result.nodes[0]!.chains).toEqual([1, 1, 0, 0]);
  });
});

test('a reset of a channel that runs changes nothing: it is still waited for, and no other chain is started on it (TCA specification 7)', () => {
  const answers: (NodeAnswer | boolean)[] = [];
  const chain = [copy(addressOf(0, 'gpu', 0), addressOf(1, 'gpu', 0), 2048)];
  const { raised, result } = driven([
    function* (): Generator<NodeOperation, void, NodeAnswer> {
      yield { op: 'start', channel: 0, chain };
      yield { op: 'reset', channel: 0 };
      answers.push(yield { op: 'start', channel: 0, chain });
      const first = (yield { op: 'stopped', channels: [0] }) as number;
      yield { op: 'start', channel: 0, chain };
      // It is over after as long as the first one at the earliest.
      answers.push(((yield { op: 'stopped', channels: [0] }) as number) > 1.5 * first);
    },
    idle,
  ]);

  expect(raised).toEqual([]);
  expect(answers).toEqual(['EBUSY', true]);
  expect(result.nodes[0]!.chains).toEqual([2, 0, 0, 0]);
});

describe('a doorbell during a chain', () => {
  /** Starts a channel of which the driver does not know that it runs, seed by seed: what became of both chains. */
  const outcome = (seed: number) => {
    const answers: NodeAnswer[] = [];
    const chain = [copy(addressOf(0, 'gpu', 0), addressOf(1, 'gpu', 0), 2048)];
    const { raised, result } = driven(
      [
        function* (): Generator<NodeOperation, void, NodeAnswer> {
          yield { op: 'start', channel: 0, chain };
          answers.push(typeof (yield { op: 'start', channel: 0, chain }));
          yield { op: 'compute', ns: 10_000 };
          answers.push(yield { op: 'register', register: 'error', channel: 0 });
        },
        idle,
      ],
      { strict: false, seed },
    );
    expect(raised).toEqual([]);
    return `${answers.join(' ')} ${result.nodes[0]!.chains[0]}`;
  };

  test('is lost for one half of the seeds and breaks the chain for the other half, where it is not refused', () => {
    const outcomes = Array.from({ length: 24 }, (_, seed) => outcome(seed));
    const broken = outcomes.filter((one) => one === 'number EBUSY 0').length;
    const lost = outcomes.filter((one) => one === 'number 0 1').length;

    expect(broken + lost).toBe(24);
    expect(broken).toBeGreaterThan(6);
    expect(lost).toBeGreaterThan(6);
  });
});

test('the busy bit is late by 0 to 512 cycles, as the seed decides', () => {
  const lateness = (seed: number) => {
    const times: number[] = [];
    const { raised } = driven(
      [
        function* (tca): Step {
          const chain = [copy(addressOf(0, 'gpu', 0), addressOf(1, 'gpu', 0), 32_768)];
          const begun = Number(yield { op: 'start', channel: 0, chain });
          for (let k = 0; k < 6; k++) {
            const busy = yield* tca.tcaBusyDMAC(0);
            if (!busy) times.push(Number(yield { op: 'now' }) - begun);
          }
        },
        idle,
      ],
      { seed },
    );
    expect(raised).toEqual([]);
    return times.length;
  };
  const idleReadings = Array.from({ length: 14 }, (_, seed) => lateness(seed));

  // The channel runs for more than 6 us after its start: a reading of "idle" tells of a time before.
  expect(new Set(idleReadings).size).toBeGreaterThan(1);
  expect(Math.max(...idleReadings)).toBeLessThan(4);
});
