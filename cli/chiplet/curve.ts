import type { Command } from 'commander';
export const declareCurve = (_command: Command): void => {};
