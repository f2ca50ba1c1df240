// Preloaded into every process that judges a mutant, and inherited by those that it starts: one module has another text there.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';

// Where places note that they were carried out.
globalThis.__mutantPlaces = [];
const order = process.env.LOCKSTEP_MUTANT;
if (order) register('./loader-hooks.mjs', import.meta.url, { data: JSON.parse(readFileSync(order, 'utf8')) });
