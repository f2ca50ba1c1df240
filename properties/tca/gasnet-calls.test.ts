import { expect, test } from 'vitest';
import type { MessageKind } from '../../actors/tca/gasnet/calls.ts';
import type { Gasnet } from '../../actors/tca/gasnet/gasnet.ts';
import type { Handler } from '../../actors/tca/gasnet/handler.ts';
import type { Task } from '../../actors/tca/gasnet/task.ts';
import { gasnetConfigOf, gasnetTrial, patternBytes } from './gasnet-runs.ts';

/** What programs have to tell the test, by rank. */
function told<T>(
  program: (gasnet: Gasnet, tell: (what: T) => void) => Task<void>,
  gasnet: object = {},
  changes: object = {},
) {
  const config = gasnetConfigOf(gasnet, changes);
  const said: T[][] = Array.from({ length: config.nodes }, () => []);
  const run = gasnetTrial(config, (one) => program(one, (what) => said[one.rank]!.push(what)));
  return { ...run, said };
}

function* begun(gasnet: Gasnet, ...handlers: Handler[]): Task<void> {
  yield* gasnet.init();
  yield* gasnet.attach(handlers.map((handler) => ({ handler })));
}

const peerOf = ({ rank, nodes }: Gasnet): number => (rank + 1) % nodes;
const why = ({ run }: ReturnType<typeof told>): string =>
  run.outcome.violations.map((one) => one.why).join('\n');

test('before init and before attach there are hardly any calls', () => {
  const { raised, said } = told<string>(function* (gasnet, tell) {
    tell(yield* gasnet.put(gasnet.segment(peerOf(gasnet), 'cpu').base, 0, 4));
    tell(yield* gasnet.attach());
    tell(yield* gasnet.init());
    tell(yield* gasnet.request(0, 'short', 128));
    tell(yield* gasnet.attach([], { cpu: 5 }));
    tell(yield* gasnet.attach([], { cpu: 2 ** 30 }));
    tell(yield* gasnet.attach([{ index: 3, handler: () => {} }]));
    tell(yield* gasnet.attach());
    tell(yield* gasnet.init());
    tell(yield* gasnet.attach());
  });

  const expected = [
    'NOT_INIT',
    'NOT_INIT',
    'OK',
    'NOT_INIT',
    'BAD_ARG',
    'BAD_ARG',
    'BAD_ARG',
    'OK',
    'RESOURCE',
    'RESOURCE',
  ];
  expect(raised).toEqual([]);
  expect(said).toEqual([expected, expected]);
});

test('calls with senseless arguments are refused and harm nobody', () => {
  const { raised, said } = told<string>(function* (gasnet, tell) {
    yield* begun(gasnet);
    const { base } = gasnet.segment(peerOf(gasnet), 'cpu');
    const own = gasnet.segment(gasnet.rank, 'cpu').base;
    tell(yield* gasnet.put(base, base, 4));
    tell(yield* gasnet.put(base, own, -1));
    tell(yield* gasnet.get(base, base, 4));
    tell(yield* gasnet.request(7, 'short', 128));
    tell(yield* gasnet.request(1, 'short', 128, { args: new Array<number>(17).fill(0) }));
    tell(yield* gasnet.request(1, 'medium', 128, { src: own, bytes: gasnet.limits.mediumBytes + 1 }));
    // Of 64 MiB: a segment may be larger.
    tell(yield* gasnet.request(1, 'long', 128, { src: own, dst: base, bytes: 67_108_865 }));
    tell(yield* gasnet.putValue(base, 1, 9));
    tell(yield* gasnet.beginRegion());
    tell(yield* gasnet.beginRegion());
    tell(yield* gasnet.waitImplicit());
    yield* gasnet.endRegion();
  });

  expect(raised).toEqual([]);
  for (const list of said)
    expect(list).toEqual([...new Array<string>(8).fill('BAD_ARG'), 'OK', 'BAD_ARG', 'BAD_ARG']);
});

