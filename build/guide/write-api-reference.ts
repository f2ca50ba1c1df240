import { writeApiReference } from './reference-api.ts';

// A process of its own, beside the one that draws the pictures: `write-api-reference.ts SCRATCH TARGET`.
const [scratch, target] = process.argv.slice(2);
await writeApiReference(scratch!, target!);
