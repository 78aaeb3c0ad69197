import type { Action, ActionPlace } from './action';
import { arrangeActions } from './arrange-actions';
import { editActions } from './edit-actions';
import { flowActions, runActions } from './run-actions';
import { viewActions } from './view-actions';

export const allActions: readonly Action[] = [...runActions, ...editActions, ...arrangeActions, ...viewActions, ...flowActions];

const byId = new Map(allActions.map((action) => [action.id, action]));

export function actionOf(id: string): Action {
  const action = byId.get(id);
  if (!action) throw new Error(`There is no action "${id}".`);
  return action;
}

export const actionsAt = (place: ActionPlace): readonly Action[] => allActions.filter((action) => action.places?.includes(place));