const fatal = 'no node ends the job with a fatal error';
const idle: Handler = () => {};

test.each<[string, string, (gasnet: Gasnet) => Task<void>]>([
  [
    'ESEGMENT: rank 0: found 8 bytes',
    'a put beyond the segment',
    function* (gasnet) {
      const { base, bytes } = gasnet.segment(1, 'cpu');
      yield* gasnet.put(base + bytes - 4, gasnet.segment(0, 'cpu').base, 8);
    },
  ],
  [
    'ESEGMENT: rank 0: found 8 bytes',
    'a get beyond the segment',
    function* (gasnet) {
      const { base, bytes } = gasnet.segment(1, 'gpu');
      yield* gasnet.get(gasnet.segment(0, 'cpu').base, base + bytes - 4, 8);
    },
  ],
  [
    'ESEGMENT: rank 0: found a long message to rank 1',
    'a long message into the memory of somebody else',
    function* (gasnet) {
      const { base } = gasnet.segment(0, 'cpu');
      yield* gasnet.request(1, 'long', 128, { src: base, bytes: 8, dst: base });
    },
  ],
  [
    'EHANDLER: rank 1: found a message from rank 0 for handler 200',
    'a message for nobody',
    function* (gasnet) {
      yield* gasnet.request(1, 'short', 200);
    },
  ],
  [
    'EHANDLE: rank 0: found handle 77',
    'a handle that never was',
    function* (gasnet) {
      yield* gasnet.wait(77 as never);
    },
  ],
  [
    'EHANDLE: rank 0: found handle 1',
    'a handle that is dead',
    function* (gasnet) {
      const handle = yield* gasnet.putNb(gasnet.segment(1, 'cpu').base, gasnet.segment(0, 'cpu').base, 4);
      yield* gasnet.wait(handle);
      yield* gasnet.wait(handle);
    },
  ],
  [
    'EBARRIER: rank 0: a second notify',
    'two notifies in a row',
    function* (gasnet) {
      yield* gasnet.barrierNotify(1);
      yield* gasnet.barrierNotify(1);
    },
  ],
  [
    'EBARRIER: rank 0: a wait without a notify',
    'a wait by itself',
    function* (gasnet) {
      yield* gasnet.barrierWait(1);
    },
  ],
])('%s: %s', (start, _, deed) => {
  const run = told<string>(function* (gasnet, tell) {
    yield* begun(gasnet, idle);
    if (gasnet.rank === 0) yield* deed(gasnet);
    yield* gasnet.waitUntil(() => false);
    tell('went on');
  });

  expect(run.raised).toEqual([fatal]);
  expect(why(run)).toContain(start);
  expect(run.result.nodes.map(({ exitCode }) => exitCode)).toEqual([255, 255]);
  expect(run.said).toEqual([[], []]);
});

test.each<[string, Handler]>([
  [
    'a second reply from one handler',
    function* (_gasnet, token) {
      yield* token.reply('short', 129);
      yield* token.reply('short', 129);
    },
  ],
  [
    '"request" in a handler',
    function* (gasnet) {
      yield* gasnet.request(0, 'short', 129);
    },
  ],
  [
    '"poll" in a handler',
    function* (gasnet) {
      yield* gasnet.poll();
    },
  ],
  [
    'a reply from the handler of a reply',
    function* (_gasnet, token) {
      yield* token.reply('short', 130);
    },
  ],
])('EREPLY: %s', (sentence, handler) => {
  const run = told(function* (gasnet) {
    // The handler of the reply is the culprit in the last case.
    yield* begun(gasnet, handler, idle, handler);
    if (gasnet.rank === 0) yield* gasnet.request(1, 'short', 128);
    yield* gasnet.waitUntil(() => false);
  });

  expect(run.raised).toEqual([fatal]);
  expect(why(run)).toContain(`EREPLY: rank ${sentence.endsWith('of a reply') ? 0 : 1}: ${sentence}`);
});

