import { isBridleError } from '../../contract/errors';
import { parseExpression } from '../../expression/parse';
import type { Reference } from '../../expression/references';
import { parseTemplate } from '../../expression/template';
import { type ConfigText, configTexts } from '../../flow/config-texts';
import type { FlowGraph, GraphNode } from '../../flow/flow-graph';

/** An expression or template of a node's config: parsed, or what is wrong with it. */
export interface ConfigSource {
  entry: GraphNode;
  path: string;
  text: ConfigText;
  references: readonly Reference[];
  problem: string | null;
}

/** Every expression and template of the flow; blank ones are left out, since a field that must not be blank says so itself. */
export function configSources(graph: FlowGraph): ConfigSource[] {
  const sources: ConfigSource[] = [];
  for (const entry of graph.nodes.values()) {
    if (!entry.manifest || entry.status === 'newer' || entry.status === 'stuck') continue;
    for (const text of configTexts(entry.manifest, entry.config)) {
      if (text.text.trim() === '') continue;
      sources.push({ entry, path: text.path.join('.'), text, ...parsed(text) });
    }
  }
  return sources;
}

function parsed({ kind, text }: ConfigText): Pick<ConfigSource, 'references' | 'problem'> {
  if (kind === 'template' && !text.includes('{{')) return { references: [], problem: null };
  try {
    return { references: (kind === 'expression' ? parseExpression(text) : parseTemplate(text)).references, problem: null };
  } catch (thrown) {
    if (!isBridleError(thrown)) throw thrown;
    return { references: [], problem: thrown.message };
  }
}
