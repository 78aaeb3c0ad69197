import { unexpectedError } from '../../contract/errors';
import type { ControlState } from '../control-state/state';
import type { WorldModel } from './state';

/** The generation only ever grows (layers.md INV-03). */
export const nextGeneration = (model: WorldModel): WorldModel => ({ ...model, generation_id: model.generation_id + 1 });

/**
 * A gate never reads a control state older than the world model: it is resolved once more, and when it is still behind, or
 * nothing can resolve it, `STALENESS` is thrown (layers.md R1).
 */
export function ensureFresh(state: ControlState, model: WorldModel, resolve?: () => ControlState): ControlState {
  if (state.generation_id >= model.generation_id) return state;
  const resolved = resolve?.() ?? state;
  if (resolved.generation_id >= model.generation_id) return resolved;
  throw unexpectedError(
    'STALENESS',
    `StalenessError: the control state is of generation ${resolved.generation_id}, the world model of generation ${model.generation_id}`,
  );
}