const kinds: readonly MessageKind[] = ['short', 'medium', 'long', 'longAsync'];

test('every kind of message brings its arguments and bytes, and its reply too', () => {
  const size = 700;
  const { raised, said } = told<string>(
    function* (gasnet, tell) {
      const own = gasnet.segment(gasnet.rank, 'cpu').base;
      let replies = 0;
      const judge = function* (
        one: Gasnet,
        { args, payload, address, bytes }: Parameters<Handler>[2],
      ): Task<string> {
        const data = address > 0 && bytes > 0 ? yield* one.read(address, bytes) : payload;
        const [seed = 0] = args;
        const expected = patternBytes(seed, bytes);
        const good = data.length === bytes && data.every((byte, k) => byte === expected[k]);
        const numbers = args.every((arg, k) => k === 0 || arg === 0xfffffff0 + k - 1);
        return `${args.length} ${bytes} ${good} ${numbers}`;
      };
      const request: Handler = function* (one, token, message) {
        tell(`request ${yield* judge(one, message)}`);
        const seed = message.args[0] ?? 0;
        const kind = replies;
        const { bytes } = message;
        const src = own + 8192;
        yield* one.write(src, patternBytes(seed, bytes));
        yield* token.reply(kinds[kind % 4]!, 129, {
          args: message.args,
          src,
          bytes: kinds[kind % 4] === 'short' ? 0 : bytes,
          dst: one.segment(token.source, 'gpu').base + 16_384,
        });
        replies++;
      };
      const reply: Handler = function* (one, _token, message) {
        tell(`reply ${yield* judge(one, message)}`);
        replies++;
      };
      yield* begun(gasnet, request, reply);
      if (gasnet.rank === 0)
        for (let count = 1; count <= 16; count++)
          for (const kind of kinds) {
            const bytes = kind === 'short' ? 0 : size + count;
            yield* gasnet.write(own, patternBytes(count, bytes));
            const args = Array.from({ length: count }, (_, k) => (k === 0 ? count : 0xfffffff0 + k - 1));
            const dst = gasnet.segment(1, 'gpu').base + 4 * count;
            const before = replies;
            yield* gasnet.request(1, kind, 128, { args, src: own, bytes, dst });
            yield* gasnet.waitUntil(() => replies > before);
          }
      yield* gasnet.barrier();
    },
    { slotBytes: 1024 },
  );

  const expected = Array.from({ length: 16 }, (_, k) => k + 1).flatMap((count) =>
    kinds.map((kind, k) => {
      const bytes = kind === 'short' ? 0 : size + count;
      return {
        request: `${count} ${bytes}`,
        reply: `${count} ${kinds[(4 * (count - 1) + k) % 4] === 'short' ? 0 : bytes}`,
      };
    }),
  );
  expect(raised).toEqual([]);
  expect(said[1]).toEqual(expected.map(({ request }) => `request ${request} true true`));
  expect(said[0]).toEqual(expected.map(({ reply }) => `reply ${reply} true true`));
}, 30_000);

test('a message to the node itself needs no network and waits for a poll', () => {
  const { raised, said, result } = told<string>(function* (gasnet, tell) {
    const own = gasnet.segment(gasnet.rank, 'cpu').base;
    const reply: Handler = (_gasnet, { source }, { payload }) => {
      tell(`reply from ${source} with ${[...payload]}`);
    };
    const request: Handler = function* (_gasnet, token, { payload }) {
      tell(`request with ${[...payload]}`);
      yield* token.reply('medium', 129, { src: own, bytes: 3 });
    };
    yield* begun(gasnet, request, reply);
    yield* gasnet.write(own, Uint8Array.of(4, 5, 6));
    yield* gasnet.request(gasnet.rank, 'medium', 128, { src: own, bytes: 2 });
    tell('sent');
    yield* gasnet.poll();
    tell('polled');
    yield* gasnet.poll();
  });

  const own = (rank: number) => ['sent', 'request with 4,5', 'polled', `reply from ${rank} with 4,5,6`];
  expect(raised).toEqual([]);
  expect(said).toEqual([own(0), own(1)]);
  expect(result.nodes.map(({ chains }) => chains)).toEqual([
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ]);
});

