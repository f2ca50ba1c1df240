import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { filesBelow } from '../../cli/files-below.ts';
import { coveredText, endsText } from '../../cli/fuzz/fuzz-report.ts';
import { ledgerOf } from '../../cli/fuzz/ledger-file.ts';
import { type ListedScenario, ownScenarios, scenariosAt } from '../../cli/scenario-files.ts';
import { UsageError } from '../../cli/usage-error.ts';
import { summaryOf } from '../../kernel/coverage-summary.ts';
import { runsOf } from '../../properties/explore/campaign.ts';
import type { Catalogue, CatalogueEntry } from '../protocol.ts';

/** What can be opened, and the files behind its entries, in their order. */
export interface FoundCatalogue {
  readonly catalogue: Catalogue;
  readonly files: readonly string[];
}

type Entry = Omit<CatalogueEntry, 'place'>;

const catalogueOf = (
  about: Omit<Catalogue, 'kind' | 'entries'>,
  entries: readonly Entry[],
): FoundCatalogue => ({
  catalogue: {
    kind: 'catalogue',
    ...about,
    entries: entries.map((entry, index) => ({ ...entry, place: `${index}/` })),
  },
  files: entries.map(({ file }) => file),
});

/** The scenarios of the project that we are in; those below `scenarios` where it names none. Errors: `UsageError` when there are none. */
export async function ownCatalogue(): Promise<FoundCatalogue> {
  const own = await ownScenarios();
  const found = own.length > 0 || !existsSync('scenarios') ? own : scenariosAt('scenarios', '');
  if (found.length === 0)
    throw new UsageError(
      'found no scenarios here, expected a project of lockstep.config.ts or a folder scenarios',
      'name a file: lockstep view scenarios/three-clients.yaml',
    );
  return catalogueOf({ title: 'Scenarios', label: 'scenarios' }, found.map(scenarioEntry));
}

const scenarioEntry = ({ file, name, machine, about }: ListedScenario): Entry => ({
  file,
  title: name,
  group: machine,
  words: about,
});

/** What a folder has: ledgers, recordings, scenarios. Errors: `UsageError` when it has none of them. */
export function folderCatalogue(folder: string): FoundCatalogue {
  const entries = filesBelow(folder).flatMap((file): readonly Entry[] =>
    file.endsWith('.json')
      ? jsonEntry(file)
      : /\.ya?ml$/.test(file)
        ? scenariosAt(file, '').map(scenarioEntry)
        : [],
  );
  if (entries.length === 0)
    throw new UsageError(
      `${folder}: found nothing that can be opened, expected ledgers, recordings or scenarios`,
      'give the folder that fuzz, check or a test wrote its findings to',
    );
  return catalogueOf({ title: folder, label: folder }, entries);
}

function jsonEntry(file: string): readonly Entry[] {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
  const { format, end, scenario } = (data ?? {}) as {
    readonly format?: unknown;
    readonly end?: {
      readonly verdict?: unknown;
      readonly deliveries?: unknown;
      readonly violations?: unknown;
    };
    readonly scenario?: { readonly file?: unknown };
  };
  if (format === 'lockstep-ledger/1')
    return [{ file, title: basename(dirname(file)), group: 'campaigns', words: '' }];
  if (format !== 'lockstep-recording/1') return [];
  const violations = Array.isArray(end?.violations) ? end.violations.map(String) : [];
  return [
    {
      file,
      title: basename(file, '.json'),
      group: 'recordings',
      verdict: String(end?.verdict),
      words: [
        `of ${basename(String(scenario?.file))}, ${String(end?.deliveries)} deliveries`,
        ...violations.slice(0, 1),
      ].join(': '),
    },
  ];
}

/** True for the text of a ledger of a campaign. */
export const isLedger = (text: string): boolean => /^\s*\{\s*"format":\s*"lockstep-ledger\//.test(text);

/** What a campaign has come to; its findings can be opened where their recordings lie beside the ledger. Errors: `LedgerError`. */
export function ledgerCatalogue(file: string): FoundCatalogue {
  const ledger = ledgerOf(file)!;
  const { campaign, runs, deliveries, coverage, findings } = ledger;
  const recordings = findings.map((_, index) => join(dirname(file), `failure-${index + 1}.recording.json`));
  const entries = findings.flatMap(({ kind }, index): readonly Entry[] =>
    existsSync(recordings[index]!)
      ? [{ file: recordings[index]!, title: kind.what, group: 'findings', verdict: kind.verdict, words: '' }]
      : [],
  );
  const places = new Map(entries.map((entry, index) => [entry.file, `${index}/`]));
  return catalogueOf(
    {
      title: `${campaign.machine}: ${runs.toLocaleString('en')} runs`,
      label: file,
      campaign: {
        machine: [campaign.machine, ...campaign.mutants.map((one) => `with ${one}`)].join(' '),
        seed: campaign.seed,
        runs,
        deliveries,
        ends: endsText(ledger),
        ...(campaign.coverage && { covered: coveredText(ledger) }),
        strategies: campaign.strategies.map((name) => ({ name, runs: runsOf(name, runs, campaign) })),
        findings: findings.map(({ kind, by }, index) => {
          const place = places.get(recordings[index]!);
          return {
            verdict: kind.verdict,
            what: kind.what,
            by: by.map(({ strategy, first, failures }) => ({
              strategy,
              afterRuns: runsOf(strategy, first + 1, campaign),
              failures,
            })),
            ...(place !== undefined && { place, file: recordings[index]! }),
          };
        }),
        coverage: campaign.coverage
          ? summaryOf(coverage).map(({ type, states, transitions, guards, orders, missing }) => ({
              type,
              shares: { states, transitions, guards, orders },
              missing: [...missing.states.map((one) => `state ${one}`), ...missing.transitions],
            }))
          : [],
      },
    },
    entries,
  );
}
