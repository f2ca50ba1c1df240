import { defineConfig } from 'lockstep';
import { lockServer } from './machine.ts';

export default defineConfig({ machines: [lockServer], scenarios: 'scenarios' });