test('operations with handles, without, and of a region are done when they are waited for', () => {
  const { raised, said } = told<unknown>(
    function* (gasnet, tell) {
      yield* begun(gasnet);
      const peer = peerOf(gasnet);
      const own = gasnet.segment(gasnet.rank, 'cpu').base;
      const there = gasnet.segment(peer, 'gpu').base;
      const size = 3000;
      yield* gasnet.write(own, patternBytes(gasnet.rank, size));
      const handles = [
        yield* gasnet.putNb(there, own, size, { bulk: true }),
        yield* gasnet.memsetNb(there + 4096, 9, 100),
        yield* gasnet.putValueNb(there + 5000, 0x1122334455667788n, 8),
      ];
      tell((yield* gasnet.waitSome(handles)).some(Boolean));
      yield* gasnet.barrier();
      yield* gasnet.putNbi(there + 8192, own, size);
      yield* gasnet.write(own, new Uint8Array(size));
      yield* gasnet.waitImplicit('puts');
      yield* gasnet.beginRegion();
      for (let k = 0; k < 4; k++) yield* gasnet.getNbi(own + 4096 + 1024 * k, there + 8192 + 512 * k, 512);
      const region = yield* gasnet.endRegion();
      tell(yield* gasnet.testImplicit());
      const value = yield* gasnet.getValueNb(there + 5000, 8);
      tell(yield* gasnet.waitValue(value));
      tell(yield* gasnet.getValue(there + 5001, 3));
      yield* gasnet.wait(region);
      const expected = patternBytes(gasnet.rank, size);
      for (let k = 0; k < 4; k++) {
        const found = yield* gasnet.read(own + 4096 + 1024 * k, 512);
        tell(found.every((byte, at) => byte === expected[512 * k + at]));
      }
      const filled = yield* gasnet.getValue(there + 4096 + 99, 2);
      tell(filled);
      yield* gasnet.barrier();
    },
    { channels: [0, 1] },
  );

  const expected = [true, true, 0x1122334455667788n, 0x556677n, true, true, true, true, 9n];
  expect(raised).toEqual([]);
  expect(said).toEqual([expected, expected]);
});

test.each<[string, readonly [number, number][], string, number | undefined]>([
  [
    'one name',
    [
      [5, 0],
      [5, 0],
      [5, 0],
    ],
    'OK',
    5,
  ],
  [
    'no name',
    [
      [1, 1],
      [2, 1],
      [3, 1],
    ],
    'OK',
    undefined,
  ],
  [
    'one name among nodes without',
    [
      [0, 1],
      [7, 0],
      [0, 1],
    ],
    'OK',
    7,
  ],
  [
    'two names',
    [
      [5, 0],
      [6, 0],
      [5, 0],
    ],
    'BARRIER_MISMATCH',
    undefined,
  ],
  [
    'two names and one without',
    [
      [5, 0],
      [0, 1],
      [6, 0],
    ],
    'BARRIER_MISMATCH',
    undefined,
  ],
  [
    'a node that asks for it',
    [
      [5, 0],
      [5, 2],
      [5, 0],
    ],
    'BARRIER_MISMATCH',
    undefined,
  ],
])('a barrier with %s', (_, said, status, id) => {
  const run = told<unknown>(
    function* (gasnet, tell) {
      yield* begun(gasnet);
      const [name, flags] = said[gasnet.rank]!;
      tell(yield* gasnet.barrier(name, flags));
      tell(gasnet.barrierResult?.id);
      tell(yield* gasnet.barrier());
    },
    { slots: 4 },
    { topology: 'ring', nodes: 3 },
  );

  expect(run.raised).toEqual([]);
  for (const one of run.said) expect(one).toEqual([status, id, 'OK']);
});

