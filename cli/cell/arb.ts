import type { Command } from 'commander';
import { arbitrate } from '../../actors/cell/arbitrate.ts';
import { createPolicy, type PolicyName, policyNames } from '../../actors/cell/policies/policies.ts';
import type { Session } from '../command.ts';
import { readJsonAs } from '../read-json.ts';
import { wordOption } from '../word-option.ts';
import { type ArbitrationCase, arbitrationFile } from './instances.ts';

interface ArbOptions {
  readonly policy?: PolicyName;
  readonly json?: boolean;
}

/** `lockstep cell arb FILE`: total waits of arbitration instances (Cell specification 18.3, 17). */
export function declareArb(command: Command, { terminal }: Session): void {
  command
    .argument('<file>', 'arbitration instances, format cell-arb/1')
    .option(
      '--policy <name>',
      `one policy instead of all: ${policyNames.join(', ')}`,
      wordOption('--policy', policyNames),
    )
    .option('--json', 'one JSON object on standard output')
    .action((file: string, { policy, json }: ArbOptions) => {
      const { set, instances } = readJsonAs(file, arbitrationFile, cure);
      const policies = policy === undefined ? policyNames : [policy];
      const totals = instances.map((instance) => totalsOf(instance, policies));
      if (json)
        terminal.out(
          `${JSON.stringify({ file, set, policies, instances: totals, sums: sumsOf(totals, policies) })}\n`,
        );
      else terminal.out(tableText(totals, policies));
    });
}

const cure = 'give a file of format cell-arb/1';

interface Totals {
  readonly name: string;
  readonly N: number;
  readonly K: number;
  readonly requests: number;
  /** Total wait by policy, in cycles. */
  readonly totals: Readonly<Record<string, number>>;
  readonly best: number | null;
  readonly optimal: boolean | null;
  readonly lowerBound: number | null;
}

function totalsOf(instance: ArbitrationCase, policies: readonly PolicyName[]): Totals {
  const { name, N, K, requests, best, lowerBound } = instance;
  const totals = policies.map((policy) => [
    policy,
    arbitrate(instance, createPolicy(policy, { N, K })).totalWait,
  ]);
  return {
    name,
    N,
    K,
    requests: requests.length,
    totals: Object.fromEntries(totals),
    best: best?.totalWait ?? null,
    optimal: best?.optimal ?? null,
    lowerBound: lowerBound ?? null,
  };
}

function sumsOf(
  instances: readonly Totals[],
  policies: readonly string[],
): Readonly<Record<string, number>> & { readonly best: number; readonly lowerBound: number } {
  const sum = (of: (one: Totals) => number | null | undefined) =>
    instances.reduce((total, one) => total + (of(one) ?? 0), 0);
  return {
    ...Object.fromEntries(policies.map((policy) => [policy, sum(({ totals }) => totals[policy])])),
    best: sum(({ best }) => best),
    lowerBound: sum(({ lowerBound }) => lowerBound),
  };
}

function tableText(instances: readonly Totals[], policies: readonly string[]): string {
  const sums = sumsOf(instances, policies);
  const rows = [
    ['instance', 'N', 'K', 'requests', ...policies, 'best', 'bound'],
    ...instances.map(({ name, N, K, requests, totals, best, optimal, lowerBound }) => [
      name,
      `${N}`,
      `${K}`,
      `${requests}`,
      ...policies.map((policy) => `${totals[policy]}`),
      best === null ? '-' : `${best}${optimal ? '*' : ''}`,
      `${lowerBound ?? '-'}`,
    ]),
    ['sum', '', '', '', ...policies.map((policy) => `${sums[policy]}`), `${sums.best}`, `${sums.lowerBound}`],
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  '),
  );
  return `${lines.join('\n')}\n* proved optimal; total waits in cycles\n`;
}
