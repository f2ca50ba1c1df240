import { readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { FindingRecord } from '../../farm/take-in.ts';
import { type FarmBatch, isSmaller, type SmallestRun } from '../../farm/tally.ts';
import { bugOf } from '../../properties/explore/bug.ts';
import { type Campaign, plannedRun } from '../../properties/explore/campaign.ts';
import { GeneratedSubject } from '../../properties/explore/subject.ts';
import { keepFinding } from '../fuzz/keep-finding.ts';
import { openCampaign } from '../fuzz/order.ts';
import type { Answer, Asked } from './child-runner.ts';
import { findingsFolder } from './findings-folder.ts';

/* What the process of a runner runs: it is asked for one thing after the other, and dies with its parent. */

/** Milliseconds between two signs of a long run. */
const signMilliseconds = 1000;
/** Columns of an explanation. */
const pageColumns = 100;

const parent = process.ppid;
/** A parent that has ended meanwhile takes no answer. */
const send = (answer: Answer) =>
  process.send?.(answer, undefined, undefined, (error: Error | null) => {
    if (error) process.exit();
  });
process.on('disconnect', () => process.exit());
// Ctrl-C reaches all processes of a terminal: the parent decides.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

let campaign: Campaign;
let signed = 0;

async function answerTo(asked: Asked): Promise<unknown> {
  switch (asked.kind) {
    case 'open':
      campaign = await openCampaign(asked.order);
      campaign.onProgress = () => {
        if (performance.now() - signed < signMilliseconds) return;
        signed = performance.now();
        // Amid a run it hears of nothing, but it has another parent then.
        if (process.ppid !== parent) process.exit();
        send({ sign: true });
      };
      return campaign.attempt(0).fingerprint;
    case 'batch':
      return batch(asked.first, asked.count);
    case 'simplify':
      return simplified(asked);
    case 'scenario':
      return campaign.scenarioOf(asked.run).text;
  }
}

function batch(first: number, count: number): FarmBatch {
  const began = performance.now();
  const smallest = new Map<string, SmallestRun>();
  const done = campaign.batch(first, count, false, (run, { failure, tape }) => {
    const bug = bugOf(failure);
    const one = { bug, run, size: campaign.scenarioOf(run).text.length + tape.length };
    const known = smallest.get(bug);
    if (!known || isSmaller(one, known)) smallest.set(bug, one);
  });
  return { ...done, smallest: [...smallest.values()], milliseconds: performance.now() - began };
}

async function simplified({
  finding,
  run,
  failure,
}: Extract<Asked, { kind: 'simplify' }>): Promise<FindingRecord> {
  const { strategy } = plannedRun(campaign.plan, run);
  const { page, picks, attempts, complete, recording, explanation, scenario } = await keepFinding(
    campaign,
    { kind: failure, by: [{ strategy, first: run, failures: 1 }] },
    {
      folder: findingsFolder,
      name: `finding-${finding}`,
      generated: campaign.subject instanceof GeneratedSubject,
      width: pageColumns,
    },
  );
  const written = [...(scenario === undefined ? [] : [scenario]), recording, explanation];
  const files = written.map((file) => [basename(file), readFileSync(file, 'utf8')] as const);
  for (const file of written) rmSync(file);
  return { page, files, picks, attempts, complete };
}

// One after the other, also where something has to be loaded.
let before = Promise.resolve();
process.on('message', (asked: Asked) => {
  before = before.then(async () => {
    try {
      send({ done: await answerTo(asked) });
    } catch (error) {
      send({ error: error instanceof Error ? error.message : String(error) });
    }
  });
});