test('a name at the wait other than at the notify is a mismatch, one with none is not', () => {
  const { said } = told<string>(function* (gasnet, tell) {
    yield* begun(gasnet);
    yield* gasnet.barrierNotify(1);
    tell(yield* gasnet.barrierWait(2));
    yield* gasnet.barrierNotify(1);
    tell(yield* gasnet.barrierWait(0, 1));
    yield* gasnet.barrierNotify(0, 1);
    tell(yield* gasnet.barrierWait(3));
  });

  expect(said).toEqual([
    ['BARRIER_MISMATCH', 'OK', 'OK'],
    ['BARRIER_MISMATCH', 'OK', 'OK'],
  ]);
});

test('a try of a barrier says NOT_READY until the last node has come', () => {
  const { said } = told<string>(function* (gasnet, tell) {
    yield* begun(gasnet);
    if (gasnet.rank === 1) yield* gasnet.compute(5000);
    yield* gasnet.barrierNotify(4);
    let tries = 0;
    let status = yield* gasnet.barrierTry(4);
    for (; status === 'NOT_READY'; tries++) status = yield* gasnet.barrierTry(4);
    tell(`${status} ${tries > 10}`);
  });

  expect(said[0]).toEqual(['OK true']);
  expect(said[1]![0]).toMatch(/^OK/);
});

test('the node that ends the job stops all others wherever they are', () => {
  const run = told<string>(
    function* (gasnet, tell) {
      yield* gasnet.init();
      if (gasnet.rank === 3) yield* gasnet.compute(50_000);
      if (gasnet.rank === 3) tell('never attached');
      yield* gasnet.attach();
      if (gasnet.rank === 0) yield* gasnet.exit(42);
      tell('went on');
    },
    { slots: 2 },
    { topology: 'ring', nodes: 4 },
  );
  const other = told<string>(
    function* (gasnet, tell) {
      yield* begun(gasnet);
      if (gasnet.rank === 2) yield* gasnet.exit(42);
      if (gasnet.rank === 1) yield* gasnet.compute(200_000);
      else yield* gasnet.barrier();
      tell('went on');
    },
    {},
    { topology: 'ring', nodes: 4, cpuBytes: 2 ** 21 },
  );

  expect(run.raised).toEqual([]);
  expect(run.result.nodes[0]!.exitCode).toBe(42);
  expect(other.raised).toEqual([]);
  expect(other.result.nodes.map(({ exitCode }) => exitCode)).toEqual([42, 42, 42, 42]);
  expect(other.said.flat()).toEqual([]);
});

type LockStep = readonly [Parameters<Gasnet['hsl']>[0], number];

test.each<[string, readonly LockStep[]]>([
  [
    'a lock is made a second time',
    [
      ['init', 1],
      ['init', 1],
    ],
  ],
  ['a lock is destroyed that there is not', [['destroy', 1]]],
  [
    'a lock is destroyed a second time',
    [
      ['init', 1],
      ['destroy', 1],
      ['destroy', 1],
    ],
  ],
  [
    'a lock is destroyed while it is held',
    [
      ['init', 1],
      ['lock', 1],
      ['destroy', 1],
    ],
  ],
  ['a lock is taken that there is not', [['lock', 1]]],
  [
    'a lock is taken twice',
    [
      ['init', 1],
      ['lock', 1],
      ['lock', 1],
    ],
  ],
  [
    'a lock that is held is tried',
    [
      ['init', 1],
      ['lock', 1],
      ['trylock', 1],
    ],
  ],
  [
    'a lock is given back that is free',
    [
      ['init', 1],
      ['unlock', 1],
    ],
  ],
  [
    'locks are given back in another order',
    [
      ['init', 1],
      ['init', 2],
      ['lock', 1],
      ['lock', 2],
      ['unlock', 1],
    ],
  ],
  [
    'handlers are held off twice',
    [
      ['holdInterrupts', 0],
      ['holdInterrupts', 0],
    ],
  ],
  ['handlers are let on that nobody holds off', [['resumeInterrupts', 0]]],
  [
    'handlers are let on while a lock is held',
    [
      ['init', 1],
      ['holdInterrupts', 0],
      ['lock', 1],
      ['resumeInterrupts', 0],
    ],
  ],
])('EHSL: %s', (_, steps) => {
  const run = told(function* (gasnet) {
    yield* begun(gasnet);
    if (gasnet.rank === 0) for (const [action, lock] of steps) yield* gasnet.hsl(action, lock);
    yield* gasnet.waitUntil(() => false);
  });

  expect(run.raised).toEqual([fatal]);
  expect(why(run)).toContain('EHSL: rank 0');
});

