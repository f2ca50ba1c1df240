import { describe, expect, test } from 'vitest';
import { memoryModule } from '../actors/cell/memory-module.ts';
import { cellProtocol } from '../actors/cell/protocol.ts';
import { memoryChannel } from '../actors/chiplet/gpu/memory-channel.ts';
import type { ChipletMessage } from '../actors/chiplet/gpu/protocol.ts';
import { defaultTiming } from '../actors/chiplet/gpu/timing.ts';
import { network } from '../actors/chiplet/interchiplet/network.ts';
import { interchipletProtocol } from '../actors/chiplet/interchiplet/protocol.ts';
import { networkProtocol } from '../actors/chiplet/network/protocol.ts';
import { randomNumbers } from '../actors/chiplet/network/random-numbers.ts';
import { RandomStream } from '../actors/chiplet/network/random-stream.ts';
import { systemProtocol } from '../actors/chiplet/system/protocol.ts';
import { ByteMemory } from '../actors/common/byte-memory.ts';
import { outputPort } from '../actors/grape/output-port.ts';
import { grapeProtocol } from '../actors/grape/protocol.ts';
import { sunwayProtocol } from '../actors/sunway/protocol.ts';
import { signalPath } from '../actors/sunway/services/signal-path.ts';
import { tcaProtocol } from '../actors/tca/protocol.ts';
import { tagPool } from '../actors/tca/tag-pool.ts';
import { type ContractSubject, contractOf } from '../kernel/contract.ts';
import { component } from '../kernel/kit.ts';
import type { Address } from '../kernel/message.ts';
import { fixed } from '../kernel/resource.ts';
import { effort } from '../kernel/testing/effort.ts';
import { planted } from '../machines/planting.ts';
import { machines } from '../manifests/machines.ts';
import { corruptedRuns, declaredRun } from './declared-runs.ts';

/*
 * The hardware families declare what their parts say, and runs do not check it: so it is checked here, and each part by its contract.
 */

const { post } = component<object, { readonly type: string }>();

/** By family: scenarios, and a part that says something else than its protocol declares. */
const families: Readonly<
  Record<
    string,
    {
      /** Where its scenarios are; the folder of its name when absent. */
      readonly folder?: string;
      readonly scenarios: readonly string[];
      /** The last tick. */
      readonly until: number;
      readonly breach: ContractSubject;
      readonly found: string;
    }
  >
