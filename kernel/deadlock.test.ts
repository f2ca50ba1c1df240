import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { barrier } from '../actors/common/barrier.ts';
import { mutex } from '../actors/common/mutex.ts';
import { RandomChoices } from './choices.ts';
