import { defineConfig } from 'lockstep';
import { relay } from './machine.ts';
export default defineConfig({ machines: [relay], scenarios: ['races'] });