> = {
  cell: {
    until: 400,
    scenarios: [
      'worked-trace',
      'get-against-put',
      'bounded-wait',
      'status-polling',
      'program-error',
      'saturation',
      'cellbe-four-pairs',
    ],
    breach: {
      machine: planted(memoryModule, {
        actions: {
          answer: post((_me, _event, { from }) => ({ to: from, type: 'memory.reply', value: 256 })),
        },
      }),
      speaks: cellProtocol.roles.Memory,
      input: () => ({ spu: 1, bytes: new ByteMemory(8) }),
    },
    found: 'posts memory.reply with found 256 as value, expected a whole number from 0 to 255',
  },
  interchiplet: {
    folder: 'chiplet',
    until: 20_000,
    scenarios: ['interchiplet-seed-matmul', 'interchiplet-lock-order'],
    breach: {
      machine: planted(network, {
        actions: { simulate: post(() => ({ to: 1 as Address, type: 'network.done' })) },
      }),
      speaks: interchipletProtocol.roles.Network,
      input: () => ({ rounds: 1, phase2: fixed(() => []) }),
    },
    found: 'posts network.done with found nothing as lines',
  },
  'chiplet networks': {
    folder: 'chiplet',
    until: 8000,
    scenarios: ['two-packets', 'link-credit-lost', 'ring-pipeline', 'deadlock'],
    breach: {
      machine: planted(randomNumbers, {
        actions: { pick: post((_me, _event, { from }) => ({ to: from, type: 'random.picked', pick: 0.5 })) },
      }),
      speaks: networkProtocol.roles.Random,
      input: () => ({ stream: new RandomStream(1) }),
    },
    found: 'posts random.picked with found 0.5 as pick, expected a whole number',
  },
  'systems of chiplets': {
    folder: 'chiplet',
    until: 8000,
    scenarios: ['system-schedules', 'system-warps', 'system-in-step'],
    breach: {
      machine: planted(memoryChannel, {
        actions: {
          read: post((_me, { core }: ChipletMessage<'memory.read'>) => ({
            to: core,
            type: 'memory.data',
            request: 0,
          })),
        },
      }),
      speaks: systemProtocol.roles.Channel,
      input: () => defaultTiming.memory,
    },
    found: 'posts memory.data with found nothing as cycle',
  },
  grape: {
    until: 2_000,
    scenarios: ['matrix', 'power', 'stride', 'density'],
    breach: {
      machine: planted(outputPort, {
        actions: {
          send: post(() => ({ to: 0 as Address, type: 'host.result', bits: [], word: 1n << 72n, conv: '' })),
        },
      }),
      speaks: grapeProtocol.roles.OutputPort,
      input: () => ({ host: 0 }),
    },
    found: 'as word, expected a bigint of at most 72 bits',
  },
  sunway: {
    until: 20_000,
    scenarios: [
      'hello',
      'hand-shake',
      'one-to-all',
      'task-farm',
      'evicted-cache',
      'reductions',
      'one-in-flits',
    ],
    breach: {
      machine: planted(signalPath, {
        actions: { take: post((_me, _event, { from }) => ({ to: from, type: 'service.taken', value: 0.5 })) },
      }),
      speaks: sunwayProtocol.roles.SignalPath,
      input: () => ({ self: 0, host: 1, maxJitter: 0, jitterSeed: 1 }),
    },
    found: 'posts service.taken with found 0.5 as value, expected a whole number',
  },
  tca: {
    until: 20_000,
    scenarios: ['ping-pong', 'driver-calls', 'neighbours', 'block-stride', 'gasnet-hello', 'gasnet-put'],
    breach: {
      machine: planted(tagPool, {
        actions: { grant: post((_me, _event, { from }) => ({ to: from, type: 'tag.grant', tag: -1 })) },
      }),
      speaks: tcaProtocol.roles.TagPool,
      input: () => ({ tagsPerChannel: [2, 1, 0, 0] }),
    },
    found: 'posts tag.grant with found -1 as tag, expected a whole number of at least 0',
  },
};

describe.each(Object.entries(families))(
  '%s',
  (family, { folder = family, scenarios, until, breach, found }) => {
    const orders = scenarios.flatMap((name, at) =>
      effort({ short: [[undefined, 1][at % 2]], long: [undefined, 1] }).map((seed) => [name, seed] as const),
    );

    test.each(orders)(
      'all that its parts say in %s is declared, corrupted values too (seed %s)',
      async (name, seed) => {
        const path = new URL(`../scenarios/${folder}/${name}.yaml`, import.meta.url).pathname;

        const { undeclared, roleless, types, corruptions } = await declaredRun(path, machines, {
          until,
          seed,
        });

        expect({ undeclared, roleless }).toEqual({ undeclared: [], roleless: [] });
        expect(types.size).toBeGreaterThan(3);
        expect(corruptions).toBeGreaterThan(10);
      },
    );

    test('a corrupted message goes to a part that is there', async () => {
      const path = new URL(`../scenarios/${folder}/${scenarios[0]}.yaml`, import.meta.url).pathname;

      const { struck, lost } = await corruptedRuns(path, machines, {
        until,
        seeds: 20,
      });

      expect(lost).toEqual([]);
      expect(struck).toBeGreaterThan(5);
    });

    test('its contract finds a part that says something else', () => {
      const [sentence] = contractOf('part', breach).filter((one) =>
        /only what its protocol/.test(one.sentence),
      );

      expect(sentence!.failures().join()).toContain(found);
    });
  },
);
