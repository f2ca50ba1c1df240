import { describe, expect, test } from 'vitest';
import { addressOf } from '../../actors/tca/address-map.ts';
import { type HostMemoryContext, hostMemory } from '../../actors/tca/host-memory.ts';
import type { NodeAnswer, NodeOperation, NodeProgram } from '../../actors/tca/node-program.ts';
import type { TcaMessage } from '../../actors/tca/protocol.ts';
import { component } from '../../kernel/kit.ts';
import { Run } from '../../kernel/run.ts';
import { planted, recipeOf } from '../../machines/planting.ts';
import { soundParts, wireNodes } from '../../machines/tca/assembly.ts';
import { trial } from './trial.ts';
import { configOf, copy, givenOf, notify, pattern, words } from './workloads.ts';

/** Node 0 writes a pattern into its GPU and sends it to that of node 1: what arrives, and nanoseconds from start to flag. */
function sent(bytes: number, changes: object = {}, offset = 0) {
  const config = configOf(changes);
  let [begun, seen] = [0, 0];
  const fill = Array.from({ length: Math.ceil((bytes + offset) / 128) }, (_, k) =>
    words(addressOf(0, 'gpu', 128 * k), pattern(k, 128)),
  );
  const programs: NodeProgram[] = [
    function* (): Generator<NodeOperation, void, NodeAnswer> {
      yield { op: 'start', channel: 0, chain: fill };
      yield { op: 'stopped', channels: [0] };
      yield { op: 'compute', ns: 1000 };
      const chain = [
        copy(addressOf(0, 'gpu', offset), addressOf(1, 'gpu', offset), bytes),
        notify(config, 0, 1),
      ];
      begun = Number(yield { op: 'now' });
      yield { op: 'start', channel: 0, chain };
    },
    function* (): Generator<NodeOperation, void, NodeAnswer> {
      seen = Number(yield { op: 'wait', flags: [{ source: 0, slot: 0 }] });
    },
  ];
  let completions = 0;
  const { raised, written } = trial(givenOf(config, programs), {}, (run) =>
    run.messages$.subscribe(({ message, to }) => {
      if (message.event.type === 'tlp.completion' && to === 'Node[0].Dmac[0]') completions++;
    }),
  );
  expect(raised).toEqual([]);
  const arrived = Array.from({ length: bytes }, (_, k) => written.get(addressOf(1, 'gpu', offset + k)));
  return { ns: seen - begun, arrived, completions };
}

describe('completions of at most 64 bytes', () => {
  test('come in two for each read, and bring the same bytes', () => {
    const whole = sent(8192);
    const split = sent(8192, { cplSplit: 64 });

    expect(whole.completions).toBe(64);
    expect(split.completions).toBe(128);
    expect(split.arrived).toEqual(whole.arrived);
    expect(split.ns).toBeGreaterThan(whole.ns);
  });

  test('end at multiples of 64 of the address', () => {
    const split = sent(128, { cplSplit: 64 }, 96);

    // 96 to 128, then 128 to 192 and 192 to 224.
    expect(split.completions).toBe(3);
    expect(split.arrived).toEqual(sent(128, {}, 96).arrived);
  });
});

test('a GPU behind the other socket takes 0.3 GB/s', () => {
  const bytes = 32_768;
  const { ns } = sent(bytes, { gpuBehindQpi: true });

  expect(bytes / ns).toBeGreaterThan(0.29);
  // Its buffer of 3 KiB hides the end of it.
  expect(bytes / ns).toBeLessThan(0.335);
});

describe('bit errors', () => {
  test('cost time and no bytes, the same for the same seed', () => {
    const sound = sent(4096);
    const [first, again, other] = [7, 7, 8].map((seed) => sent(4096, { bitErrorRate: 2e-5, seed }));

    expect(first!.arrived).toEqual(sound.arrived);
    expect(first!.ns).toBeGreaterThan(sound.ns);
    expect(again).toEqual(first);
    expect(other!.ns).not.toBe(first!.ns);
  });

  test('cost 250 cycles and another sending, each', () => {
    const config = { bitErrorRate: 1e-4 };
    const { ns } = sent(4, {});
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => sent(4, { ...config, seed }).ns - ns);

    // One read, one completion, and four packets of writes on two links; the shortest takes 24 bytes.
    expect(delays.filter((one) => one > 0).every((one) => one >= 1000 + 6)).toBe(true);
    expect(delays.some((one) => one > 0)).toBe(true);
  });
});

test('a channel with a tail after its last tag counts its chain so much later', () => {
  const doneAt = (stopTail: number): number => {
    let time = 0;
    const chain = [copy(addressOf(0, 'gpu', 0), addressOf(1, 'gpu', 0), 64)];
    const program: NodeProgram = function* () {
      yield { op: 'start', channel: 0, chain };
      time = Number(yield { op: 'stopped', channels: [0] });
    };
    const config = configOf({ stopDetect: 'ideal', parameters: { stopTail } });
    expect(trial(givenOf(config, [program, function* () {}])).raised).toEqual([]);
    return time;
  };

  expect(doneAt(25) - doneAt(0)).toBe(100);
});

test('bytes for a tag that nobody waits for stop the run with ETAG', () => {
  const read = recipeOf<HostMemoryContext, TcaMessage<'tlp.read'>>(hostMemory, 'read');
  const { act } = component<HostMemoryContext, TcaMessage<'tlp.read'>>();
  const twice = planted(hostMemory, {
    actions: {
      read: act<'tlp.read'>((c, event, out) => {
        read(c, event, out);
        read(c, event, out);
      }),
    },
  });
  const config = configOf();
  const program: NodeProgram = function* () {
    yield { op: 'start', channel: 0, chain: [copy(addressOf(0, 'cpu', 0), addressOf(1, 'cpu', 0), 64)] };
  };
  const { wiring } = wireNodes(config, [program, function* () {}], { ...soundParts, hostMemory: twice });
  const { verdict, failure } = new Run(wiring).toEnd();

  expect(verdict).toBe('error');
  expect(failure?.actor).toBe('Node[0].Dmac[0]');
  expect(failure?.message).toContain('ETAG: channel 0 got bytes for tag');
});
