import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import type { ToolManifest } from '../evidence/state';
import { compared, decided, fact } from '../shared/explain';
import { clamp01, shown } from '../shared/numbers';

const unit = (title: string, initial: number) => z.number().min(0).max(1).default(initial).meta({ title });

export const voiConfigSchema = z.object({
  gatherAbove: unit('Value of information above which evidence is gathered first', 0.5),
  adequacyBelow: unit('Tool adequacy below which evidence is gathered first', 0.3),
});
export type VoiConfig = z.output<typeof voiConfigSchema>;
export const defaultVoiConfig: VoiConfig = voiConfigSchema.parse({});

export interface VoiResult {
  voi: number;
  gather: boolean;
  adequacy: number;
  shortfall: number;
  unresolvable: boolean;
  /** Written over verification strength when nothing at all is available and nothing can stand in. */
  updatedStrength: number | null;
  decision: Decision;
}

/** What another observation is worth before acting: rival hypotheses times what is not verified (layers.md R8). */
export function estimateVoi(
  input: { activeHypotheses: number; verificationStrength: number; tools: ToolManifest },
  config: VoiConfig = defaultVoiConfig,
): VoiResult {
  const { activeHypotheses: n, verificationStrength, tools } = input;
  const voi = clamp01((n > 1 ? (n - 1) / n : 0) * (1 - verificationStrength));
  const all = Object.values(tools);
  const available = all.filter((tool) => tool.available).length;
  const adequacy = all.length === 0 ? 1 : available / all.length;
  const short = adequacy < config.adequacyBelow;
  const unresolvable = short && available === 0 && all.every(({ fallback_tool }) => !fallback_tool);
  const gather = voi > config.gatherAbove || short;
  return {
    voi,
    gather,
    adequacy,
    shortfall: Math.max(0, config.adequacyBelow - adequacy),
    unresolvable,
    updatedStrength: unresolvable ? adequacy : null,
    decision: decided({
      rule: 'value of information',
      outcome: gather ? 'gather evidence first' : 'act',
      because: [
        compared('value of information', shown(voi), '>', config.gatherAbove),
        compared('tool adequacy', shown(adequacy), '<', config.adequacyBelow),
        fact('live hypotheses', n),
      ],
      note: unresolvable ? 'No tool is available and none has a stand-in; verification strength drops to the tool adequacy.' : undefined,
    }),
  };
}