test.each<[string, Handler, (gasnet: Gasnet) => Task<void>]>([
  [
    '"poll" while a lock is held',
    idle,
    function* (gasnet) {
      yield* gasnet.hsl('lock', 1);
      yield* gasnet.poll();
    },
  ],
  [
    '"request" while a lock is held',
    idle,
    function* (gasnet) {
      yield* gasnet.hsl('holdInterrupts');
      yield* gasnet.request(1, 'short', 128);
    },
  ],
  [
    'a handler ends with a lock held',
    function* (gasnet) {
      yield* gasnet.hsl('lock', 1);
    },
    function* (gasnet) {
      yield* gasnet.request(1, 'short', 128);
    },
  ],
  [
    'a reply while a lock is held',
    function* (gasnet, token) {
      yield* gasnet.hsl('lock', 1);
      yield* token.reply('short', 128);
    },
    function* (gasnet) {
      yield* gasnet.request(1, 'short', 128);
    },
  ],
])('EHSL: %s', (sentence, handler, deed) => {
  const run = told(function* (gasnet) {
    yield* begun(gasnet, handler);
    yield* gasnet.hsl('init', 1);
    if (gasnet.rank === 0) yield* deed(gasnet);
    yield* gasnet.waitUntil(() => false);
  });

  expect(run.raised).toEqual([fatal]);
  expect(why(run)).toContain(`: ${sentence}`);
});

test('locks in a program and in handlers are held and given back, and long holds are shown', () => {
  const config = gasnetConfigOf();
  const long: unknown[] = [];
  let handled = 0;
  const { raised } = gasnetTrial(
    config,
    function* (gasnet) {
      const handler: Handler = function* (one, token) {
        yield* one.hsl('lock', 1);
        handled++;
        yield* one.hsl('unlock', 1);
        yield* token.reply('short', 129);
      };
      let answers = 0;
      const answered: Handler = () => {
        answers++;
      };
      yield* begun(gasnet, handler, answered);
      yield* gasnet.hsl('init', 1);
      yield* gasnet.hsl('init', 2);
      yield* gasnet.barrier();
      for (let k = 0; k < 5; k++) yield* gasnet.request(peerOf(gasnet), 'short', 128);
      yield* gasnet.hsl('lock', 1);
      yield* gasnet.hsl('trylock', 2);
      yield* gasnet.compute(gasnet.rank === 0 ? 101_000 : 99_000);
      yield* gasnet.hsl('unlock', 2);
      yield* gasnet.hsl('unlock', 1);
      yield* gasnet.waitUntil(() => answers === 5);
      yield* gasnet.barrier();
    },
    {},
    [],
    (run) => run.probes$.subscribe(({ probe }) => probe.type === 'hsl.long' && long.push(probe)),
  );

  expect(raised).toEqual([]);
  expect(handled).toBe(10);
  expect(long).toMatchObject([
    { node: 0, action: 'unlock', lock: 2 },
    { node: 0, action: 'unlock', lock: 1 },
  ]);
});
