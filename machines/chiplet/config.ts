import { z } from 'zod';
import { randomTraffic } from './traffic.ts';

/** Routings by the number that popnet's `-R` has (chiplet specification 5.7). */
export const routings = {
  mesh: 0,
  torus: 1,
  chipletMesh: 2,
  star: 3,
  graph: 4,
  reconfigurable: 5,
} as const;

/** Schema of an inter-chiplet network (chiplet specification 5.1); the keys are popnet's letters. */
export const networkConfig = z.strictObject({
  A: z.int().min(1).max(4096).default(8).describe('routers in each dimension'),
  c: z.int().min(1).max(4).default(2).describe('numbers in the address of a router'),
  V: z.int().min(1).max(32).default(2).describe('virtual channels of a port'),
  B: z.int().min(1).max(4096).default(64).describe('flits that an input buffer holds, for each channel'),
  O: z.int().min(1).max(4096).default(4).describe('flits that an output port holds'),
  F: z.int().min(1).max(64).default(4).describe('words of 64 bits in a flit'),
  L: z.number().min(0).default(1000).describe('micrometres of a link; it concerns energy only'),
  T: z.number().min(0).max(1e12).default(1e9).describe('cycles until the simulation ends'),
  R: z
    .int()
    .min(0)
    .max(5)
    .default(0)
    .describe('0 mesh, 1 torus, 2 mesh of chiplets, 3 star of chiplets, 4 graph, 5 reconfigured graph'),
  seed: z.int().min(-2147483648).max(4294967295).default(1).describe('seed of the random numbers'),
  ties: z
    .enum(['fifo', 'heap', 'legosim'])
    .default('fifo')
    .describe(
      'events of equal time: first in, first out, as in the heap of the seed edition, or of the LegoSim edition',
    ),
  firstStart: z
    .enum(['trace', 'zero'])
    .optional()
    .describe("delays of each router's first packet: from its sending, or from 0 as in the seed edition"),
  random: z
    .enum(['shared', 'perRouter'])
    .default('shared')
    .describe('one random stream that routers draw from in turn, or a stream for each router'),
  strict: z
    .boolean()
    .default(true)
    .describe('a full injection queue opens again only by traffic through the switch, as in the original'),
  loss: z
    .boolean()
    .default(false)
    .describe(
      'a flit that arrives at a full buffer is lost, and its packet with it; routers wait for no places',
    ),
  correctWires: z
    .boolean()
    .default(false)
    .describe('routing 2: wires at port 5 as fast as all inside a chiplet; the original has them slow'),
  detail: z
    .enum(['auto', 'channel', 'router'])
    .default('auto')
    .describe(
      'an actor for each virtual channel, or one for each router, which is fast and does the same; auto: channels where faults are planted, and in networks of up to 500 channels that carry up to 1000 flits or whose schedules are explored',
    ),
  graphText: z.string().optional().describe('the text of a graph in DOT, for routings 4 and 5'),
  reconfigurationText: z
    .string()
    .optional()
    .describe('periods and the edges of each, as the file of -C, for routing 5'),
});

/** Configuration of a network. */
export type NetworkConfig = z.output<typeof networkConfig>;

/** Schema of the configuration of a network by itself. */
export const trafficConfig = z.strictObject({
  network: networkConfig.prefault({}).describe('the network between chiplets'),
});

/** Configuration of a network by itself. */
export type TrafficConfig = z.output<typeof trafficConfig>;

/** Schema of the traffic: a trace in a file, packets line by line, or a pattern. */
export const trafficPrograms = z.union([
  z
    .strictObject({ file: z.string(), text: z.string().optional() })
    .describe('a trace: time, source, target, flits'),
  z.strictObject({
    packets: z.array(z.array(z.number())).describe('time, source, target, flits of each packet'),
  }),
  randomTraffic,
]);

/** Checked traffic. */
export type TrafficPrograms = z.output<typeof trafficPrograms>;
