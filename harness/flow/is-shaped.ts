import { isJsonObject } from '../contract/json';
import { type FlowDocument, flowSettingsSchema } from './schema';

/**
 * True for a document that its schema would take as it stands. Far cheaper than the schema, so that compiling after every edit does not copy
 * the document each time; what fails here goes through the schema, which says what is wrong or fills in what is missing.
 */
export function isShaped(document: FlowDocument): boolean {
  // callers without types may hand over anything
  const value: unknown = document;
  if (!isJsonObject(value) || value.format !== 'bridle/flow' || value.version !== 1) return false;
  if (!isText(value.id) || !isText(value.name) || typeof value.description !== 'string') return false;
  if (!Array.isArray(value.nodes) || !Array.isArray(value.edges) || !isJsonObject(value.layout)) return false;
  return value.nodes.every(isNode) && value.edges.every(isEdge) && isSettings(value.settings);
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= 300;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

function isNode(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { id, type, typeVersion, label, config, parent, disabled, note } = value;
  return (
    isText(id) &&
    isText(type) &&
    isCount(typeVersion) &&
    typeof label === 'string' &&
    isJsonObject(config) &&
    (parent === undefined || isText(parent)) &&
    (disabled === undefined || typeof disabled === 'boolean') &&
    (note === undefined || typeof note === 'string')
  );
}

function isEdge(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { id, kind, source, port, target, maxTraversals } = value;
  return (
    isText(id) &&
    (kind === 'flow' || kind === 'attach') &&
    isText(source) &&
    isText(target) &&
    (port === undefined || isText(port)) &&
    (maxTraversals === undefined || (isCount(maxTraversals) && Number(maxTraversals) <= 1_000_000))
  );
}

/** Settings are small, and their schema fills in what is missing; all of it must be there already. */
function isSettings(value: unknown): boolean {
  const parsed = flowSettingsSchema.safeParse(value);
  if (!parsed.success || !isJsonObject(value) || !isJsonObject(value.caps)) return false;
  const { models, tools, secrets, caps } = value;
  return (
    models !== undefined &&
    tools !== undefined &&
    secrets !== undefined &&
    Object.keys(parsed.data.caps).every((key) => Object.hasOwn(caps, key))
  );
}
