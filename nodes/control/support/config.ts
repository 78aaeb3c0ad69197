import { z } from 'zod';
import { modelRoles } from '@/harness/contract/model';

/** Which model answers the model checks of a control node. */
export const checkRole = z.enum(modelRoles).default('worker').meta({
  title: 'Model of the checks',
  description: 'Which of the flow’s models answers. A role without a model of its own uses the primary one.',
});

/** A switch for one model check. */
export const checkSwitch = (title: string, description: string, initial = false) =>
  z.boolean().default(initial).meta({ title, description });
