import { z } from 'zod';

const count = z.int().min(0).max(1_000_000);

/** The schema of a scenario's `network`: how messages travel in an asynchronous wiring. What is absent is as the machine has it. */
export const networkSchema = z
  .strictObject({
    order: z
      .enum(['unordered', 'perChannel'])
      .optional()
      .describe(
        'unordered: any message under way may be next; perChannel: only the oldest of each sender and receiver',
      ),
    duplicating: z
      .boolean()
      .optional()
      .describe('true: a message that was delivered stays under way and may be delivered again'),
    lossy: z
      .union([z.boolean(), count])
      .optional()
      .describe('true: each message under way may be lost; a number: at most so many are'),
    partitions: count.optional().describe('how often the parties may be split in two, and healed'),
    crashes: z
      .strictObject({
        max: z.int().min(1).max(1000).describe('parties that may be down at once'),
        recover: z.boolean().optional().describe('true: a party that is down may come back'),
        keeps: z
          .array(z.string())
          .optional()
          .describe('keys of the context that survive a crash; the rest begins anew'),
        of: z.array(z.string()).optional().describe('names of the parties that may crash; all when absent'),
      })
      .optional()
      .describe('which parties may crash, and what becomes of them'),
  })
  .describe('how messages travel; what is absent is as the machine has it');
