import { type NetworkConfig, networkConfig } from '../machines/chiplet/config.ts';
import { NetworkRun } from '../machines/chiplet/network-run.ts';
import { planOf } from '../machines/chiplet/plan.ts';
import { packetsOf, randomTraffic } from '../machines/chiplet/traffic.ts';

/*
 * How many flits a second of processor time the network moves over links, beside the reference written in C++ (golden data, popnet, perf.json:
 * flit hops per second of one processor, build -O2). `--share 0.1` runs a part of each trace.
 */

interface Load {
  readonly name: string;
  readonly side: number;
  /** Packets, and packets a router and cycle. */
  readonly packets: number;
  readonly rate: number;
  /** Flit hops a second of the reference. */
  readonly reference: number;
}

const loads: readonly Load[] = [
  { name: '9x9, 12 k packets', side: 9, packets: 11_983, rate: 0.0148, reference: 299_975 },
  { name: '8x8, 1 M packets', side: 8, packets: 1_000_000, rate: 0.03, reference: 318_511 },
  { name: '64x64, 50 k packets', side: 64, packets: 50_000, rate: 0.004, reference: 107_049 },
];

const at = process.argv.indexOf('--share');
const share = at < 0 ? 1 : Number(process.argv[at + 1]);
const only = process.argv.indexOf('--only');

function measure({ name, side, packets: count, rate, reference }: Load): void {
  const wanted = Math.ceil(count * share);
  const cycles = wanted / (rate * side * side);
  const traffic = randomTraffic.parse({ pattern: 'uniform', rate, cycles: cycles * 1.2, packets: wanted });
  const packets = packetsOf(traffic, side);
  const config: NetworkConfig = networkConfig.parse({ A: side, V: 3, B: 12, O: 12, F: 4, T: cycles + 2000 });
  const before = process.cpuUsage();
  const network = new NetworkRun(planOf(config, packets), config.L);
  const result = network.toEnd();
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  const speed = result.flitHops / seconds;
  const { deliveries } = network.run.outcome;
  console.log(
    `${name.padEnd(22)} ${(speed / 1000).toFixed(0).padStart(6)} k flit hops/s  ${(speed / reference).toFixed(2)} of the reference  ` +
      `${result.finished} packets, delay ${result.avgDelay.toFixed(2)}, ${result.flitHops} flit hops, ` +
      `${(deliveries / result.flitHops).toFixed(2)} messages each, ${seconds.toFixed(1)} s`,
  );
}

for (const [index, load] of loads.entries())
  if (only < 0 || Number(process.argv[only + 1]) === index) measure(load);
