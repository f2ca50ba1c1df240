import { z } from 'zod';
import { flitBytesUsual } from '../../actors/chiplet/interchiplet/bench-line.ts';
import { barrierCountMax } from '../../actors/chiplet/interchiplet/commands.ts';

const coordinate = z.int().min(0).max(99);
const uid = z.int().min(0).max(0x7fffffff);
const bytes = z
  .int()
  .min(1)
  .max(2 ** 40);
const rate = z.number().positive().finite();

const step = z.union([
  z
    .tuple([
      z.literal('compute'),
      z
        .int()
        .min(0)
        .max(2 ** 40),
    ])
    .describe('advance the own clock by cycles'),
  z.tuple([z.literal('send'), coordinate, coordinate, bytes]).describe('send bytes to the chiplet x, y'),
  z.tuple([z.literal('recv'), coordinate, coordinate, bytes]).describe('take bytes from the chiplet x, y'),
  z
    .tuple([z.literal('barrier'), uid, z.int().min(0).max(barrierCountMax)])
    .describe('uid, and how many meet; 0: as others said'),
  z.tuple([z.literal('lock'), uid]).describe('take the lock of a uid'),
  z.tuple([z.literal('unlock'), uid]).describe('give it back'),
  z.tuple([z.literal('launch'), coordinate, coordinate]).describe('start the program of the chiplet x, y'),
  z.tuple([z.literal('waitlaunch')]).describe('wait until somebody starts this program'),
  z
    .tuple([z.literal('sleep'), z.number().min(0).max(86_400)])
    .describe('seconds of the host: orders arrivals, costs no simulated time'),
]);

/** Schema of a program given as data (golden scripts of the coordinator). */
export const scriptSchema = z
  .array(step)
  .describe('steps: compute, send, recv, barrier, lock, unlock, launch, waitlaunch, sleep');

const processSchema = z.strictObject({
  x: coordinate.describe('first coordinate of the chiplet'),
  y: coordinate.describe('second coordinate'),
  clockRate: rate.default(1).describe('its clock divided by the clock of the system'),
  script: scriptSchema,
});

/** Schema of the processes of phase 1. */
export const interchipletPrograms = z
  .array(processSchema)
  .max(1024)
  .describe('one process a chiplet, in the order in which they are started');

/** Schema of the configuration of a coordinator (chiplet specification 9.1, 9.3). */
export const interchipletConfig = z.strictObject({
  rounds: z.int().min(1).max(1000).default(5).describe('the most rounds; the last one runs no network'),
  error: z
    .number()
    .min(0)
    .max(1)
    .default(0.005)
    .describe('share of the cycles by which two rounds may differ and still agree'),
  networkRate: rate.default(1).describe('clock of the network divided by the clock of the system'),
  flitBytes: z
    .int()
    .min(8)
    .max(8192)
    .default(flitBytesUsual)
    .describe('bytes that a flit carries; a transfer has one flit more, its header'),
  delay: z.array(z.string()).default([]).describe('lines of a delayInfo.txt that the first round is given'),
  previousCycles: z
    .number()
    .min(0)
    .optional()
    .describe('cycles of the round before the first one, so that it may agree with it'),
});

/** Configuration of a coordinator. */
export type InterchipletConfig = z.output<typeof interchipletConfig>;

/** Checked processes. */
export type InterchipletPrograms = z.output<typeof interchipletPrograms>;
