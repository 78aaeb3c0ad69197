import type { FlowDocument } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { cardModelOf } from '../canvas/card-model';
import { flowOrder } from '../canvas/flow-order';
import { indexOf } from './document-index';

/** Text that stays itself inside Markdown. */
const plain = (text: string): string =>
  text
    .replace(/([\\`*_{}[\]<>#|])/g, '\\$1')
    .replace(/\s+/g, ' ')
    .trim();

/** The flow in words, for a review or a wiki: what stands in it, what leads where, which caps hold. */
export function flowSummary(document: FlowDocument): string {
  const { nodes, outgoing, attached } = indexOf(document);
  const nameOf = (id: string): string => plain(nodes.get(id)?.label || id);
  const lines: string[] = [`# ${plain(document.name)}`, ''];
  if (document.description) lines.push(plain(document.description), '');
  lines.push(`${document.nodes.length} nodes, ${document.edges.length} edges.`, '', '## Nodes', '');
  for (const node of flowOrder(document)) {
    const model = cardModelOf(node, catalogue);
    if (model.kind === 'note') continue;
    const facts = [
      model.typeTitle,
      model.preview ? `\`${model.preview.replace(/`/g, "'")}\`` : '',
      node.disabled ? 'disabled' : '',
      node.parent ? `inside ${nameOf(node.parent)}` : '',
    ];
    lines.push(`- **${plain(model.title)}** (${facts.filter(Boolean).join(', ')})`);
    if (node.note) lines.push(`  - ${plain(node.note)}`);
    for (const edge of outgoing.get(node.id) ?? []) {
      const cap = edge.maxTraversals === undefined ? '' : `, at most ${edge.maxTraversals} times`;
      lines.push(
        `  - ${plain(edge.port ?? 'next')} → ${nodes.has(edge.target) ? nameOf(edge.target) : `missing node ${plain(edge.target)}`}${cap}`,
      );
    }
    for (const edge of attached.get(node.id) ?? []) lines.push(`  - guarded by ${nameOf(edge.source)}`);
  }
  const { caps, models, tools, secrets } = document.settings;
  lines.push('', '## Limits and models', '', `- At most ${caps.steps} steps and ${Math.round(caps.wallTimeMs / 1000)} s`);
  if (caps.tokens !== null) lines.push(`- At most ${caps.tokens} tokens`);
  if (caps.cost !== null) lines.push(`- At most $${caps.cost}`);
  for (const [role, choice] of Object.entries(models))
    if (choice) lines.push(`- ${role}: ${plain(choice.provider)} / ${plain(choice.model)}`);
  lines.push(`- Tools: ${tools === null ? 'all' : tools.map(plain).join(', ') || 'none'}`);
  if (secrets.length > 0) lines.push(`- Secrets by reference: ${secrets.join(', ')}`);
  const notes = document.nodes.filter((node) => node.type === 'note').map((node) => node.config.text);
  if (notes.length > 0)
    lines.push(
      '',
      '## Notes',
      '',
      ...notes.flatMap((text) => (typeof text === 'string' && text ? [`> ${text.replace(/\n/g, '\n> ')}`, ''] : [])),
    );
  return `${lines.join('\n').trimEnd()}\n`;
}
