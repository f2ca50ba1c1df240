import { z } from 'zod';

const integer = z.int();
const natural = z.int().min(0);

const instance = z
  .object({
    name: z.string(),
    N: integer.min(1).max(1024),
    K: integer.min(1).max(64),
    requests: z.array(z.tuple([natural, natural, natural, integer.min(1)])),
    best: z
      .object({
        totalWait: natural,
        optimal: z.boolean(),
        placements: z.array(z.tuple([integer, integer, integer])),
      })
      .optional(),
    lowerBound: natural.optional(),
    policies: z.record(z.string(), natural).default({}),
  })
  .superRefine(({ N, requests }, context) => {
    const issueFor = (path: readonly number[], message: string) =>
      context.addIssue({ code: 'custom', path: ['requests', ...path], message });
    for (const [index, [issue, source, target]] of requests.entries()) {
      const before = requests[index - 1]?.[0] ?? 0;
      if (issue < before)
        issueFor(
          [index, 0],
          `found cycle ${issue} after ${before}, expected requests in the order of their cycles`,
        );
      for (const [at, node] of [source, target].entries())
        if (node >= N) issueFor([index, at + 1], `found node ${node}, expected 0..${N - 1}`);
    }
  });

/** The shape of a file `cell-arb/1` (Cell specification 18.3). */
export const arbitrationFile = z.object({
  format: z.literal('cell-arb/1'),
  set: z.string(),
  instances: z.array(instance),
});

/** Requests in FIFO order with what is known of them: best total and its placements, a lower bound, totals of policies; waits in cycles (Cell specification 18.3). */
export type ArbitrationCase = Readonly<z.output<typeof instance>>;
