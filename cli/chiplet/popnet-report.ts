import type { NetworkConfig } from '../../machines/chiplet/config.ts';
import type { NetworkResult } from '../../machines/chiplet/result.ts';
import { significantDigits } from './significant-digits.ts';

/** A label and a value in a line each, as the original reports (chiplet specification 5.8). */
const lines = (rows: readonly (readonly [string, string | number])[]): string =>
  rows
    .map(([label, value]) => `${label}: ${typeof value === 'number' ? significantDigits(value) : value}\n`)
    .join('');

const rule = `${'*'.repeat(32)}\n`;

/** What the network is, printed at the start. */
export const configurationEcho = (config: NetworkConfig, trace: string): string =>
  rule +
  lines([
    ['ary size', config.A],
    ['cube dimension', config.c],
    ['virtual channel number', config.V],
    ['buffer size', config.B],
    ['outbuffer size', config.O],
    ['flit size', config.F],
    ['link length', config.L],
    ['simulation length', config.T],
    ['trace file', trace],
    ['routing algorithm', config.R],
  ]) +
  rule;

/** What the network has done. */
export const resultBlock = (result: NetworkResult): string =>
  rule +
  lines([
    ['total finished', String(result.finished)],
    ...(result.lostPackets === undefined ? [] : [['total lost', String(result.lostPackets)] as const]),
    ['average Delay', result.avgDelay],
    ['total mem power', result.memPower],
    ['total crossbar power', result.crossbarPower],
    ['total arbiter power', result.arbiterPower],
    ['total link power', result.linkPower],
    ['total power', result.totalPower],
  ]) +
  rule;

/** Where the simulation is. */
export const progressLine = (cycle: number): string => `current time: ${significantDigits(cycle, 10)}\n`;
